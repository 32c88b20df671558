"""What a person changes of an item: its own words, and versions of artifacts that stand before the system's."""

from collections.abc import Mapping
from typing import Any

from readdo import schemas
from readdo.errors import BadPayload, FieldProblem, VersionMismatch
from readdo.lifecycle.advance import Change, Forbidden
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.machine import USER
from readdo.lifecycle.write import Write
from readdo.read.item_transactions import Build, Deed, under_the_version
from readdo.store import artifacts, texts
from readdo.store.table import DynamoTable

EDITABLE = ("summary", "todos", "card")
ANY_VERSION = "*"
_NO_QUOTE = "does not occur in the text; quote it word for word, or leave it out"


def patch(wish: Mapping[str, Any], if_match: str) -> Build:
    """The item's own words, from the next run on. An empty one is taken away, unless nothing were left to read."""

    def build(item: dict[str, Any], at: str) -> Deed:
        _allowed("patch", item)
        _as_seen("item", if_match, item["version"])
        given = dict(wish)
        text: tuple[Write, ...] = ()
        if content := given.pop("content", None):
            given["content_ref"], text = texts.keep(item["owner"], item["id"], content)
        elif content == "":
            if "url" not in item:
                words = "is all that there is to read; send another text, or delete the item"
                raise BadPayload({"content": FieldProblem(words, "only_text")})
            given["content_ref"] = ""
        sets = {name: value for name, value in given.items() if value}
        gone = tuple(name for name, value in given.items() if not value)
        return Deed(under_the_version("patch", item, at, Change(sets=sets, removes=gone)), text)

    return build


def edit(table: DynamoTable, kind: str, wish: Mapping[str, Any], if_match: str) -> Build:
    """A new version by the user, of the run that it edits; the system's stays beside it."""

    def build(item: dict[str, Any], at: str) -> Deed:
        _allowed("edit", item)
        before = artifacts.shown(table, item, (kind,)).get(kind)
        if before is None:  # shipped by hand before its first set was whole
            raise Forbidden(ITEM, "edit", item)
        _as_seen(kind, if_match, before["version"])
        payload = _completed(kind, wish, before["payload"])
        _check(table, item, kind, payload, before["meta"]["run_id"])
        number = item["versions"][kind] + 1
        edited = {**item.get("edited", {}), kind: number}
        change = Change(sets={"edited": edited, f"versions.{kind}": number})
        kept = artifacts.write_of_user(item, kind, number, payload, before, at)
        told = {"artifact": artifacts.envelope(dict(kept.row))}
        return Deed(under_the_version("edit", item, at, change), (kept,), told)

    return build


def unedit(kind: str) -> Build:
    """The system's version is shown again; the user's stay readable."""

    def build(item: dict[str, Any], at: str) -> Deed | None:
        edited = {name: number for name, number in item.get("edited", {}).items() if name != kind}
        if kind not in item.get("edited", {}):
            return None
        change = Change(sets={"edited": edited}) if edited else Change(removes=("edited",))
        return Deed(under_the_version("unedit", item, at, change))

    return build


def _completed(kind: str, wish: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """A card says its text twice, for its reader and for its drawing: the second follows from the first."""
    if kind != "card":
        return dict(wish)
    spec = wish.get("render_spec", before["render_spec"])
    if not isinstance(spec, Mapping) or not isinstance(spec.get("payload"), Mapping):
        return dict(wish)  # the schema says what is wrong with it
    content = {name: wish.get(name) for name in ("headline", "points", "insight", "action")}
    return {**wish, "render_spec": {**spec, "payload": {**spec["payload"], "content": content}}}


def _check(table: DynamoTable, item: Mapping[str, Any], kind: str, payload: Mapping[str, Any], run_id: str) -> None:
    wrong = schemas.complaints(kind, payload)
    if not wrong and payload.get("evidence"):
        source = artifacts.of_run(table, item["owner"], item["id"], "extraction", run_id)
        text = source["payload"]["normalized_text"] if source else ""
        wrong = {
            f"evidence.{place}.quote": FieldProblem(_NO_QUOTE, "quote")
            for place, evidence in enumerate(payload["evidence"])
            if evidence["quote"] not in text
        }
    if wrong:
        raise BadPayload(wrong)


def _allowed(trigger: str, item: dict[str, Any]) -> None:
    """The write would say so too; but what is wrong with the state is told before what is wrong with the wish."""
    if trigger not in ITEM.open_to(USER, item):
        raise Forbidden(ITEM, trigger, item)


def _as_seen(what: str, if_match: str, current: int) -> None:
    if if_match not in (ANY_VERSION, str(current)):
        raise VersionMismatch(what, if_match, current)
