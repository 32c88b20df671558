"""Verify a result by our own reading of the documents. What the worker claims is no evidence."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readdo.collect.assignment_validation import CREATE_DOCUMENT, TOPIC, URL
from readdo.collect.completeness import COMPLETE_POINTS, missing_items
from readdo.collect.document_library import checked_document, older_copy
from readdo.collect.document_paths import clean_path, path_problem
from readdo.collect.rows import AssignmentRow, DocumentRow, MissingFields
from readdo.messages import message, stored_fields
from readdo.store.table import DynamoTable

_EXTRAS_MAX = 50  # documents of one result that are read; a transaction checks each, and may have 100 writes


@dataclass(frozen=True)
class VerifiedDocument:
    path: str
    row: DocumentRow | None  # None if it is not in the library
    copy_of: str = ""

    @property
    def points(self) -> int:
        return self.row["points"] if self.row else 0

    @property
    def is_good(self) -> bool:
        return self.points >= COMPLETE_POINTS and not self.copy_of

    @property
    def missing(self) -> list[MissingFields]:
        if self.row is None:
            return [_missing(self.path, "collect.missing_document")]
        items = [_missing(self.path, text.key, **text.params) for text in missing_items(self.row["parts"])]
        return items + ([_missing(self.path, "collect.copy", other=self.copy_of)] if self.copy_of else [])

    @property
    def evidence(self) -> dict[str, Any]:
        return {"path": self.path, "version": self.row["version"] if self.row else 0, "points": self.points}


@dataclass(frozen=True)
class Verified:
    passed: bool
    points: int  # the lowest of its documents
    documents: tuple[VerifiedDocument, ...]
    missing: tuple[MissingFields, ...]
    extras: tuple[str, ...]  # existing documents beyond the list of the assignment


ReadExtras = Callable[[], list[VerifiedDocument]]


def _missing(path: str, key: str, **params: Any) -> MissingFields:
    return {"path": path, **stored_fields(message(key, **params))}


def verify(table: DynamoTable, row: AssignmentRow, result: Mapping[str, Any], at: str) -> Verified:
    named = [_read(table, row["owner"], path, at) for path in row["documents"]]
    others = [path for path in _paths_of(result) if path not in row["documents"]][:_EXTRAS_MAX]

    def read_extras() -> list[VerifiedDocument]:
        return [document for path in others if (document := _read(table, row["owner"], path, at)).row]

    return _VERIFIERS.get(row.get("type", ""), _verify_targets)(row, named, read_extras)


def _read(table: DynamoTable, owner: str, path: str, at: str) -> VerifiedDocument:
    row = checked_document(table, owner, path, at)
    return VerifiedDocument(path, row, older_copy(table, owner, row) if row else "")


def _paths_of(result: Mapping[str, Any]) -> list[str]:
    paths = [path for path in result.get("documents") or () if not path_problem(path)]
    return list(dict.fromkeys(clean_path(path) for path in paths))


def _verified(
    passed: bool, documents: Sequence[VerifiedDocument], extras: Sequence[VerifiedDocument], *missing: MissingFields
) -> Verified:
    points = 0 if missing else min((document.points for document in documents), default=0)
    items = [*(item for document in documents for item in document.missing), *missing]
    return Verified(passed, points, tuple(documents), tuple(items), tuple(document.path for document in extras))


def _verify_targets(_: AssignmentRow, named: list[VerifiedDocument], __: ReadExtras) -> Verified:
    """Every target document."""
    return _verified(bool(named) and all(document.is_good for document in named), named, ())


def _verify_created(row: AssignmentRow, named: list[VerifiedDocument], read_extras: ReadExtras) -> Verified:
    """As many documents as needed: those listed, then others that the worker names. Each of them is good.

    A listed one that is missing cannot be replaced by another.
    """
    needed = row.get("target_count", len(named))
    listed = [document for document in named if document.row]
    others = read_extras() if needed > len(named) else []
    if len(listed) < min(needed, len(named)):
        return _verified(False, [*named, *others], others)
    there = [*listed, *others]
    if len(there) < needed:
        return _verified(False, there, others, _missing("", "collect.missing_count", have=len(there), need=needed))
    return _verified(all(document.is_good for document in there), there, others)


def _verify_url(_: AssignmentRow, named: list[VerifiedDocument], read_extras: ReadExtras) -> Verified:
    """The target, or else the document that the worker names."""
    documents = named or read_extras()[:1]
    if not documents:
        return _verified(False, (), (), _missing("", "collect.missing_any"))
    return _verified(all(document.is_good for document in documents), documents, () if named else documents)


def _verify_topic(_: AssignmentRow, named: list[VerifiedDocument], read_extras: ReadExtras) -> Verified:
    """At least one document is good."""
    extras = read_extras()
    documents = [*(document for document in named if document.row), *extras] or named
    if not documents:
        return _verified(False, (), (), _missing("", "collect.missing_any"))
    return _verified(any(document.is_good for document in documents), documents, extras)


_VERIFIERS = {CREATE_DOCUMENT: _verify_created, URL: _verify_url, TOPIC: _verify_topic}
