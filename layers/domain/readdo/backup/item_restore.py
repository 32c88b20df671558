"""One item of a backup, back into the table and the bucket: what lies beside it first, its own row last.

Nobody sees anything of it until its row is there, and that row is written only where there is none. So whoever was
broken off does it all again, and an item that lives is never touched.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readdo import files, schemas
from readdo.backup.lines import StoredArtifact, StoredExport, StoredItem
from readdo.backup.zip_reader import whole
from readdo.ids import digest
from readdo.lifecycle.advance import Move, create
from readdo.lifecycle.item import ITEM, READY, SET
from readdo.lifecycle.write import Table, Write
from readdo.messages import message
from readdo.read import item_rows
from readdo.read.steps import KIND_NAMES
from readdo.render.render_request import CardSource, RenderRequest
from readdo.render.webpage import render_html
from readdo.store import keys, texts
from readdo.store.artifacts import KINDS
from readdo.store.history import CARRIED_AFTER_FOLDING, CARRIED_MAX
from readdo.store.inbox import place, place_ready

WHO = "system:restore"
# What was under way rests: at what was shown, or as it was captured. Nothing of it starts by itself.
RESTS = {"QUEUED": "CAPTURED", "PROCESSING": "CAPTURED"}
AFRESH = {"lease_epoch": 0, "reclaims": 0, "made": {}}
TYPES = {
    "png": "image/png",
    "md": "text/markdown; charset=utf-8",
    "caption": "text/plain; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
}
TEXT_MAX = 2_000_000
_ASIDE = 100  # entries of history in a row


class IncompleteItem(Exception):
    """Its text says why the item cannot be brought back, and nothing of what it holds."""


@dataclass(frozen=True)
class RestoreWrites:
    """What is to be written of an item: beside it, in any order and as often as need be; and then at once with it."""

    beside: list[Write]
    last: list[Move | Write]


def plan_restore(
    table: Table, owner: str, item: StoredItem, made: Sequence[StoredArtifact], zipped: Any, at: str
) -> RestoreWrites:
    _judge(item, made)
    beside = [_export(owner, item.id, export, _files_of(owner, item, export, made, zipped)) for export in item.exports]
    text = _text(item, zipped)
    beside += [_artifact(owner, item.id, artifact) for artifact in made]
    older, carried = _history(item)
    for number, entries in enumerate(older):
        aside = keys.older_history(owner, item.id, number + 1)
        beside.append(Write(aside, "put", row={"entries": entries}))
    row = _row(owner, item, sum(map(len, older)))
    last: list[Move | Write] = []
    if text is not None:
        row["content_ref"], kept = texts.keep(owner, item.id, text)
        last += kept
    if page := _page(table, owner, item):
        row["page"] = page
        last.append(item_rows.page_taken(owner, page, item.id))
    trigger = f"restore_{_rests(item).lower()}"
    past = carried, item.version + 1
    last.append(create(ITEM, trigger, keys.item(owner, item.id), row, who=WHO, at=at, past=past))
    return RestoreWrites(beside, last)


def _rests(item: StoredItem) -> str:
    resting = RESTS.get(item.status, item.status)
    return READY if item.status in RESTS and item.served_run_id else resting


def _judge(item: StoredItem, made: Sequence[StoredArtifact]) -> None:
    """Every artifact by its schema; a set that is served must be whole, and what is shown must be there."""
    for artifact in made:
        if wrong := schemas.problem(artifact.artifact_type, artifact.payload):
            raise IncompleteItem(message("restore_line.its_place_wrong", place=wrong.partition(":")[0]))
        if artifact.version > item.versions.get(artifact.artifact_type, 0):
            kind = message(KIND_NAMES[artifact.artifact_type])
            raise IncompleteItem(message("restore_line.too_many_versions", kind=kind))
    _judge_places(made)
    served = {a.artifact_type for a in made if a.created_by == "system" and a.meta["run_id"] == item.served_run_id}
    shown = item.status in ("READY", "SHIPPED", "FAILED_EXPORT") or item.served_run_id
    if shown and not {*SET} <= served:
        raise IncompleteItem(message("restore_line.set_incomplete"))
    for edited, version in (item.edited or {}).items():
        if not any(a.artifact_type == edited and a.created_by == "user" and a.version == version for a in made):
            raise IncompleteItem(message("restore_line.edit_missing", kind=message(KIND_NAMES[edited])))
    if _rests(item) == READY and (item.priority is None or item.match_score is None):
        raise IncompleteItem(message("restore_line.score_missing"))


def _judge_places(made: Sequence[StoredArtifact]) -> None:
    places = [_place("", "", artifact) for artifact in made]
    if len(places) != len(set(places)):
        raise IncompleteItem(message("restore_line.duplicate_artifact"))


def _place(owner: str, item_id: str, artifact: StoredArtifact) -> Any:
    if artifact.created_by == "user":
        return keys.of_user(owner, item_id, artifact.artifact_type, artifact.version)
    return keys.of_run(owner, item_id, artifact.artifact_type, str(artifact.meta["run_id"]))


def _artifact(owner: str, item_id: str, artifact: StoredArtifact) -> Write:
    """A long text's name is of what it says: another backup's of the same item goes beside it."""
    name = digest(json.dumps(artifact.payload, sort_keys=True))
    kept = files.keep_json(
        f"artifacts/{owner}/{item_id}/restored/{artifact.artifact_type}-{name}.json", artifact.payload
    )
    told = artifact.model_dump(include={"version", "created_by", "created_at", "meta"})
    return Write(_place(owner, item_id, artifact), "put", row={"type": artifact.artifact_type, **told, **kept})


def _files_of(
    owner: str, item: StoredItem, export: StoredExport, made: Sequence[StoredArtifact], zipped: Any
) -> dict[str, Any]:
    """The checksums come from the same zip: they find damage, and prove nothing about who wrote a file."""
    kept: dict[str, Any] = {}
    for form, file in export.files.items():
        body = whole(zipped, file.path)
        if body is None or files.sha256(body) != file.sha256 or len(body) != file.bytes:
            raise IncompleteItem(message("restore_line.export_file_missing", form=form))
        if form == "html":  # another's page could hold any script: it is rendered from the card again
            body = _rendered(item, export, made)
        digest_ = files.sha256(body)
        at = f"exports/{owner}/{item.id}/{digest(export.export_key)}/{digest_[:16]}-{file.name}"
        files.put_once(at, body, TYPES[form], disposition=f'inline; filename="{file.name}"')
        kept[form] = {**file.model_dump(exclude={"path"}), "bytes": len(body), "sha256": digest_, "at": at}
    return kept


def _rendered(item: StoredItem, export: StoredExport, made: Sequence[StoredArtifact]) -> bytes:
    card = next((artifact.payload for artifact in made if _is_card_of(artifact, export)), None)
    if card is None:
        raise IncompleteItem(message("restore.export_card_missing"))
    source = CardSource(item.title or "", item.url or "", item.domain or "", item.intent_text)
    return render_html(RenderRequest(card, source, export.theme, export.layout, frozenset(export.formats)))


def _is_card_of(artifact: StoredArtifact, export: StoredExport) -> bool:
    if artifact.artifact_type != "card" or artifact.created_by != export.card_by:
        return False
    by_user = artifact.created_by == "user"
    return artifact.version == export.card_version if by_user else artifact.meta["run_id"] == export.card_run


def _export(owner: str, item_id: str, export: StoredExport, kept: dict[str, Any]) -> Write:
    known = {
        **export.model_dump(exclude={"files"}),
        "owner": owner,
        "item": item_id,
        "key_digest": digest(export.export_key),
        "files": kept,
        "status": "DONE",
        **{"epoch": 1, "restarts": 0, "attempts": 0, "updated_at": export.done_at},
    }
    known["history"] = [entry.model_dump(exclude_none=True) for entry in export.history]
    return Write(keys.export(owner, item_id, export.export_key), "put", row=known)


def _text(item: StoredItem, zipped: Any) -> str | None:
    if item.content is None:
        return None
    body = whole(zipped, item.content, TEXT_MAX)
    if body is None:
        raise IncompleteItem(message("restore_line.text_missing"))
    return body.decode("utf-8", "replace")


def _history(item: StoredItem) -> tuple[list[list[dict[str, Any]]], list[dict[str, Any]]]:
    """As folding leaves it: the newest in the item, older ones aside."""
    entries = [entry.model_dump(exclude_none=True) for entry in item.history]
    carried = entries if len(entries) < CARRIED_MAX else entries[-CARRIED_AFTER_FOLDING:]
    older = entries[: len(entries) - len(carried)]
    return [older[n : n + _ASIDE] for n in range(0, len(older), _ASIDE)], carried


def _page(table: Table, owner: str, item: StoredItem) -> str:
    """The item of its page, if the page has none by now."""
    if item.url is None or item.page is None:
        return ""
    page = item_rows.page_digest(item.url)
    return page if item_rows.item_of_page(table, owner, page) is None else ""


_NOT_KEPT = {"history", "exports", "content", "page", "status", "version", "updated_at"}


def _row(owner: str, item: StoredItem, folded: int) -> dict[str, Any]:
    said = item.model_dump(exclude=_NOT_KEPT, exclude_none=True)
    if "match_score" in said:
        said["match_score"] = round(said["match_score"], 1)
    if "failure" in said and not _rests(item).startswith("FAILED"):
        del said["failure"]
    counted: dict[str, int] = {str(kind): count for kind, count in item.versions.items()}
    counts = {**dict.fromkeys((*KINDS, "export"), 0), **counted}
    stands = _stands(item)
    return {**said, **AFRESH, "versions": counts, "owner": owner, **stands, **({"folded": folded} if folded else {})}


def _stands(item: StoredItem) -> dict[str, str]:
    rests = _rests(item)
    if rests == READY:
        return place_ready(str(item.priority), float(item.match_score or 0), item.id)
    if item.archive_reason == "SYSTEM_SKIP" and item.match_score is not None:
        return place_ready("SKIP", item.match_score, item.id)
    return place(rests, item.id)
