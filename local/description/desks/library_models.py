"""Response models of documents, figures and violations of the Collect desk."""

from readdo.collect.completeness import COMPLETE, INCOMPLETE, PARTIAL, PARTS

from ..fields import NEXT_CURSOR, Answer, Count, Explained, Time, Version, one_of, optional, required
from .do_models import RecountAnswer

_STATUS = one_of((COMPLETE, PARTIAL, INCOMPLETE))
_RATE = "Completion rate, rounded down to four digits."


class ListedDocument(Answer):
    """A document in the list."""

    path: str = required("Path of the document.")
    version: Version = required("Newest version.")
    updated_at: Time = required("Time of that version.")
    completion_rate: float = required(_RATE)
    status: str = required("Completeness.", **_STATUS)


class LibraryDocument(ListedDocument):
    """A document."""

    created_at: Time = required("Time of its first version.")
    bytes: Count = required("Size in bytes.")
    rules_version: str = required("Version of the rules of its check.")


class DocumentReference(Answer):
    """The response for tokens without the scope `read`: path and status of the document."""

    path: str = required("Path of the document.")
    status: str = required("Completeness.", **_STATUS)
    created_at: Time = optional("Time of its first version. Only if the call created it.")


class DocumentAnswer(Answer):
    """A document."""

    document: LibraryDocument | DocumentReference = required("The document.")


class DocumentContentAnswer(DocumentAnswer):
    """A document and its content."""

    content: str = required("The content as Markdown.")


class DocumentsAnswer(Answer):
    """A page of documents."""

    documents: list[ListedDocument] = required("Documents, by path.")
    next_cursor: str | None = required(NEXT_CURSOR)


class DocumentPart(Answer):
    """A part of a document."""

    have: Count = required("What it has.")
    need: Count = required("What it needs for full marks.")
    points: Count = required("Its points, in 3,000ths of the whole.")


class CompletenessAnswer(Answer):
    """Completeness of a document, part by part."""

    completion_rate: float = required(_RATE)
    status: str = required("`complete` from 0.9, `partial` from 0.5.", **_STATUS)
    parts: dict[str, DocumentPart] = required(f"By part: {', '.join(PARTS)}.")
    missing_items: list[str] = required("A sentence for each part below full marks.")
    rules_version: str = required("Version of the rules.")
    checked_at: Time = required("When it was checked.")


class CollectTasks(Answer):
    """Figures of the assignments."""

    total_tasks: Count = required("All assignments.")
    pending: Count = required("Assignments that wait.")
    in_progress: Count = required("Assignments in a batch.")
    partial: Count = required("Assignments that are partly done.")
    done: Count = required("Assignments that are verified.")
    failed: Count = required("Assignments that failed.")
    skipped: Count = required("Assignments that need a permission.")
    completion_rate: float | None = required("done / total_tasks; null without assignments.")


class CollectDocuments(Answer):
    """Figures of the documents."""

    target_count: Count = required("Documents that are wanted.")
    created_count: Count = required("Those of them in the library.")
    complete_count: Count = required("Created ones with a rate from 0.9.")
    partial_count: Count = required("Created ones with a rate from 0.5 and below 0.9.")
    collection_rate: float | None = required("created_count / target_count; null without targets.")
    avg_completion_rate: float | None = required("Mean rate of the created ones; null without them.")


class CollectWarning(Explained):
    """A figure over its limit."""

    code: str = required("Code.", **one_of(("partial", "pending", "processing_time", "failure_rate")))
    value: float = required("The value.")
    limit: float = required("The limit.")
    message: str = required("What it means.")


class CollectStats(Answer):
    """Figures and warnings of the Collect desk."""

    tasks: CollectTasks = required("Assignments.")
    documents: CollectDocuments = required("Documents.")
    warnings: list[CollectWarning] = required("Figures over their limits.")


class CollectRecountAnswer(RecountAnswer):
    """The result of a recount of assignments and documents."""


class Violation(Answer):
    """A violation of the rules."""

    at: Time = required("When.")
    kind: str = required(
        "What was violated.",
        **one_of(
            (
                *("verification_failed", "too_many_documents", "field_missing", "output_refused"),
                *("output_not_json", "forbidden_transition"),
            )
        ),
    )
    level: str = required("Level.", **one_of(("warning", "error")))
    assignment_id: str = optional("Id of the assignment.")
    batch_name: str = optional("Name of the batch.")
    details: str = required("What happened.")


class ViolationsAnswer(Answer):
    """A page of violations."""

    violations: list[Violation] = required("Violations, newest first.")
    next_cursor: str | None = required(NEXT_CURSOR)


ANSWERS = (
    *(DocumentAnswer, DocumentContentAnswer, DocumentsAnswer, CompletenessAnswer),
    *(CollectStats, CollectRecountAnswer, ViolationsAnswer),
)
