"""Examples of requests and responses for each call."""

from typing import Any

from readdo.api.registry import to_api_error
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.item import ITEM
from readdo.messages import message, stored_fields
from readdo.read import views
from readdo.read.rows import ItemRow

from .desk_description import Named
from .desks import DESKS
from .examples import (
    CHINESE_ID,
    ENGINE_OUTPUT,
    EXPORT_KEY,
    ITEM_ID,
    artifact,
    backup,
    backup_done,
    delivery,
    detail,
    edited,
    export,
    failed,
    import_answer,
    read,
    restore,
    row,
    webhook,
)

_TOKEN = {"id": "a6c3dcc80bbd", "name": "laptop", "scopes": ["read", "write"]}
_TOKEN |= {"created_at": "2026-11-18T09:30:00.000Z", "expires_at": "2027-11-18T09:30:00.000Z"}
_CARD = {name: value for name, value in ENGINE_OUTPUT["zh"]["card"].items() if name != "render_spec"}
_CARD = {**_CARD, "headline": "别忘了栅栏令牌：给每次写入加上编号"}
_RENDER_SPEC = ENGINE_OUTPUT["zh"]["card"]["render_spec"]
_CONTENT = {name: _CARD[name] for name in ("headline", "points", "insight", "action")}
_EDITED_CARD = {
    **_CARD,
    "render_spec": {**_RENDER_SPEC, "payload": {**_RENDER_SPEC["payload"], "content": _CONTENT}},
}

REQUESTS: dict[str, Named] = {
    "capture": {
        "a link": {"url": "https://example.com/leases", "intent_text": "Make our job queue safe against two workers"},
        "a text": ENGINE_OUTPUT["en"]["capture"],
        "中文文本": ENGINE_OUTPUT["zh"]["capture"],
    },
    "patchItem": {
        "another intent": {"intent_text": "Decide whether we need fencing tokens", "profile": "manager"},
        "修改意图": {"intent_text": "判断我们是否需要栅栏令牌", "language": "zh-CN"},
    },
    "processItem": {
        "start": {"mode": "PROCESS"},
        "again, for a manager": {"mode": "REGENERATE", "options": {"template_profile": "manager"}},
    },
    "keepItem": {"empty body": {}},
    "shipItem": {"empty body": {}},
    "archiveItem": {"by the user": {"reason": "USER_ARCHIVE"}},
    "unarchiveItem": {"process again": {"regenerate": True}},
    "batch": {"archive two items": {"ids": [ITEM_ID, CHINESE_ID], "action": "archive"}},
    "editArtifact": {"a card in Chinese": _CARD, "todos": ENGINE_OUTPUT["en"]["todos"]},
    "exportItem": {
        "default formats": {"export_key": EXPORT_KEY},
        "dark, square, PNG and PDF": {
            "export_key": "dark-square",
            "formats": ["png", "pdf"],
            "options": {"theme": "DARK", "layout": "CARD_1x1_V1"},
        },
    },
    "addWebhook": {
        "ready and failed items": {"url": "https://hooks.example.com/readdo", "events": ["READY", "FAILED_*"]},
        "all events": {"url": "https://hooks.example.com/readdo"},
    },
    "patchWebhook": {"pause": {"paused": True}, "fewer events": {"events": ["SHIPPED"]}},
    "testWebhook": {"empty body": {}},
    "redeliver": {"empty body": {}},
    **{name: examples for desk in DESKS for name, examples in desk.requests.items()},
    "importFile": {
        "a Pocket export": {"filename": "part_000000.csv", "size": 48_211},
        "先收藏，暂不处理": {
            "filename": "书签.html",
            "size": 9_120,
            "process": False,
            "intent_text": "找能用在课上的例子",
        },
    },
    **{f"{verb}Import": {"empty body": {}} for verb in ("start", "pause", "resume", "cancel")},
    "offerRestore": {"a file": {"size": 4_812_044, "sha256": "9f2c" * 16}},
    "startRestore": {"empty body": {}},
    "makeToken": {"for a script": {"name": "laptop", "scopes": ["read", "write"], "days": 90}},
}


def _item(stored: ItemRow) -> dict[str, Any]:
    return {"item": views.item(stored)}


def _batch() -> dict[str, Any]:
    refused = Forbidden(ITEM, "archive", {"id": CHINESE_ID, "status": "ARCHIVED"})
    error = to_api_error(refused)
    done = {"id": ITEM_ID, "ok": True, **_item(read("en", "ARCHIVED", 10, archive_reason="USER_ARCHIVE"))}
    return {"results": [done, {"id": CHINESE_ID, "ok": False, **(error.body if error else {})}]}


_JOINED = row(
    "en", "CAPTURED", 2, intents=[ENGINE_OUTPUT["en"]["capture"]["intent_text"], "For Monday's talk"], save_count=2
)
_QUEUED = {"run_id": read("en")["run_id"]}
_FILE: dict[str, Any] = {"kind": "pocket", "intent_text": "Saved earlier: see what to do with it", "pages": 3}
_RUNNING = {
    **_FILE,
    "version": 9,
    "in_flight": [ITEM_ID, CHINESE_ID],
    "counts": {"lines": 212, "captured": 80, "bad": 1},
}
_BAD_LINE = message("import_line.wrong_scheme", scheme="javascript")
_LINES = [
    {"line": 1, "result": "captured", "item": ITEM_ID, "url": "https://example.com/leases", "title": "Fencing tokens"},
    {
        "line": 2,
        "result": "bad",
        "url": "javascript:void(0)",
        "place": "line 3",
        "words": str(_BAD_LINE),
        **stored_fields(_BAD_LINE),
    },
]
ANSWERS: dict[tuple[str, int], Named] = {
    ("capture", 201): {"a new item": _item(row("en", "CAPTURED", 1)), "新的条目": _item(row("zh", "CAPTURED", 1))},
    ("capture", 200): {
        "already saved": {**_item(_JOINED), "joined": True},
        "same key": _item(row("en", "CAPTURED", 1)),
    },
    ("listItems", 200): {
        "two items": {"items": [views.listed(read("en")), views.listed(read("zh"))], "next_cursor": None}
    },
    ("getItem", 200): {"ready": detail("en"), "in Chinese": detail("zh"), "failed, with history": failed()},
    ("patchItem", 200): {"changed": _item(read("en", version=10))},
    ("processItem", 202): {"queued": _item(row("en", "QUEUED", 3, **_QUEUED))},
    ("keepItem", 200): {"earlier results": _item(read("en", version=14))},
    ("shipItem", 200): {"shipped": _item(read("en", "SHIPPED", 10))},
    ("archiveItem", 200): {"archived": _item(read("en", "ARCHIVED", 10, archive_reason="USER_ARCHIVE"))},
    ("unarchiveItem", 200): {"unarchived": _item(read("en", version=11))},
    ("batch", 200): {"one succeeded, one failed": _batch()},
    ("editArtifact", 201): {
        "你的版本": {**_item(read("zh", version=10, edited={"card": 2})), "artifact": edited("card", _EDITED_CARD)}
    },
    ("getVersion", 200): {"a summary": {"artifact": artifact("en", "summary")}},
    ("exportItem", 202): {"running": {**_item(read("en", version=10)), "export": export("RUNNING")}},
    ("exportItem", 200): {"done": {**_item(read("en", "SHIPPED", 11)), "export": export("DONE")}},
    ("getExport", 202): {"running": {**_item(read("en", version=10)), "export": export("RUNNING")}},
    ("getExport", 200): {"done": {**_item(read("en", "SHIPPED", 11)), "export": export("DONE")}},
    ("listWebhooks", 200): {"one webhook": {"webhooks": [webhook()]}},
    ("addWebhook", 201): {"new": {"webhook": {**webhook(), "secret": "rdw_" + "x" * 43}}},
    ("addWebhook", 200): {"already added": {"webhook": webhook()}},
    ("getWebhook", 200): {"one webhook": {"webhook": webhook()}},
    ("patchWebhook", 200): {"paused": {"webhook": webhook("PAUSED")}},
    ("testWebhook", 202): {"waiting": {"delivery": delivery("WAITING")}},
    ("listDeliveries", 200): {"one delivery": {"deliveries": [delivery("DELIVERED")], "next_cursor": None}},
    ("redeliver", 202): {"waiting": {"delivery": delivery("WAITING")}},
    ("exportAll", 202): {"running": backup("RUNNING")},
    ("exportAll", 200): {"a recent backup": backup_done()},
    ("offerRestore", 201): {
        "waiting for the file": {
            **restore("WAITING"),
            "upload": {
                "method": "PUT",
                "url": "https://bucket.example.com/…",
                "headers": {"Content-Length": "4812044"},
            },
        }
    },
    ("startRestore", 202): {"running": restore("RUNNING")},
    ("startRestore", 200): {"already done": restore("DONE", done_at="2026-11-18T09:31:20.000Z")},
    ("listRestores", 200): {"one restore": {"restores": [restore("DONE")["restore"]]}},
    ("getRestore", 202): {"running": restore("RUNNING")},
    ("getRestore", 200): {"done": restore("DONE", done_at="2026-11-18T09:31:20.000Z")},
    ("listBackups", 200): {"one backup": {"backups": [backup_done()["backup"]]}},
    ("getBackup", 202): {"running": backup("RUNNING")},
    ("getBackup", 200): {"done": backup_done()},
    **{call: examples for desk in DESKS for call, examples in desk.responses.items()},
    ("importFile", 202): {"waiting for the file": import_answer("WAITING")},
    ("listImports", 200): {"one import": {"imports": [import_answer("RUNNING", **_RUNNING)["import"]]}},
    ("getImport", 200): {"running": import_answer("RUNNING", **_RUNNING)},
    ("listLines", 200): {"two lines": {"lines": _LINES, "next_cursor": None}},
    ("startImport", 200): {"reading": import_answer("READING", version=2)},
    ("pauseImport", 200): {"paused": import_answer("PAUSED", **_RUNNING)},
    ("resumeImport", 200): {"running": import_answer("RUNNING", **_RUNNING)},
    ("cancelImport", 200): {"cancelled": import_answer("CANCELLED", **_RUNNING)},
    ("listTokens", 200): {"one token": {"tokens": [{**_TOKEN, "current": True}]}},
    ("makeToken", 201): {"new": {"token": {**_TOKEN, "secret": "rdo_" + "x" * 43}}},
    ("makeToken", 200): {"already created": {"token": _TOKEN}},
}
