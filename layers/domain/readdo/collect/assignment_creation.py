"""Create assignments: a list is checked whole, then stored in groups.

The same id and body is the same assignment.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from readdo.clock import digest
from readdo.collect import collect_keys
from readdo.collect.assignment_queue import queue_fields
from readdo.collect.assignment_validation import CheckedAssignment, check_assignment, split_assignment
from readdo.collect.document_names import merge_counts, name_documents, read_documents
from readdo.collect.figures import ASSIGNMENT_FIGURES
from readdo.collect.own_schedule import schedule_writes
from readdo.collect.rows import AssignmentRow, fields_of
from readdo.lifecycle.advance import Move, Refused, advance_all, create
from readdo.lifecycle.assignment import ASSIGNMENT, SKIPPED
from readdo.lifecycle.write import Busy, Write, WriteRefused, put_new
from readdo.store.table import DynamoTable
from readdo.web.errors import invalid

ASSIGNMENTS_MAX = 1000  # of one request
ID_TAKEN = "ID_TAKEN"
_WRITES_MAX = 80  # of one transaction, which may have 100
_TRIES = 32


@dataclass
class NewAssignment:
    place: int  # in the request
    checked: CheckedAssignment
    sequence: str
    row: AssignmentRow | None = None  # as stored
    is_new: bool = False
    is_taken: bool = False

    @property
    def body(self) -> str:
        return _body(self.checked)

    @property
    def fingerprint(self) -> str:
        return digest(self.body)


@dataclass
class Created:
    assignments: list[AssignmentRow] = field(default_factory=list)  # in the order of the request
    errors: list[dict[str, Any]] = field(default_factory=list)  # ids that are taken
    has_new: bool = False


def _body(checked: CheckedAssignment) -> str:
    return json.dumps(checked.fields, ensure_ascii=False, sort_keys=True)


def check_all(table: DynamoTable, owner: str, raws: Sequence[Any], *, split: bool = False) -> list[CheckedAssignment]:
    """Check each assignment of a request. An id that comes twice must have the same body."""
    checked = [check_assignment(raw, may_split=split) for raw in raws]
    seen: dict[str, CheckedAssignment] = {}
    for one in checked:
        first = seen.setdefault(one.id, one) if one.id else one
        if first is not one and _body(first) != _body(one):
            one.errors.append(("id", f"comes twice in this request, with another body: {one.id}"))
    _check_resumed(table, owner, checked)
    parts = sum(1 for one in checked if not one.errors for _ in split_assignment(one))
    if parts > ASSIGNMENTS_MAX:
        words = f"The split makes {parts:,} assignments, and a request may make at most {ASSIGNMENTS_MAX:,}."
        raise invalid(f"{words} Send fewer at once.")
    return checked


def _check_resumed(table: DynamoTable, owner: str, checked: Sequence[CheckedAssignment]) -> None:
    names = list(dict.fromkeys(one.fields["resumes"] for one in checked if "resumes" in one.fields))
    skipped = {row["id"] for row in _stored(table, owner, names).values() if row["status"] == SKIPPED}
    for one in checked:
        if one.fields.get("resumes") not in (None, *skipped):
            one.errors.append(("resumes", "must be the id of a skipped assignment of yours"))


def create_all(
    table: DynamoTable, owner: str, checked: Sequence[CheckedAssignment], at: str, new_id: Callable[[int], str]
) -> Created:
    """Store the parts of all, or nothing of a single one whose id is taken.

    `new_id`: an id for an assignment without one, by its place in the request.
    """
    parts: list[NewAssignment] = []
    for place, one in enumerate(checked):
        one.id = one.id or new_id(place)
        for part in split_assignment(one):
            sequence = f"{at}-{len(parts):05d}-{digest(part.id)[:8]}"
            parts.append(NewAssignment(place, part, sequence))
    unique = _first_of_each_id(parts)
    if len(checked) == 1 and len(unique) > 1:
        _look_up(table, owner, unique)
        if any(part.is_taken for part in unique):
            return _answer(parts)
    for group in _groups(unique):
        _store(table, owner, group, at)
    return _answer(parts)


def _first_of_each_id(parts: Sequence[NewAssignment]) -> list[NewAssignment]:
    first: dict[str, NewAssignment] = {}
    for part in parts:
        first.setdefault(part.checked.id, part)
    return list(first.values())


def _answer(parts: Sequence[NewAssignment]) -> Created:
    created = Created()
    first: dict[str, NewAssignment] = {}
    for part in parts:
        same_id = first.setdefault(part.checked.id, part)
        if same_id.is_taken or same_id.row is None or same_id.fingerprint != part.fingerprint:
            words = taken_words(part.checked.id)
            created.errors.append({"index": part.place, "id": part.checked.id, "code": ID_TAKEN, "message": words})
        else:
            created.assignments.append(same_id.row)
            created.has_new |= same_id.is_new
    return created


def taken_words(name: str) -> str:
    return f"The id {name} belongs to another assignment. Use a new id, or send the same body."


def _groups(parts: Sequence[NewAssignment]) -> Iterator[list[NewAssignment]]:
    """Groups whose writes fit into one transaction: up to three rows each, documents, and counters."""
    group: list[NewAssignment] = []
    paths: set[str] = set()
    for part in parts:
        wider = paths | set(part.checked.documents)
        if group and 3 * len(group) + 3 + min(16, len(group) + 1) + len(wider) + min(16, len(wider)) > _WRITES_MAX:
            yield group
            group, wider = [], set(part.checked.documents)
        group, paths = [*group, part], wider
    if group:
        yield group


def _store(table: DynamoTable, owner: str, group: list[NewAssignment], at: str) -> None:
    """Read again if another request stored an id or named a document at the same time."""
    for _ in range(_TRIES):
        _look_up(table, owner, group)
        missing = [part for part in group if part.row is None]
        if not missing:
            return
        try:
            advance_all(table, *_writes(table, owner, missing, at), *schedule_writes(table, owner, at))
        except (Refused, WriteRefused):
            continue
        for part in missing:
            part.is_new = True
        group = missing
    if any(part.row is None for part in group):
        raise Busy("create")


def _look_up(table: DynamoTable, owner: str, parts: Sequence[NewAssignment]) -> None:
    stored = _stored(table, owner, [part.checked.id for part in parts])
    for part in parts:
        row = stored.get(part.checked.id)
        part.row = row
        part.is_taken = row is not None and digest(row["body"]) != part.fingerprint


def _stored(table: DynamoTable, owner: str, names: Sequence[str]) -> dict[str, AssignmentRow]:
    rows: dict[str, AssignmentRow] = {}
    for first in range(0, len(names), 100):
        keys = [collect_keys.assignment_id(owner, name) for name in names[first : first + 100]]
        places = [collect_keys.assignment(owner, row["sequence"]) for row in table.get_all(keys)]
        rows |= {row["id"]: cast("AssignmentRow", row) for row in (table.get_all(places) if places else [])}
    return rows


def _writes(table: DynamoTable, owner: str, parts: Sequence[NewAssignment], at: str) -> list[Move | Write]:
    return creation_writes(table, owner, [_creation(owner, part, at) for part in parts])


def creation_writes(table: DynamoTable, owner: str, creations: Sequence[Move]) -> list[Move | Write]:
    """The created assignments with their ids, the documents that they name, and the figures."""
    ids: list[Write] = []
    counts: list[Write] = []
    named, extra = Counter[str](), Counter[str]()
    resumed: dict[str, Write] = {}
    for created in creations:
        row = cast("AssignmentRow", dict(created.write.row))
        ids.append(put_new(collect_keys.assignment_id(owner, row["id"]), {"sequence": row["sequence"], "owner": owner}))
        counts += ASSIGNMENT_FIGURES.changed(None, created.write.row)
        if skipped := fields_of(row).get("resumes"):
            place = {"id": skipped, "by": row["id"]}
            resumed[skipped] = Write(collect_keys.resumed(owner, skipped), "put", row=place)
        named.update(row["documents"] if row["status"] != SKIPPED else [])
        extra.update(row.get("extras", []))
    documents = read_documents(table, owner, [*named, *extra])
    kinds = (("named", named), ("extra", extra))
    changes = {path: {kind: counted[path] for kind, counted in kinds if path in counted} for path in {**named, **extra}}
    counts += name_documents(owner, documents, changes)
    return [*creations, *ids, *resumed.values(), *merge_counts(counts)]


def _creation(owner: str, part: NewAssignment, at: str) -> Move:
    fields = part.checked.fields
    row: dict[str, Any] = {
        "id": part.checked.id,
        "owner": owner,
        "sequence": part.sequence,
        "created_at": at,
        "body": part.body,
        "documents": part.checked.documents,
        "warnings": part.checked.warnings,
        "attempts": 0,
        "continued": 0,
        **{name: fields[name] for name in ("type", "priority", "target_count", "reason") if name in fields},
    }
    trigger = "create_skipped" if part.checked.status == SKIPPED else "create"
    placed = {**row, **queue_fields(row, ASSIGNMENT.target(trigger))}
    return create(ASSIGNMENT, trigger, collect_keys.assignment(owner, part.sequence), placed, who="user", at=at)
