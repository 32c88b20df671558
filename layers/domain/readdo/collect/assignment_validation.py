"""Check an assignment as it was sent: each problem names its field, as in `document_list[0].file`."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from readdo.collect.field_checks import TITLE_MAX, FieldChecks, MissingField, Problem, TooManyDocuments
from readdo.lifecycle.assignment import ASSIGNMENT, PENDING, SKIPPED

DOCUMENTS_MAX = 5  # of one assignment
_SPLIT_ID_MAX = 120  # of an assignment that is split: its parts are ID-1, ID-2, …
REASON_MAX = 1000
ASSIGNMENT_BYTES = 64_000  # as JSON
LEVELS_MAX = 32
CONTENT_SUPPLEMENT, CREATE_DOCUMENT, URL, TOPIC = "content_supplement", "create_document", "url", "topic"
TYPES = (CONTENT_SUPPLEMENT, CREATE_DOCUMENT, URL, TOPIC)
_COMMON = ("id", "type", "title", "priority", "status", "requires_permission", "reason", "resumes")
_TARGETS = ("target_files", "target_file")
_FIELDS = {
    CONTENT_SUPPLEMENT: (*_TARGETS, "resource_list", "schedule_url"),
    CREATE_DOCUMENT: ("document_list", "schedule_url", "search_keywords", "target_count"),
    URL: ("url", "extract_fields", *_TARGETS),
    TOPIC: ("search_keywords", "max_results", "description", *_TARGETS),
}
_ID = re.compile(r"[^\x00-\x1f\x7f/\\?#%\"`\ud800-\udfff\ufffd]{1,128}")
_CALLS = ("validate", "expand")  # paths under /assignments
ONE_EACH = "names {count} documents; one document for each assignment is recommended"


@dataclass
class CheckedAssignment:
    id: str  # empty if the request has none
    fields: dict[str, Any] = field(default_factory=dict)  # normalized
    errors: list[Problem] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def status(self) -> str:
        return SKIPPED if self.fields.get("requires_permission") else PENDING

    @property
    def documents(self) -> list[str]:
        return named_documents(self.fields)

    @property
    def is_large(self) -> bool:
        kind = self.fields.get("type")
        return kind in (CONTENT_SUPPLEMENT, CREATE_DOCUMENT) and len(self.documents) > DOCUMENTS_MAX

    def view(self) -> dict[str, Any]:
        errors = [{"field": name, "message": f"{name} {words}".strip()} for name, words in self.errors]
        return {"id": self.id or None, "valid": not errors, "errors": errors, "warnings": self.warnings}


def named_documents(fields: Mapping[str, Any]) -> list[str]:
    """The documents that the assignment names, each once."""
    listed = [entry["file"] for entry in fields.get("document_list", ())]
    targets = [*fields.get("target_files", ()), *([fields["target_file"]] if "target_file" in fields else [])]
    return list(dict.fromkeys([*listed, *targets]))


def id_of(value: Any) -> str | None:
    """The id as text: 1 and "1" are the same. None if it is not valid."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    return text if _ID.fullmatch(text) and text not in (".", "..", *_CALLS) else None


def check_assignment(raw: Any, *, may_split: bool = False) -> CheckedAssignment:
    """`may_split`: more documents than allowed are no error."""
    if not isinstance(raw, dict):
        return CheckedAssignment("", errors=[("", "An assignment must be a JSON object.")])
    return _Check(raw, may_split).run()


class _Check(FieldChecks):
    def __init__(self, raw: dict[str, Any], may_split: bool) -> None:
        super().__init__({name: value for name, value in raw.items() if value is not None})
        self._with_null = raw
        self._may_split = may_split
        self._checked = CheckedAssignment("", errors=self._errors, warnings=self._warnings)
        self._fields = self._checked.fields

    def run(self) -> CheckedAssignment:
        if problem := _json_problem(self._raw):
            self._error("", problem)
            return self._checked
        if "id" in self._raw:
            name = id_of(self._raw["id"])
            self._checked.id = name or ""
            if name is None:
                self._error(
                    "id",
                    'must be a whole number, or a text of 1 to 128 characters without / \\ ? # % " or `, '
                    "and not `validate` or `expand`",
                )
        self._check_common()
        needs_permission = self._check_permission()
        kind = self._check_type(needs_permission)
        if kind or needs_permission:
            self._check_fields(
                _FIELDS.get(kind, tuple(dict.fromkeys(name for names in _FIELDS.values() for name in names)))
            )
        if kind and not needs_permission:
            self._check_required(kind)
        self._keep_unknown(kind)
        if self._checked.is_large and not needs_permission and len(self._checked.id) > _SPLIT_ID_MAX:
            self._error("id", f"is longer than {_SPLIT_ID_MAX} characters, too long for the parts of a split")
        return self._checked

    def _check_common(self) -> None:
        for name in ("title", "reason"):
            if name in self._raw:
                self._fields |= self._text(name, self._raw[name], TITLE_MAX if name == "title" else REASON_MAX)
        if "priority" in self._raw:
            self._fields |= self._whole("priority", 1, 5)
        if "resumes" in self._raw:
            resumed = id_of(self._raw["resumes"])
            if resumed is None:
                self._error("resumes", "must be the id of a skipped assignment")
            else:
                self._fields["resumes"] = resumed

    def _check_permission(self) -> bool:
        needs = self._raw.get("requires_permission", False)
        status = self._raw.get("status", PENDING)
        if not isinstance(needs, bool):
            self._error("requires_permission", "must be true or false")
            needs = False
        if not isinstance(status, str) or status not in ASSIGNMENT.states:
            self._error("status", f"must be one of {', '.join(ASSIGNMENT.states)}")
            return needs
        if needs:
            self._fields["requires_permission"] = True
            if status != SKIPPED:
                self._error("status", "must be skipped, because requires_permission is true")
            if not self._fields.get("reason") and not any(name == "reason" for name, _ in self._checked.errors):
                self._error("reason", MissingField("is required: say which permission is needed"))
        elif status == SKIPPED:
            self._error("requires_permission", "must be true, because status is skipped")
        elif status != PENDING:
            self._checked.warnings.append(f"status {status} is ignored: a new assignment is {PENDING}")
        return needs

    def _check_type(self, needs_permission: bool) -> str:
        kind = self._raw.get("type")
        if kind is None:
            if not needs_permission:
                self._error("type", MissingField(f"is required: one of {', '.join(TYPES)}"))
            return ""
        if not isinstance(kind, str) or kind not in TYPES:
            self._error("type", f"must be one of {', '.join(TYPES)}")
            return ""
        self._fields["type"] = kind
        return kind

    def _check_fields(self, names: tuple[str, ...]) -> None:
        for name in names:
            if name in self._raw:
                self._fields |= _CHECKS[name](self, name)

    def _check_required(self, kind: str) -> None:
        failed = {name.partition("[")[0] for name, _ in self._checked.errors}
        if kind == CONTENT_SUPPLEMENT:
            self._need_one(_TARGETS, "target_files", failed, "is required: the documents to complete")
        elif kind == CREATE_DOCUMENT:
            words = "is required: at least one document with title and file"
            if "schedule_url" in self._fields and not self._fields.get("document_list"):
                words += ". POST /assignments/expand proposes one from the schedule_url"
            self._need_one(("document_list",), "document_list", failed, words)
            self._check_target_count(failed)
        elif kind == URL:
            self._need_one(("url",), "url", failed, "is required: the address to read")
        else:
            self._need_one(("title", "search_keywords"), "title", failed, "is required: a title or search_keywords")
        self._check_count(kind)

    def _need_one(self, names: tuple[str, ...], name: str, failed: set[str], words: str) -> None:
        if not any(self._fields.get(one) for one in names) and not failed & set(names):
            self._error(name, MissingField(words))

    def _check_count(self, kind: str) -> None:
        count = len(self._checked.documents)
        name = "document_list" if kind == CREATE_DOCUMENT else "target_files"
        if kind in (URL, TOPIC):
            if count > 1:
                self._error(name, TooManyDocuments(f"names {count} documents; an assignment of type {kind} has one"))
        elif count > DOCUMENTS_MAX and not self._may_split:
            words = f"names {count} documents, and at most {DOCUMENTS_MAX} are allowed. Split it, or use ?split=true"
            self._error(name, TooManyDocuments(words))
        elif count > 1:
            self._checked.warnings.append(f"{name} {ONE_EACH.format(count=count)}")

    def _check_target_count(self, failed: set[str]) -> None:
        listed = len(self._fields.get("document_list", ()))
        if "target_count" not in self._raw:
            if listed:
                self._fields["target_count"] = listed
            return
        if self._may_split and listed > DOCUMENTS_MAX and self._raw["target_count"] == listed:
            self._fields["target_count"] = listed
            return
        self._fields |= self._whole("target_count", 1, DOCUMENTS_MAX)
        has_source = "schedule_url" in self._fields or "search_keywords" in self._fields
        if self._fields.get("target_count", 0) > listed and not has_source and "document_list" not in failed:
            words = f"is more than the {listed} of document_list, and there is no schedule_url or search_keywords"
            self._error("target_count", words)

    def _keep_unknown(self, kind: str) -> None:
        known = {*_COMMON, *_FIELDS.get(kind, ())}
        if not kind:
            known |= {name for names in _FIELDS.values() for name in names}
        extra = {name: value for name, value in self._with_null.items() if name not in known}
        if extra:
            self._fields["extra"] = extra

    def _count_given(self, name: str) -> dict[str, Any]:
        """Without a permission it is checked with the other fields. With one, no limit applies."""
        return self._whole(name, 1, 1_000_000) if self._raw.get("requires_permission") is True else {}


_CHECKS: Mapping[str, Callable[[_Check, str], dict[str, Any]]] = {
    "target_file": _Check._target_file,
    "target_files": _Check._target_files,
    "document_list": _Check._document_list,
    "url": _Check._url,
    "schedule_url": _Check._url,
    "resource_list": _Check._resource_list,
    "search_keywords": _Check._texts,
    "extract_fields": _Check._texts,
    "description": _Check._description,
    "max_results": _Check._max_results,
    "target_count": _Check._count_given,
}


def _json_problem(raw: Mapping[str, Any]) -> str:
    if levels_of(raw, LEVELS_MAX) > LEVELS_MAX:
        return f"The assignment is nested more than {LEVELS_MAX} levels deep."
    try:
        size = len(json.dumps(raw, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, RecursionError):
        return "The assignment is not valid JSON: a lone surrogate, or an infinite number."
    return f"The assignment is larger than {ASSIGNMENT_BYTES:,} bytes." if size > ASSIGNMENT_BYTES else ""


def levels_of(value: Any, most: int) -> int:
    """The levels of lists and objects, counted up to one more than `most`."""
    levels, containers = 0, [value]
    while containers and levels <= most:
        levels += 1
        inner = [part for outer in containers for part in (outer.values() if isinstance(outer, dict) else outer)]
        containers = [part for part in inner if isinstance(part, dict | list) and part]
    return levels


def split_assignment(checked: CheckedAssignment) -> Iterator[CheckedAssignment]:
    """Parts of up to five documents, in order. Itself, if it needs no split."""
    if checked.status == SKIPPED or not checked.is_large:
        yield checked
        return
    fields = {name: value for name, value in checked.fields.items() if name not in (*_TARGETS, "target_count")}
    by_list = "document_list" in fields
    entries = fields["document_list"] if by_list else checked.documents
    for number, first in enumerate(range(0, len(entries), DOCUMENTS_MAX), start=1):
        part = entries[first : first + DOCUMENTS_MAX]
        own = {"document_list": part, "target_count": len(part)} if by_list else {"target_files": part}
        warnings = [*(words for words in checked.warnings if ONE_EACH.partition("{")[0] not in words)]
        if len(part) > 1:
            warnings.append(f"{'document_list' if by_list else 'target_files'} {ONE_EACH.format(count=len(part))}")
        yield CheckedAssignment(f"{checked.id}-{number}", {**fields, **own, "split_from": checked.id}, [], warnings)
