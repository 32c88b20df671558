"""The item as it is shown, in the list and by itself."""

from typing import Any, Literal

from pydantic import Field

from readdo.errors import RETRYABLE
from readdo.lifecycle.item import ITEM, STEPS
from readdo.read import actions
from readdo.store.inbox import READY_BANDS
from readdo.web.requests import Profile, SourceType

from .fields import Answer, Count, Explained, Id, Score, Time, Uuid, Version, maybe, one_of, told

STATUS = one_of(ITEM.states)
PRIORITY = one_of(READY_BANDS)
ARCHIVED_FOR = one_of(("USER_ARCHIVE", "FAILURE_ARCHIVE", "SYSTEM_SKIP"))


class Failure(Explained):
    """Why a run or an export failed. It is part of the item, and no error of the API."""

    failed_step: str = told("The step that could not be done.", **one_of((*STEPS, "export")))
    error_code: str = told("What went wrong, for a program.", **one_of(RETRYABLE))
    message: str = told("What went wrong and what to do next, for a person.", maxLength=300)
    retryable: bool = told("Whether it is tried again by itself. A person always may.")
    attempts: Count = told("How often it was tried.")
    last_attempt_at: Time = told("When it was tried last.")
    next_retry_at: Time = maybe("When it is tried again by itself; missing if it is not.")
    debug_message: str = maybe("For who looks into the log; holds nothing of your text.", maxLength=300)


class Progress(Answer):
    """How far the run is."""

    step: str = told("What is being done now.", **one_of(STEPS))
    done: Count = told("Steps that are done.")
    of: Count = told("Steps in all.")
    started_at: Time = told("When the run started.")


class ListedItem(Answer):
    """An item in the list: what a row needs, without what was made of it."""

    id: Id = told("Sorts by the time of capture.")
    status: str = told("Where it stands; docs/lifecycles.md says what may follow.", **STATUS)
    created_at: Time = told("When it was captured.")
    url: str = maybe("The page.")
    title: str = maybe("As given, or as the page says.")
    domain: str = maybe("Shown as the source.")
    intent_text: str = told("Why it was saved: what the pipeline works for.")
    source_type: SourceType = told("What kind of source it is.")
    priority: str = maybe("What the score comes to, once there is one.", **PRIORITY)
    match_score: Score = maybe("How well the text serves the intent.")
    first_reason: str = maybe("The first reason for the score.")
    more_reasons: Count = maybe("How many reasons there are besides; the item's score has them all.")
    archive_reason: str = maybe("Why it was put away.", **ARCHIVED_FOR)
    failure: Failure = maybe("While it is FAILED_*: why.")


class Item(ListedItem):
    """An item: what was captured, why, and where it stands."""

    version: Version = told("Changes with every change; If-Match names it.")
    updated_at: Time = told("When it changed last.")
    profile: Profile = told("Whose questions the summary answers.")
    language: str = maybe("Of what is written about it, if you chose one.")
    tags: list[str] = maybe("Your own words for finding it again.", maxItems=50)
    intents: list[str] = told("Every reason it was saved for, the first first.", minItems=1)
    save_count: Version = told("How often it was saved.")
    used_tokens: Count = maybe(
        "What a model took for all that its last run made; each artifact's `usage` has its part."
    )
    edited: list[str] = maybe("Which artifacts are shown as you edited them.", minItems=1)
    served_run_id: Id = maybe("The run whose set is shown.")
    run_id: Id = maybe("The newest run.")
    attempts: Count = told("Tries since it was last READY or since you last asked.")
    progress: Progress = maybe("While a run works on it.")
    tasks: list[Uuid] = maybe("The tasks that its todos have become.")
    last_export_failure: Failure = maybe("Why the last export of a SHIPPED item failed.")


class Reference(Answer):
    """All that a token without the scope `read` is told of a thing that its call changed."""

    id: str = told("Which it is.")
    status: str = told("Where it stands.")
    created_at: Time = maybe("When it was made, if the call made it.")


_ACTIONS = {name: (method, path, body) for name, method, path, body in actions.CALLS.values()}


class Action(Answer):
    """Something that can be done now, as the call that does it: draw your buttons from these."""

    action: str = told("What it is called.", **one_of(_ACTIONS))
    method: Literal["POST", "PATCH", "PUT", "DELETE"] = told("The call's method.")
    path: str = told("The call's path; {type} stands for the artifact.")
    body: dict[str, Any] = maybe("What the body must say; anything the call takes may be added.")


class HistoryEntry(Answer):
    """One move: when, by whom, from where to where."""

    at: Time = told("When.")
    by: str = told("user, or system: and the part of it.")
    trigger: str = told("The row of the lifecycle's table.", **one_of(ITEM.triggers))
    before: str | None = Field(alias="from", description="The state before; null for the first.")
    to: str = told("The state after.", **STATUS)
    run_id: Id | None = told("The run that it belongs to, if any.")
