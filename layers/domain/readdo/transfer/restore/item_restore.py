"""Restore one item of a backup: first everything beside its row, the row itself last.

The item is invisible until its row exists, and the row is written only if there is none. An interrupted restore can
therefore run again, and an existing item is never changed.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from readdo import files, schemas
from readdo.clock import digest
from readdo.lifecycle.advance import Move, create
from readdo.lifecycle.item import ITEM, READY, SET
from readdo.lifecycle.write import Table, Write
from readdo.messages import message
from readdo.read import item_keys, item_rows
from readdo.read.artifacts import KINDS
from readdo.read.history import CARRIED_AFTER_FOLDING, CARRIED_MAX
from readdo.read.item_keys import inbox_place, inbox_place_ready
from readdo.read.run_steps import KIND_NAMES
from readdo.render.render_request import CardSource, RenderRequest
from readdo.render.webpage import render_html
from readdo.transfer.restore.backup_lines import StoredArtifact, StoredExport, StoredItem
from readdo.transfer.restore.zip_reader import read_member

WHO = "system:restore"
# An item in progress is restored as CAPTURED, or as READY if it shows results. It does not start automatically.
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
_HISTORY_ROW_ENTRIES = 100
_NOT_COPIED = {"history", "exports", "content", "page", "status", "version", "updated_at"}


class IncompleteItem(Exception):
    """Its message says why the item cannot be restored, without any of the item's content."""


@dataclass(frozen=True)
class RestoreWrites:
    """Writes of an item: `beside` in any order and repeatable, then `last` in one transaction."""

    beside: list[Write]
    last: list[Move | Write]
    guard: tuple[Write, ...] = ()  # a check in each transaction of `beside`


def plan_restore(
    table: Table, owner: str, item: StoredItem, artifacts: Sequence[StoredArtifact], zipped: Any, at: str
) -> RestoreWrites:
    _check(item, artifacts)
    beside = [
        _export(owner, item.id, export, _store_files(owner, item, export, artifacts, zipped)) for export in item.exports
    ]
    text = _text(item, zipped)
    beside += [_artifact(owner, item.id, artifact) for artifact in artifacts]
    older, carried = _history(item)
    for number, entries in enumerate(older):
        aside = item_keys.older_history(owner, item.id, number + 1)
        beside.append(Write(aside, "put", row={"entries": entries}))
    row = _row(owner, item, sum(map(len, older)))
    last: list[Move | Write] = []
    if text is not None:
        row["content_ref"], text_writes = item_rows.keep(owner, item.id, text)
        last += text_writes
    if page := _page(table, owner, item):
        row["page"] = page
        last.append(item_rows.page_taken(owner, page, item.id))
    trigger = f"restore_{_resting_status(item).lower()}"
    past = carried, item.version + 1
    last.append(create(ITEM, trigger, item_keys.item(owner, item.id), row, who=WHO, at=at, past=past))
    return RestoreWrites(beside, last)


def _resting_status(item: StoredItem) -> str:
    resting = RESTS.get(item.status, item.status)
    return READY if item.status in RESTS and item.served_run_id else resting


def _check(item: StoredItem, artifacts: Sequence[StoredArtifact]) -> None:
    """Artifacts must match their schemas, a served set must be complete, and shown edits must exist."""
    for artifact in artifacts:
        if problem := schemas.schema_problem(artifact.artifact_type, artifact.payload):
            raise IncompleteItem(message("restore_line.its_place_wrong", place=problem.partition(":")[0]))
        if artifact.version > item.versions.get(artifact.artifact_type, 0):
            kind = message(KIND_NAMES[artifact.artifact_type])
            raise IncompleteItem(message("restore_line.too_many_versions", kind=kind))
    _check_keys(artifacts)
    served_types = {
        a.artifact_type for a in artifacts if a.created_by == "system" and a.meta["run_id"] == item.served_run_id
    }
    shows_set = item.status in ("READY", "SHIPPED", "FAILED_EXPORT") or item.served_run_id
    if shows_set and not {*SET} <= served_types:
        raise IncompleteItem(message("restore_line.set_incomplete"))
    for edited, version in (item.edited or {}).items():
        if not any(a.artifact_type == edited and a.created_by == "user" and a.version == version for a in artifacts):
            raise IncompleteItem(message("restore_line.edit_missing", kind=message(KIND_NAMES[edited])))
    if _resting_status(item) == READY and (item.priority is None or item.match_score is None):
        raise IncompleteItem(message("restore_line.score_missing"))


def _check_keys(artifacts: Sequence[StoredArtifact]) -> None:
    places = [_key("", "", artifact) for artifact in artifacts]
    if len(places) != len(set(places)):
        raise IncompleteItem(message("restore_line.duplicate_artifact"))


def _key(owner: str, item_id: str, artifact: StoredArtifact) -> Any:
    if artifact.created_by == "user":
        return item_keys.user_artifact(owner, item_id, artifact.artifact_type, artifact.version)
    return item_keys.run_artifact(owner, item_id, artifact.artifact_type, str(artifact.meta["run_id"]))


def _artifact(owner: str, item_id: str, artifact: StoredArtifact) -> Write:
    """The digest in the file's name keeps artifacts of different backups of an item apart."""
    name = digest(json.dumps(artifact.payload, sort_keys=True))
    stored = files.store_json(
        f"artifacts/{owner}/{item_id}/restored/{artifact.artifact_type}-{name}.json", artifact.payload
    )
    fields = artifact.model_dump(include={"version", "created_by", "created_at", "meta"})
    return Write(_key(owner, item_id, artifact), "put", row={"type": artifact.artifact_type, **fields, **stored})


def _store_files(
    owner: str, item: StoredItem, export: StoredExport, artifacts: Sequence[StoredArtifact], zipped: Any
) -> dict[str, Any]:
    """The checksums come from the same zip: they detect damage, but do not authenticate the files."""
    stored: dict[str, Any] = {}
    for form, file in export.files.items():
        body = read_member(zipped, file.path)
        if body is None or files.sha256(body) != file.sha256 or len(body) != file.bytes:
            raise IncompleteItem(message("restore_line.export_file_missing", form=form))
        if form == "html":  # HTML of a backup may contain scripts: it is rendered from the card again
            body = _render_html(item, export, artifacts)
        digest_ = files.sha256(body)
        at = f"exports/{owner}/{item.id}/{digest(export.export_key)}/{digest_[:16]}-{file.name}"
        files.put_once(at, body, TYPES[form], disposition=f'inline; filename="{file.name}"')
        stored[form] = {**file.model_dump(exclude={"path"}), "bytes": len(body), "sha256": digest_, "at": at}
    return stored


def _render_html(item: StoredItem, export: StoredExport, artifacts: Sequence[StoredArtifact]) -> bytes:
    card = next((artifact.payload for artifact in artifacts if _is_card_of(artifact, export)), None)
    if card is None:
        raise IncompleteItem(message("restore.export_card_missing"))
    source = CardSource(item.title or "", item.url or "", item.domain or "", item.intent_text)
    return render_html(RenderRequest(card, source, export.theme, export.layout, frozenset(export.formats)))


def _is_card_of(artifact: StoredArtifact, export: StoredExport) -> bool:
    if artifact.artifact_type != "card" or artifact.created_by != export.card_by:
        return False
    by_user = artifact.created_by == "user"
    return artifact.version == export.card_version if by_user else artifact.meta["run_id"] == export.card_run


def _export(owner: str, item_id: str, export: StoredExport, stored_files: dict[str, Any]) -> Write:
    row = {
        **export.model_dump(exclude={"files"}),
        "owner": owner,
        "item": item_id,
        "key_digest": digest(export.export_key),
        "files": stored_files,
        "status": "DONE",
        **{"epoch": 1, "restarts": 0, "attempts": 0, "updated_at": export.done_at},
    }
    row["history"] = [entry.model_dump(exclude_none=True) for entry in export.history]
    return Write(item_keys.export(owner, item_id, export.export_key), "put", row=row)


def _text(item: StoredItem, zipped: Any) -> str | None:
    if item.content is None:
        return None
    body = read_member(zipped, item.content, TEXT_MAX)
    if body is None:
        raise IncompleteItem(message("restore_line.text_missing"))
    return body.decode("utf-8", "replace")


def _history(item: StoredItem) -> tuple[list[list[dict[str, Any]]], list[dict[str, Any]]]:
    """Older entries for separate rows, and the newest for the item's row, as history.fold leaves them."""
    entries = [entry.model_dump(exclude_none=True) for entry in item.history]
    carried = entries if len(entries) < CARRIED_MAX else entries[-CARRIED_AFTER_FOLDING:]
    older = entries[: len(entries) - len(carried)]
    return [older[n : n + _HISTORY_ROW_ENTRIES] for n in range(0, len(older), _HISTORY_ROW_ENTRIES)], carried


def _page(table: Table, owner: str, item: StoredItem) -> str:
    """The digest of the item's page, or "" if another item has the page."""
    if item.url is None or item.page is None:
        return ""
    page = item_rows.page_digest(item.url)
    return page if item_rows.item_of_page(table, owner, page) is None else ""


def _row(owner: str, item: StoredItem, folded: int) -> dict[str, Any]:
    fields = item.model_dump(exclude=_NOT_COPIED, exclude_none=True)
    if "match_score" in fields:
        fields["match_score"] = round(fields["match_score"], 1)
    if "failure" in fields and not _resting_status(item).startswith("FAILED"):
        del fields["failure"]
    versions: dict[str, int] = {str(kind): count for kind, count in item.versions.items()}
    counts = {**dict.fromkeys((*KINDS, "export"), 0), **versions}
    index = _index_place(item)
    return {**fields, **AFRESH, "versions": counts, "owner": owner, **index, **({"folded": folded} if folded else {})}


def _index_place(item: StoredItem) -> dict[str, str]:
    rests = _resting_status(item)
    if rests == READY:
        return inbox_place_ready(str(item.priority), float(item.match_score or 0), item.id)
    if item.archive_reason == "SYSTEM_SKIP" and item.match_score is not None:
        return inbox_place_ready("SKIP", item.match_score, item.id)
    return inbox_place(rests, item.id)
