"""Example objects: an English and a Chinese item with exports, imports, webhooks and backups.

The views of the product render them. examples.json contains the output of a real run of the engine.
"""

import json
from pathlib import Path
from typing import Any, cast

from readdo.integrations.rows import DeliveryRow, WebhookRow
from readdo.integrations.webhooks import views as hooks
from readdo.messages import message, stored_fields
from readdo.read import actions, views
from readdo.read.rows import ExportRow, ItemRow
from readdo.store.keys import HistoryEntry
from readdo.transfer.imports import views as import_views
from readdo.transfer.rows import ImportRow

ENGINE_OUTPUT: dict[str, Any] = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))
ITEM_ID, CHINESE_ID = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD", "01KA4ZC5H8N2P4S6T8V0W2X4Y6"
_RUN, _CHINESE_RUN = "01KA4Z8Q2N1A3C5E7G9J2M4P6R", "01KA4ZC5H9B1D3F5H7K9N2Q4S6"
BACKUP_ID, RESTORE_ID = "01KA50AB3C4D5E6F7G8H9J0K1M", "01KA50CD5E6F7G8H9J0K1M2N3P"
_AT = "2026-11-18T09:30:{}Z"
EXPORT_KEY = "first"
WEBHOOK_ID, DELIVERY_ID = "01KA4ZD0H8N2P4S6T8V0W2X4Y6", "01KA4ZD7Q2M6V3T9R5W7X1Y0BC"
IMPORT_ID = "01KA50B3C4D5E6F7G8H9J0K1M2"
_SUPPORTED = {"summary": {"extraction": 1}, "score": {"extraction": 1, "summary": 1}}
_SUPPORTED |= {"todos": {"summary": 1, "score": 1}, "card": {"summary": 1, "score": 1, "todos": 1}}
_TEMPLATES = {"extraction": "extraction.v1", "summary": "summary.engineer.v1", "score": "score.v1"}
_TEMPLATES |= {"todos": "todos.v1", "card": "card.v1"}


def row(language: str, status: str, version: int, **more: Any) -> ItemRow:
    """An item as stored in the database."""
    capture = ENGINE_OUTPUT[language]["capture"]
    copied = {name: capture[name] for name in ("title", "url", "intent_text")}
    fields = {
        "id": ITEM_ID if language == "en" else CHINESE_ID,
        "status": status,
        "version": version,
        "created_at": _AT.format("00.120"),
        "updated_at": _AT.format(f"0{min(version, 9)}.480"),
        **copied,
        "domain": "example.com",
        "source_type": "web",
        "profile": "engineer",
        "attempts": 0,
        **more,
    }
    return cast("ItemRow", fields)


def read(language: str, status: str = "READY", version: int = 9, **more: Any) -> ItemRow:
    """An item as stored, with the fields of its score."""
    score, run = ENGINE_OUTPUT[language]["score"], _RUN if language == "en" else _CHINESE_RUN
    scored = {"priority": score["priority"], "match_score": score["match_score"], "first_reason": score["reasons"][0]}
    return row(
        language,
        status,
        version,
        **scored,
        more_reasons=len(score["reasons"]) - 1,
        **{"served_run_id": run, "run_id": run, **more},
    )


def artifact(language: str, kind: str) -> dict[str, Any]:
    origin = {"created_at": _AT.format("05.480"), "created_by": "system"}
    engine = "readings.1" if kind == "extraction" else "extractive.4"
    meta: dict[str, Any] = {"run_id": _RUN if language == "en" else _CHINESE_RUN, "engine_version": engine}
    meta |= {"template_version": _TEMPLATES[kind], **origin, "input_hash": "5e0b0fe9e6a61796f51f8476dba2dc7d"}
    meta |= {"upstream_versions": _SUPPORTED[kind]} if kind in _SUPPORTED else {}
    return {"artifact_type": kind, "version": 1, **origin, "meta": meta, "payload": ENGINE_OUTPUT[language][kind]}


def edited(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
    before = artifact("zh", kind)
    origin = {"created_at": _AT.format("50.010"), "created_by": "user"}
    meta = {**before["meta"], **origin, "edited_version": 1}
    return {**before, **origin, "version": 2, "meta": meta, "payload": payload}


def export(status: str) -> dict[str, Any]:
    done = {"renderer": {"name": "readdo-typst", "version": "3+typst-0.15.0"}, "done_at": _AT.format("21.730")}
    name = {"created_at": _AT.format("21.730"), "bytes": 128_417, "sha256": "3f" * 32, "name": "card.png"}
    fields = {
        "item": ITEM_ID,
        "export_key": EXPORT_KEY,
        "status": status,
        "artifact_version": 1,
        "card_run": _RUN,
        "card_version": 1,
        "theme": "LIGHT",
        "layout": "CARD_4x5_V1",
        "formats": ["png", "md", "caption"],
        "created_at": _AT.format("20.010"),
        "files": {"png": name} if status == "DONE" else {},
        **(done if status == "DONE" else {}),
    }
    return views.export(cast("ExportRow", fields))


def import_row(status: str, **more: Any) -> ImportRow:
    """An import as stored in the database."""
    counts = dict.fromkeys(("lines", "captured", "joined", "duplicate", "archived", "bad"), 0)
    fields = {
        "id": IMPORT_ID,
        "owner": "me",
        "status": status,
        "version": 1,
        "created_at": _AT.format("30.500"),
        "updated_at": _AT.format("30.500"),
        "filename": "part_000000.csv",
        "size": 48_211,
        "process": True,
        "profile": "engineer",
        "in_flight": [],
        **more,
        "counts": {**counts, **more.get("counts", {})},
    }
    return cast("ImportRow", fields)


def import_answer(status: str, **more: Any) -> dict[str, Any]:
    row = import_row(status, **more)
    answer = {"import": import_views.view(row), "available_actions": import_views.available(row)}
    link = "https://bucket.example/imports/…?X-Amz-Expires=900&…"
    upload = {"method": "PUT", "url": link, "headers": {"Content-Type": "application/octet-stream"}}
    return answer | ({"upload": upload} if status == "WAITING" else {})


def detail(language: str) -> dict[str, Any]:
    item = read(language)
    kinds = ("extraction", "summary", "score", "todos", "card")
    return {
        "item": views.item(item),
        "artifacts": {kind: artifact(language, kind) for kind in kinds},
        "exports": [],
        "available_actions": actions.available(item),
    }


def failed() -> dict[str, Any]:
    """A page that could not be fetched, with its history."""
    words = message("fetch.timeout", site="example.com")
    failure = {
        "failed_step": "extract",
        "error_code": "EXTRACTION_FETCH_FAILED",
        "message": str(words),
        "retryable": True,
    }
    failure |= stored_fields(words)
    failure |= {"attempts": 1, "last_attempt_at": _AT.format("12.000"), "next_retry_at": _AT.format("42.000")}
    item = row("zh", "FAILED_EXTRACTION", 4, run_id=_CHINESE_RUN, failure=failure, attempts=1)
    moves = [("user", "capture", "CAPTURED"), ("system:http_api", "enqueue", "QUEUED")]
    moves += [("system:lease", "lease", "PROCESSING"), ("system:record_failure", "fail_extraction", item["status"])]
    entries: list[HistoryEntry] = [
        {"at": _AT.format(f"0{n}.120"), "by": by, "what": what, "to": to} for n, (by, what, to) in enumerate(moves)
    ]
    for entry in entries[1:]:
        entry["run"] = _CHINESE_RUN
    answer = {"item": views.item(item), "artifacts": {}, "exports": [], "failure": failure}
    return {**answer, "available_actions": actions.available(item), "history": views.history(entries)}


def webhook(status: str = "ACTIVE") -> dict[str, Any]:
    row = {"id": WEBHOOK_ID, "url": "https://hooks.example.com/readdo", "status": status, "misses": 0}
    row |= {"created_at": _AT.format("40.000"), "updated_at": _AT.format("40.000")}
    wants = {"READY": _AT.format("40.000"), "SHIPPED": _AT.format("40.000")}
    return hooks.webhook(cast("WebhookRow", {**row, "wants": wants}))


def delivery(status: str) -> dict[str, Any]:
    at, waits = _AT.format("50.000"), status == "WAITING"
    attempt = {"at": _AT.format("50.210"), "status": 204, "message": "hooks.example.com answered 204."}
    row = {"id": DELIVERY_ID, "event": "item.ready", "status": status, "item": ITEM_ID, "created_at": at, "tries": 1}
    row |= {"attempts": [] if waits else [attempt], "expires_at": "2026-12-18T09:30:50.000Z"}
    return hooks.delivery(cast("DeliveryRow", row | ({"due_at": "2026-11-18T09:31:50.000Z"} if waits else {})))


def backup(status: str, **more: Any) -> dict[str, Any]:
    """The response for a backup."""
    row = {"id": BACKUP_ID, "status": status, "created_at": _AT.format("40.120"), "so_far": {"items": 214}}
    return {"backup": views.backup({**row, **more})}


def backup_done() -> dict[str, Any]:
    ends = {"done_at": _AT.format("52.310"), "expires_at": "2026-11-25T09:30:52.310Z"}
    return backup("DONE", **ends, file={"at": "", "bytes": 4_812_044, "sha256": "9f2c" * 16})


def restore(status: str, **more: Any) -> dict[str, Any]:
    """The response for a restore."""
    counts = {"lines": 214, "restored": 211, "known": 2, "refused": 1}
    words = message("restore_line.not_restored", why=message("restore_line.text_missing"))
    reports = [{"item": ITEM_ID, "message": str(words), **stored_fields(words)}]
    so_far = {**counts, "told": reports} if status == "DONE" else {**dict.fromkeys(counts, 0), "told": []}
    row = {"id": RESTORE_ID, "status": status, "created_at": _AT.format("50.120"), "so_far": so_far}
    return {"restore": views.restore({**row, "expires_at": "2026-11-19T09:30:50.120Z", **more})}
