"""Response models of items."""

from typing import Any, Literal

from pydantic import Field

from readdo.errors import RETRYABLE
from readdo.lifecycle.item import ITEM, STEPS
from readdo.read import actions
from readdo.read.item_keys import READY_BANDS
from readdo.read.requests import SourceType
from readdo.web.request_body import Profile

from .fields import STATUS_WORDS, Answer, Count, Explained, Id, Score, Time, Uuid, Version, one_of, optional, required

STATUS = one_of(ITEM.states)
PRIORITY = one_of(READY_BANDS)
ARCHIVED_FOR = one_of(("USER_ARCHIVE", "FAILURE_ARCHIVE", "SYSTEM_SKIP"))


class Failure(Explained):
    """Why a run or an export failed. This is a part of the item, not an API error."""

    failed_step: str = required("The step that failed.", **one_of((*STEPS, "export")))
    error_code: str = required("Error code, for programs.", **one_of(RETRYABLE))
    message: str = required("What went wrong and what to do, for users.", maxLength=300)
    retryable: bool = required("Whether it is retried automatically. You can always retry it yourself.")
    attempts: Count = required("Number of attempts.")
    last_attempt_at: Time = required("Time of the last attempt.")
    next_retry_at: Time = optional("Time of the next automatic retry. Missing if there is none.")
    debug_message: str = optional("Details for debugging. Contains nothing of your text.", maxLength=300)


class Progress(Answer):
    """The progress of a run."""

    step: str = required("Current step.", **one_of(STEPS))
    done: Count = required("Completed steps.")
    of: Count = required("Total steps.")
    started_at: Time = required("Time when the run started.")


class ListedItem(Answer):
    """An item in a list, without its artifacts."""

    id: Id = required("Unique identifier. Sorts by time of capture.")
    status: str = required(STATUS_WORDS, **STATUS)
    created_at: Time = required("Time of capture.")
    url: str = optional("URL of the page.")
    title: str = optional("Your title, or the title of the page.")
    domain: str = optional("Domain of the source, for display.")
    intent_text: str = required("Why you saved it. The results are made for this intent.")
    source_type: SourceType = required("Type of the source.")
    priority: str = optional("Priority from the score, once there is one.", **PRIORITY)
    match_score: Score = optional("Score of the text for the intent, from 0 to 100.")
    first_reason: str = optional("First reason of the score.")
    more_reasons: Count = optional("Number of further reasons. The score artifact has all reasons.")
    archive_reason: str = optional("Why the item was archived.", **ARCHIVED_FOR)
    failure: Failure = optional("Why it failed. Only while it is FAILED_*.")


class Item(ListedItem):
    """An item: a saved page or text with its intent and status."""

    version: Version = required("Version number for If-Match. Increases with every change.")
    updated_at: Time = required("Time of the last change.")
    profile: Profile = required("The reader that the summary is written for.")
    language: str = optional("Language of the results, if you chose one.")
    tags: list[str] = optional("Your tags.", maxItems=50)
    intents: list[str] = required("All intents, oldest first.", minItems=1)
    save_count: Version = required("Number of times that you saved this page.")
    used_tokens: Count = optional("Language model tokens of the last run. Each artifact has its share in `usage`.")
    edited: list[str] = optional("Artifacts that are shown in your version.", minItems=1)
    served_run_id: Id = optional("The run whose results are shown.")
    run_id: Id = optional("The newest run.")
    attempts: Count = required("Attempts since the item was last READY or you last started a run.")
    progress: Progress = optional("Progress of the run. Only while it is PROCESSING.")
    tasks: list[Uuid] = optional("Tasks created from its todos.")
    last_export_failure: Failure = optional("Why the last export of a SHIPPED item failed.")


class Reference(Answer):
    """The response for tokens without the scope `read`: id and status of the changed object."""

    id: str = required("Unique identifier of the object.")
    status: str = required("Current status of the object.")
    created_at: Time = optional("Time of creation. Only if the call created the object.")


_ACTIONS = {name: (method, path, body) for name, method, path, body in actions.CALLS.values()}


class Action(Answer):
    """An action that is available now, with its call. Clients can show one button for each action."""

    action: str = required("Name of the action.", **one_of(_ACTIONS))
    method: Literal["POST", "PATCH", "PUT", "DELETE"] = required("HTTP method of the call.")
    path: str = required(
        "Path of the call. Replace {type} by the type of the artifact and {number} by the number of the todo."
    )
    body: dict[str, Any] = optional("Required fields of the body. You can add other fields that the call takes.")


class HistoryEntry(Answer):
    """A state change of an item."""

    at: Time = required("Time of the change.")
    by: str = required("Who made the change: user, or system: with the component.")
    trigger: str = required("Trigger in docs/lifecycles.md.", **one_of(ITEM.triggers))
    before: str | None = Field(alias="from", description="State before the change; null for the first.")
    to: str = required("State after the change.", **STATUS)
    run_id: Id | None = required("The run that made the change, if any.")
