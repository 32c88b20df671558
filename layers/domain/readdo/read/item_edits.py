"""Edits by a user: the item's own fields, and versions of artifacts that replace the system's."""

from collections.abc import Mapping
from typing import Any, cast

from readdo import schemas
from readdo.errors import BadPayload, FieldProblem, VersionMismatch
from readdo.lifecycle.advance import Change, Forbidden
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import Write
from readdo.read import artifacts, item_rows
from readdo.read.item_transactions import Build, PlannedMove, versioned_move
from readdo.read.rows import ArtifactRow, ItemRow
from readdo.store.table import DynamoTable

EDITABLE = ("summary", "todos", "card")
ANY_VERSION = "*"
_NO_QUOTE = "does not occur in the text; quote it word for word, or leave it out"


def patch(changes: Mapping[str, Any], if_match: str) -> Build:
    """Edit fields for the next run. Empty ones are removed, unless nothing would be left to read."""

    def build(item: ItemRow, at: str) -> PlannedMove:
        _check_allowed("patch", item)
        _check_version("item", if_match, item["version"])
        fields = dict(changes)
        text: tuple[Write, ...] = ()
        if content := fields.pop("content", None):
            fields["content_ref"], text = item_rows.keep(item["owner"], item["id"], content)
        elif content == "":
            if "url" not in item:
                words = "is all that there is to read; send another text, or delete the item"
                raise BadPayload({"content": FieldProblem(words, "only_text")})
            fields["content_ref"] = ""
        sets = {name: value for name, value in fields.items() if value}
        removed = tuple(name for name, value in fields.items() if not value)
        return PlannedMove(versioned_move("patch", item, at, Change(sets=sets, removes=removed)), text)

    return build


def edit(table: DynamoTable, kind: str, new: Mapping[str, Any], if_match: str) -> Build:
    """Store the user's version of an artifact beside the system's version of the same run."""

    def build(item: ItemRow, at: str) -> PlannedMove:
        _check_allowed("edit", item)
        before = artifacts.current_artifacts(table, item, (kind,)).get(kind)
        if before is None:  # shipped by hand before its first results were complete
            raise Forbidden(ITEM, "edit", item)
        _check_version(kind, if_match, before["version"])
        payload = _complete(kind, new, before["payload"])
        _check(table, item, kind, payload, before["meta"]["run_id"])
        number = item["versions"][kind] + 1
        edited = {**item.get("edited", {}), kind: number}
        change = Change(sets={"edited": edited, f"versions.{kind}": number})
        artifact_write = artifacts.write_of_user(item, kind, number, payload, before, at)
        response = {"artifact": artifacts.envelope(cast("ArtifactRow", dict(artifact_write.row)))}
        return PlannedMove(versioned_move("edit", item, at, change), (artifact_write,), response)

    return build


def unedit(kind: str) -> Build:
    """Show the system's version again. The user's versions stay readable."""

    def build(item: ItemRow, at: str) -> PlannedMove | None:
        edited = {name: number for name, number in item.get("edited", {}).items() if name != kind}
        if kind not in item.get("edited", {}):
            return None
        change = Change(sets={"edited": edited}) if edited else Change(removes=("edited",))
        return PlannedMove(versioned_move("unedit", item, at, change))

    return build


def _complete(kind: str, new: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """A card has its text twice: the copy in `render_spec` follows the edited text."""
    if kind != "card":
        return dict(new)
    spec = new.get("render_spec", before["render_spec"])
    if not isinstance(spec, Mapping) or not isinstance(spec.get("payload"), Mapping):
        return dict(new)  # the schema check reports what is wrong
    content = {name: new.get(name) for name in ("headline", "points", "insight", "action")}
    return {**new, "render_spec": {**spec, "payload": {**spec["payload"], "content": content}}}


def _check(table: DynamoTable, item: ItemRow, kind: str, payload: Mapping[str, Any], run_id: str) -> None:
    problems = schemas.field_problems(kind, payload)
    if not problems and payload.get("evidence"):
        source = artifacts.of_run(table, item["owner"], item["id"], "extraction", run_id)
        text = source["payload"]["normalized_text"] if source else ""
        problems = {
            f"evidence.{place}.quote": FieldProblem(_NO_QUOTE, "quote")
            for place, evidence in enumerate(payload["evidence"])
            if evidence["quote"] not in text
        }
    if problems:
        raise BadPayload(problems)


def _check_allowed(trigger: str, item: ItemRow) -> None:
    """The write would refuse it, too, but the state is reported before problems of the payload."""
    if trigger not in ITEM.open_to(USER, item):
        raise Forbidden(ITEM, trigger, item)


def _check_version(what: str, if_match: str, current: int) -> None:
    if if_match not in (ANY_VERSION, str(current)):
        raise VersionMismatch(what, if_match, current)
