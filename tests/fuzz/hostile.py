"""Hostile values: wrong types, invalid bodies, odd keys, paths and cursors."""

import base64
import gzip
import json
from collections.abc import Iterator
from typing import Any

from readdo.api.registry import CALLS, request_models
from readdo.web.call_spec import Call
from readdo.web.request_body import Body

GOOD: dict[str, dict[str, Any]] = {
    "Capture": {"intent_text": "让队列更可靠 safely", "content": "text 文本", "process": False},
    "Patch": {"title": "租约 leases"},
    "Process": {"mode": "PROCESS"},
    "Export": {"export_key": "hostile", "formats": ["md"]},
    "Archive": {},
    "Unarchive": {},
    "Empty": {},
    "Batch": {"ids": ["0" * 26], "action": "archive"},
    "NewToken": {"name": "笔记本 laptop"},
    "NewTask": {"intent": "runQA", "payload": {"分支": "main"}},
    "Claim": {"worker": "笔记本"},
    "Complete": {"exit_code": 0},
    "NewEvidence": {"type": "log", "name": "qa.log", "bytes": 1, "sha256": "0" * 64},
    "Block": {"reason": "等法务 wait"},
    "Requeue": {},
    "AcceptTodo": {"version": 1},
    "NewWebhook": {"url": "https://hooks.example.com/"},
    "WebhookPatch": {"paused": True},
    "Import": {"filename": "list.csv", "size": 10},
    "Restore": {"size": 10, "sha256": "0" * 64},
    "NewJob": {"filename": "小说 novel.txt", "size": 10, "options": {"engine": "rules"}},
    "SkipAssignment": {"reason": "GDC Vault 账号"},
    "NewBatch": {},
    "ExpandSchedule": {"schedule_url": "https://schedule.example.com/"},
    "PutDocument": {"content": "# 标题\n"},
    **{name: {} for name in ("ValidateJob", "StartJob", "PauseJob", "MergeJob", "ResetJob")},
}
_COMBINING = "e" + "\u0301" * 2000
# As JSON text, since no JSON library writes some of these values.
VALUES = (
    *("null", "true", "0", "-1", "1.5", "1e999", "-1e999", "NaN", "Infinity", "9" * 400, "1" + "0" * 5000),
    *(
        '""',
        '" "',
        '"\\u0000"',
        '"\\ud800"',
        '"\\udfff\\ud800"',
        '"\\u202e"',
        '"\\ufeff"',
        '"\\u2028"',
        '"\\u0000中文"',
    ),
    *(
        json.dumps(text)
        for text in ("👩‍👩‍👧‍👦" * 50, _COMBINING, "字" * 500_000, "\u202e反了" * 9, "' OR 1=1 --", "${jndi:x}")
    ),
    *("[]", "{}", "[[]]", '[""]', "[null]", '["\\ud800"]', '{"":""}', '{"__proto__": {}}', '{"$ref": "#"}'),
    *(
        "[" * 900 + "]" * 900,
        '{"a":' * 900 + "1" + "}" * 900,
        "[" + "0," * 10_000 + "0]",
        '["x"' + ',"x"' * 10_000 + "]",
    ),
)
DEEP = 100_000
NO_JSON = (
    *(
        "",
        " ",
        "[",
        "{",
        "nul",
        "'a'",
        '"a',
        "{]",
        "[" * DEEP,
        '{"a":' * DEEP,
        "[" * DEEP + "]" * DEEP,
        "\x00",
        "\ufeff\ufeff{}",
    ),
    *('{"a": 1,}', '{"a" 1}', "{,}", '{"\\x": 1}', '{"a": 01}', "{'a': 1}", '{"a": 1} {"a": 1}', "<xml/>", "a=1&b=2"),
    *('{"intent_text": "\x01"}', "[1, 2]", "5", "true", '"text"', "NaN"),
)
_IN_BYTES = (
    *('{"title": "字"}'.encode(code) for code in ("utf-16", "utf-16-le", "utf-32", "gb18030")),
    *(b"\xff\xfe", b'{"title": "\xff"}', b'{"title": "\xed\xa0\x80"}', b'{"title": "\xc0\x80"}', b"\x80" * 1000),
    gzip.compress(b'{"title": "x"}', mtime=0),
)
NO_TEXT = (*(base64.b64encode(body).decode() for body in _IN_BYTES), "not base64!", "=", "a", "字", "YQ==YQ==")
LETTERS = ('"', "\\", "\x01", " ", "字", "👍", "[", "1")
KEYS = (
    *(
        "a b",
        "a/b",
        "字",
        "\x00",
        "a\n",
        ".",
        "..",
        "...",
        "x" * 129,
        "x" * 100_000,
        "é",
        "'",
        '"',
        "%00",
        "a,b",
        "\u202e",
    ),
    *("👍", "{}", "<b>", "\ud800", "a\tb", "a\\b", "#", "?"),
)
SEGMENTS = (
    *(
        "%00",
        "%2F",
        "%2e%2e",
        "%2e%2e%2fme",
        "%ff",
        "%c0%80",
        "%ed%a0%80",
        "字" * 26,
        "%E5%AD%97",
        "x" * 10_240,
        "*",
        "%0a",
    ),
    *(
        "0" * 25 + "%0A",
        "O%23me",
        "\u202e",
        "👍",
        "%",
        "%zz",
        "'",
        '"',
        "<b>",
        "${x}",
        "{id}",
        "null",
        "-1",
        "1e9",
        "9" * 400,
    ),
)
CURSORS = (
    *("x", "字", "%00", "=", "====", "A" * 100_000, "%ff%fe", "null", "-1", "YWJj", "\u202e"),
    *(
        base64.urlsafe_b64encode(text.encode()).decode()
        for text in (
            f"created_desc I#{'0' * 26} ",
            f"priority_score_desc I#{'0' * 26} 9#999.9#{'0' * 26}",
            f"priority_score_desc O#other {'0' * 26} ",
            "priority_score_desc  ",
            "\x00" * 90,
            "字" * 40,
        )
    ),
)


def taking_a_body() -> list[tuple[Call, type[Body]]]:
    found = [(call, request_models()[call.takes]) for call in CALLS if call.takes in request_models()]
    return [(call, model) for call, model in found if issubclass(model, Body)]


def fields_of(model: type[Body]) -> Iterator[tuple[str, ...]]:
    """Yield the path of every field, also nested: ("options",), ("options", "theme")."""
    for name, field in model.model_fields.items():
        yield (name,)
        inner = field.annotation
        if isinstance(inner, type) and issubclass(inner, Body):
            yield from ((name, *rest) for rest in fields_of(inner))


def with_value(model: type[Body], place: tuple[str, ...], value: str) -> str:
    """Return a valid body with this value at this path."""
    for name in reversed(place[1:]):
        value = f"{{{json.dumps(name)}: {value}}}"
    rest = {name: other for name, other in GOOD[model.__name__].items() if name != place[0]}
    parts = [f"{json.dumps(name)}: {json.dumps(other)}" for name, other in rest.items()]
    return "{" + ", ".join([*parts, f"{json.dumps(place[0])}: {value}"]) + "}"


def limits_of(model: type[Body]) -> Iterator[tuple[str, str, int]]:
    """Yield (field, kind of limit, limit) from the model."""
    for name, schema in model.model_json_schema()["properties"].items():
        for part in (schema, *schema.get("anyOf", ())):
            for kind in ("maxLength", "maxItems", "maximum"):
                if kind in part:
                    yield name, kind, part[kind]


MARK = "here it is"
Place = tuple[str | int, ...]


def places_of(value: Any, above: Place = ()) -> Iterator[Place]:
    """Yield every path of a JSON value; of lists only the first element."""
    if above:
        yield above
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places_of(inner, (*above, name))
    elif isinstance(value, list) and value:
        yield from places_of(value[0], (*above, 0))


def replaced(value: Any, place: Place) -> Any:
    """Return a copy with the mark at this path."""
    if not place:
        return MARK
    first, *rest = place
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[first] = replaced(value[first], tuple(rest))  # type: ignore[index]
    return copy
