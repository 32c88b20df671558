"""Response models of assignments and batches."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from readdo.collect.completeness import COMPLETE, INCOMPLETE, PARTIAL
from readdo.collect.output_validation import STATUSES
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.lifecycle.collect_batch import BATCH

from ..fields import NEXT_CURSOR, STATUS_WORDS, Answer, Count, Explained, Time, Version, one_of, optional, required
from ..items import Reference

ACTIONS = ("skip", "retry", "continue")
_STATUS = one_of((COMPLETE, PARTIAL, INCOMPLETE))
_RATE = "Completion rate, rounded down to four digits."


class AssignmentAction(Answer):
    """An action that is available for the assignment now, with its call."""

    action: str = required("Name of the action.", **one_of(ACTIONS))
    method: Literal["POST"] = required("HTTP method of the call.")
    path: str = required("Path of the call.")


class FieldProblem(Answer):
    """A problem of an assignment."""

    field: str = required("Name of the field, such as `target_files[1]`.")
    message: str = required("What is wrong with the field.")


class CheckedAssignment(Answer):
    """The result of the check of an assignment."""

    id: str | None = required("Id of the assignment; null if it has none.")
    valid: bool = required("true: it can be stored.")
    errors: list[FieldProblem] = required("What is wrong.")
    warnings: list[str] = required("What is not recommended.")


class OutputFault(Answer):
    """A fault of an output."""

    pointer: str = required("JSON pointer of the place.")
    message: str = required("What is wrong there.")


class Assignment(Answer):
    """An assignment: the fields as you gave them, and its state."""

    model_config = ConfigDict(extra="allow")

    id: str = required("Your id, as text.")
    type: str | None = required("Type of the assignment; null if it waits for a permission and has none.")
    title: str | None = required("Title.")
    priority: int | None = required("Priority, from 1; null comes last.")
    status: str = required(STATUS_WORDS, **one_of(ASSIGNMENT.states))
    version: Version = required("Number of changes.")
    created_at: Time = required("Time of creation.")
    updated_at: Time = required("Time of the last change.")
    requires_permission: bool = required("true: a permission is needed.")
    batch_name: str | None = required("The newest batch.")
    attempts: Count = required("How often it was picked.")
    continued: Count = required("How often it was continued without you.")
    completion_rate: float | None = required(f"{_RATE} Of the last verification: that of the lowest document.")
    missing_items: list[str] = required("What was missing at the last verification.")
    reason: str | None = required("Why it is skipped or was handed back.")
    error: str | None = required("What went wrong, as the worker said.")
    split_from: str | None = required("Id of the assignment from which it was split.")
    resumes: str | None = required("Id of the skipped assignment that it resumes.")
    extra: dict[str, Any] = required("Fields that are not known here.")
    warnings: list[str] = required("What is not recommended, or not valid any more.")


class TakenId(Answer):
    """An id that belongs to another assignment."""

    index: Count = required("Place in the request.")
    id: str = required("The id.")
    code: Literal["ID_TAKEN"] = required("Code of the error.")
    message: str = required("What to do.")


class AssignmentsAdded(Answer):
    """The assignments of the request."""

    assignments: list[Assignment | Reference] = required("Assignments, in the order sent.")
    errors: list[TakenId] = required("Ids that were taken. The others are stored.")


class AssignmentsValidated(Answer):
    """The result of a check."""

    results: list[CheckedAssignment] = required("A result for each, in the order sent.")
    valid: Count = required("Valid ones.")
    invalid: Count = required("Invalid ones.")


class ProposedDocument(Answer):
    """A document that a schedule suggests."""

    title: str = required("The text of the link.")
    file: str = required("A path for it.")
    url: str = required("The link.")


class DocumentsProposed(Answer):
    """Documents to confirm, as `document_list` of a new assignment."""

    document_list: list[ProposedDocument] = required("In the order of the schedule.")


class AssignmentsAnswer(Answer):
    """A page of assignments."""

    assignments: list[Assignment] = required("Assignments, oldest first.")
    next_cursor: str | None = required(NEXT_CURSOR)


class AssignmentMove(Answer):
    """A transition of the assignment."""

    at: Time = required("Time of the transition.")
    by: str = required("Who made it.")
    what: str = required("The transition.")
    to: str = required("Status after it.", **one_of(ASSIGNMENT.states))


class VerifiedDocument(Answer):
    """A document, as it was verified."""

    path: str = required("Path of the document.")
    version: Version | None = required("Its version; null if it did not exist.")
    completion_rate: float = required(_RATE)


class VerifiedResult(Answer):
    """The verification of a result."""

    passed: bool = required("true: the assignment is done.")
    completion_rate: float = required(f"{_RATE} That of the lowest document.")
    missing_items: list[str] = required("What was missing.")
    documents: list[VerifiedDocument] = required("The documents that were read.")


class AssignmentAttempt(Answer):
    """An attempt: what the worker said and claimed, and what was verified."""

    batch_name: str = required("Name of the batch.")
    picked_at: Time = required("When it was picked.")
    result_at: Time | None = required("When its result came.")
    said: str | None = required("Status from the worker.", **one_of((*STATUSES, None)))  # type: ignore[arg-type]
    claimed: dict[str, Any] | None = required("What the worker claimed.")
    verified: VerifiedResult | None = required("What was verified; null if nothing was.")


class NamedDocument(Answer):
    """A document that the assignment names."""

    path: str = required("Path of the document.")
    version: Version | None = required("Newest version; null if it does not exist.")
    updated_at: Time | None = required("Time of that version.")
    completion_rate: float | None = required(_RATE)
    status: str | None = required("Completeness.", **one_of((COMPLETE, PARTIAL, INCOMPLETE, None)))  # type: ignore[arg-type]


class AssignmentAnswer(Answer):
    """An assignment and its available actions."""

    assignment: Assignment | Reference = required("The assignment.")
    available_actions: list[AssignmentAction] = required("Actions that are available now.")


class WholeAssignmentAnswer(AssignmentAnswer):
    """An assignment with its history, its attempts and its documents."""

    history: list[AssignmentMove] = required("Transitions, oldest first.")
    attempts: list[AssignmentAttempt] = required("Attempts, oldest first.")
    documents: list[NamedDocument] = required("Documents that it names, and those that its results added.")


class BatchFailure(Explained):
    """The failure of a batch."""

    error_code: str = required("Error code.", **one_of(("OUTPUT_NOT_JSON", "PICK_LOST", "BATCH_TIMED_OUT")))
    message: str = required("What happened.")


class CollectBatch(Answer):
    """A batch of assignments."""

    batch_name: str = required("Name of the batch.")
    status: str = required(STATUS_WORDS, **one_of(BATCH.states))
    worker: str = required("Who works on it.")
    created_at: Time = required("When it was picked.")
    updated_at: Time = required("Time of the last change.")
    deadline: Time | None = required("The output must come before; null while it is picked.")
    processed_at: str | None = required("Time from the output.")
    ids: list[str] = required("Ids of its assignments, in order.")
    failure: BatchFailure = optional("Why the batch has failed.")


class MovedAssignment(Answer):
    """The new state of an assignment."""

    id: str = required("Id of the assignment.")
    from_: Literal["in_progress"] = Field(alias="from", description="Status before.")
    to: str = required("Status after.", **one_of(ASSIGNMENT.states))
    completion_rate: float = optional(_RATE)
    missing_items: list[str] = optional("What was missing.")


class BatchReference(Answer):
    """The response for tokens without the scope `read`: name and status of the batch."""

    batch_name: str = required("Name of the batch.")
    status: str = required(STATUS_WORDS, **one_of(BATCH.states))
    created_at: Time = optional("When it was picked. Only if the call picked it.")


class CollectBatchAnswer(Answer):
    """A batch."""

    batch: CollectBatch | BatchReference = required("The batch.")


class AppliedAnswer(CollectBatchAnswer):
    """A batch and what became of its assignments. 202: not all of them have moved yet."""

    moved: list[MovedAssignment] = required("Assignments that have moved.")


class WholeBatchAnswer(AppliedAnswer):
    """A batch, what became of its assignments, and the faults of the last refused output."""

    faults: list[OutputFault] = required("Faults of the last refused output.")


class BatchesAnswer(Answer):
    """A page of batches."""

    batches: list[CollectBatch] = required("Batches, newest first.")
    next_cursor: str | None = required(NEXT_CURSOR)


class BatchInput(Answer):
    """The input of a worker."""

    batch_name: str = required("Name of the batch.")
    created_at: Time = required("When it was picked.")
    tasks: list[Assignment] = required("Assignments, in order.")


class WorkerOutput(Answer):
    """The output of a worker, as it was sent."""

    model_config = ConfigDict(extra="allow")

    batch_name: str = required("Name of the batch.")
    processed_at: str = required("When the worker was ready.")
    results: list[dict[str, Any]] = required("A result for each assignment.")
    summary: dict[str, Any] = required("Numbers that match the results.")


ANSWERS = (
    *(
        AssignmentsAdded,
        AssignmentsValidated,
        DocumentsProposed,
        AssignmentsAnswer,
        AssignmentAnswer,
        WholeAssignmentAnswer,
    ),
    *(CollectBatchAnswer, AppliedAnswer, WholeBatchAnswer, BatchesAnswer, BatchInput, WorkerOutput),
)
