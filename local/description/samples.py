"""Which example belongs to which call: what is sent, and what comes back."""

from typing import Any

from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.item import ITEM
from readdo.read import views
from readdo.web import errors

from . import work_examples
from .examples import (
    CHINESE_ID,
    EXPORT_KEY,
    ITEM_ID,
    KEPT,
    artifact,
    backup,
    backup_done,
    delivery,
    detail,
    edited,
    export,
    failed,
    importing,
    read,
    restore,
    row,
    webhook,
)

Named = dict[str, Any]
_TOKEN = {"id": "a6c3dcc80bbd", "name": "laptop", "scopes": ["read", "write"]}
_TOKEN |= {"created_at": "2026-11-18T09:30:00.000Z", "expires_at": "2027-11-18T09:30:00.000Z"}
_CARD = {name: value for name, value in KEPT["zh"]["card"].items() if name != "render_spec"}
_CARD = {**_CARD, "headline": "别忘了栅栏令牌：给每次写入加上编号"}
_DRAWN = KEPT["zh"]["card"]["render_spec"]
_CONTENT = {name: _CARD[name] for name in ("headline", "points", "insight", "action")}
_KEPT_CARD = {**_CARD, "render_spec": {**_DRAWN, "payload": {**_DRAWN["payload"], "content": _CONTENT}}}

REQUESTS: dict[str, Named] = {
    "capture": {
        "a link": {"url": "https://example.com/leases", "intent_text": "Make our job queue safe against two workers"},
        "a text": KEPT["en"]["capture"],
        "一段中文": KEPT["zh"]["capture"],
    },
    "patchItem": {
        "another intent": {"intent_text": "Decide whether we need fencing tokens", "profile": "manager"},
        "换一个意图": {"intent_text": "判断我们是否需要栅栏令牌", "language": "zh-CN"},
    },
    "processItem": {
        "start": {"mode": "PROCESS"},
        "again, as a manager": {"mode": "REGENERATE", "options": {"template_profile": "manager"}},
    },
    "keepItem": {"nothing": {}},
    "shipItem": {"nothing": {}},
    "archiveItem": {"as a user": {"reason": "USER_ARCHIVE"}},
    "unarchiveItem": {"read it anew": {"regenerate": True}},
    "batch": {"archive two": {"ids": [ITEM_ID, CHINESE_ID], "action": "archive"}},
    "editArtifact": {"a card, 中文": _CARD, "todos": KEPT["en"]["todos"]},
    "exportItem": {
        "the usual": {"export_key": EXPORT_KEY},
        "dark, square, as PDF too": {
            "export_key": "dark-square",
            "formats": ["png", "pdf"],
            "options": {"theme": "DARK", "layout": "CARD_1x1_V1"},
        },
    },
    "addWebhook": {
        "what can be read": {"url": "https://hooks.example.com/readdo", "events": ["READY", "FAILED_*"]},
        "everything": {"url": "https://hooks.example.com/readdo"},
    },
    "patchWebhook": {"pause": {"paused": True}, "less": {"events": ["SHIPPED"]}},
    "testWebhook": {"nothing": {}},
    "redeliver": {"nothing": {}},
    **work_examples.REQUESTS,
    "importFile": {
        "a part of Pocket's": {"filename": "part_000000.csv", "size": 48_211},
        "只收进来，先不读": {
            "filename": "书签.html",
            "size": 9_120,
            "process": False,
            "intent_text": "找能用在课上的例子",
        },
    },
    **{f"{verb}Import": {"nothing": {}} for verb in ("start", "pause", "resume", "cancel")},
    "offerRestore": {"a file": {"size": 4_812_044, "sha256": "9f2c" * 16}},
    "startRestore": {"nothing": {}},
    "makeToken": {"for a script": {"name": "laptop", "scopes": ["read", "write"], "days": 90}},
}


def _item(found: dict[str, Any]) -> dict[str, Any]:
    return {"item": views.item(found)}


def _batch() -> dict[str, Any]:
    refused = Forbidden(ITEM, "archive", {"id": CHINESE_ID, "status": "ARCHIVED"})
    told = errors.of(refused)
    done = {"id": ITEM_ID, "ok": True, **_item(read("en", "ARCHIVED", 10, archive_reason="USER_ARCHIVE"))}
    return {"results": [done, {"id": CHINESE_ID, "ok": False, **(told.body if told else {})}]}


_JOINED = row("en", "CAPTURED", 2, intents=[KEPT["en"]["capture"]["intent_text"], "For Monday's talk"], save_count=2)
_QUEUED = {"run_id": read("en")["run_id"]}
_READ: dict[str, Any] = {"kind": "pocket", "intent_text": "Saved earlier: see what to do with it", "pages": 3}
_UNDER_WAY = {
    **_READ,
    "version": 9,
    "in_flight": [ITEM_ID, CHINESE_ID],
    "counts": {"lines": 212, "captured": 80, "bad": 1},
}
_LINES = [
    {"line": 1, "result": "captured", "item": ITEM_ID, "url": "https://example.com/leases", "title": "Fencing tokens"},
    {
        "line": 2,
        "result": "bad",
        "url": "javascript:void(0)",
        "place": "line 3",
        "words": "is no link to a page: only http and https can be imported",
    },
]
ANSWERS: dict[tuple[str, int], Named] = {
    ("capture", 201): {"a new item": _item(row("en", "CAPTURED", 1)), "新的一条": _item(row("zh", "CAPTURED", 1))},
    ("capture", 200): {"saved before": {**_item(_JOINED), "joined": True}, "same key": _item(row("en", "CAPTURED", 1))},
    ("listItems", 200): {
        "two items": {"items": [views.listed(read("en")), views.listed(read("zh"))], "next_cursor": None}
    },
    ("getItem", 200): {"ready": detail("en"), "中文": detail("zh"), "failed, with its history": failed()},
    ("patchItem", 200): {"changed": _item(read("en", version=10))},
    ("processItem", 202): {"queued": _item(row("en", "QUEUED", 3, **_QUEUED))},
    ("keepItem", 200): {"as before": _item(read("en", version=14))},
    ("shipItem", 200): {"shipped": _item(read("en", "SHIPPED", 10))},
    ("archiveItem", 200): {"put away": _item(read("en", "ARCHIVED", 10, archive_reason="USER_ARCHIVE"))},
    ("unarchiveItem", 200): {"back": _item(read("en", version=11))},
    ("batch", 200): {"one done, one refused": _batch()},
    ("editArtifact", 201): {
        "你的版本": {**_item(read("zh", version=10, edited={"card": 2})), "artifact": edited("card", _KEPT_CARD)}
    },
    ("getVersion", 200): {"a summary": {"artifact": artifact("en", "summary")}},
    ("exportItem", 202): {"running": {**_item(read("en", version=10)), "export": export("RUNNING")}},
    ("exportItem", 200): {"done": {**_item(read("en", "SHIPPED", 11)), "export": export("DONE")}},
    ("getExport", 202): {"running": {**_item(read("en", version=10)), "export": export("RUNNING")}},
    ("getExport", 200): {"done": {**_item(read("en", "SHIPPED", 11)), "export": export("DONE")}},
    ("listWebhooks", 200): {"one": {"webhooks": [webhook()]}},
    ("addWebhook", 201): {"new": {"webhook": {**webhook(), "secret": "rdw_" + "x" * 43}}},
    ("addWebhook", 200): {"added before": {"webhook": webhook()}},
    ("getWebhook", 200): {"one": {"webhook": webhook()}},
    ("patchWebhook", 200): {"paused": {"webhook": webhook("PAUSED")}},
    ("testWebhook", 202): {"on its way": {"delivery": delivery("WAITING")}},
    ("listDeliveries", 200): {"one": {"deliveries": [delivery("DELIVERED")], "next_cursor": None}},
    ("redeliver", 202): {"once more": {"delivery": delivery("WAITING")}},
    ("exportAll", 202): {"under way": backup("RUNNING")},
    ("exportAll", 200): {"made a moment ago": backup_done()},
    ("offerRestore", 201): {
        "a place for it": {
            **restore("WAITING"),
            "upload": {
                "method": "PUT",
                "url": "https://bucket.example.com/…",
                "headers": {"Content-Length": "4812044"},
            },
        }
    },
    ("startRestore", 202): {"under way": restore("RUNNING")},
    ("startRestore", 200): {"done before": restore("DONE", done_at="2026-11-18T09:31:20.000Z")},
    ("listRestores", 200): {"one": {"restores": [restore("DONE")["restore"]]}},
    ("getRestore", 202): {"under way": restore("RUNNING")},
    ("getRestore", 200): {"done": restore("DONE", done_at="2026-11-18T09:31:20.000Z")},
    ("listBackups", 200): {"one": {"backups": [backup_done()["backup"]]}},
    ("getBackup", 202): {"under way": backup("RUNNING")},
    ("getBackup", 200): {"done": backup_done()},
    **work_examples.ANSWERS,
    ("importFile", 202): {"it waits for its file": importing("WAITING")},
    ("listImports", 200): {"one": {"imports": [importing("RUNNING", **_UNDER_WAY)["import"]]}},
    ("getImport", 200): {"under way": importing("RUNNING", **_UNDER_WAY)},
    ("listLines", 200): {"two": {"lines": _LINES, "next_cursor": None}},
    ("startImport", 200): {"reading": importing("READING", version=2)},
    ("pauseImport", 200): {"paused": importing("PAUSED", **_UNDER_WAY)},
    ("resumeImport", 200): {"under way": importing("RUNNING", **_UNDER_WAY)},
    ("cancelImport", 200): {"cancelled": importing("CANCELLED", **_UNDER_WAY)},
    ("listTokens", 200): {"one": {"tokens": [{**_TOKEN, "current": True}]}},
    ("makeToken", 201): {"new": {"token": {**_TOKEN, "secret": "rdo_" + "x" * 43}}},
    ("makeToken", 200): {"made before": {"token": _TOKEN}},
}
