"""Hostile forms at the page's door: whatever is sent, the answer is in words, and nothing changes that was refused."""

import base64
from typing import Any
from urllib.parse import urlencode

import pytest
from hostile import NO_TEXT

from support.reader import HOST, OURS, Page, Reader
from support.sample_run import SampleRun
from support.world import World

TEXTS = (
    *(
        "",
        "\0中文",
        "\u202e反了",
        "👩‍👩‍👧‍👦" * 50,
        "e" + "\u0301" * 2000,
        "<script>alert(1)</script>",
        "%ff%fe",
        "../../x",
    ),
    *("-1", "9" * 5000, "٣", "NaN", "https://[", "http://a:b@c", "//evil.example"),
)
NO_TASK = "00000000-0000-4000-8000-000000000000"
HUGE = "字" * 410_000
FIELDS = {
    "/my/enter": ("token", "next"),
    "/my/capture": ("source", "intent_text", "title", "content", "language", "capture_id", "small", "rests", "url"),
    "/my/settings": ("language", "theme", "profile", "back"),
    "/my/settings/tokens": ("name", "scopes", "days"),
    "/my/settings/tokens/{x}/revoke": ("back",),
    "/my/items/{id}/do/export": ("formats", "theme", "layout", "back"),
    "/my/items/{id}/do/{x}": ("back",),
    "/my/items/{id}/change/words": ("intent_text", "title", "language", "profile", "version"),
    "/my/items/{id}/change/paste": ("content", "version"),
    "/my/items/{id}/change/summary": ("bullets", "insight", "version"),
    "/my/items/{id}/change/todos": ("title0", "eta0", "type0", "why0", "priority0", "tags0", "version"),
    "/my/items/{id}/change/card": ("headline", "points", "insight", "action", "hashtags", "caption", "version"),
    "/my/items/{id}/change/{x}": ("version",),
    "/my/items/{id}/unedit/{x}": ("version",),
    "/my/items/{id}/todos/1/accept": ("version",),
    "/my/tasks": ("intent", "title", "priority", "project", "due_date", "payload", "hold"),
    **{
        f"/my/tasks/{NO_TASK}/do/{name}": ("reason", "run", "regardless", "back")
        for name in ("claim", "complete", "block", "{x}")
    },
}
MULTIPART = "multipart/form-data; boundary=x"
BODIES = (
    *("a=1&" * 10_000, "&" * 100_000, "=" * 100_000, ";" * 50_000, "%" * 100_000, "a" * 5_000_001),
    *("--x\r\nContent-Disposition: form-data; name=source\r\n\r\nhi\r\n--x--", "--x", "--x\r\n\r\n", '{"source": "x"}'),
    *("\0" * 1000, "intent_text=" + "%00" * 500, "version=" + "9" * 4000, "__proto__=1&constructor=2"),
)
ORIGINS = (
    "",
    "null",
    "https://",
    "https://evil.example",
    f"https://{HOST}.evil.example",
    f"https://{HOST}@x",
    "字",
    "http://[",
    "a" * 9000,
)


class Door:
    """An item behind it, to which nothing may happen by a form that was refused."""

    def __init__(self, world: World, sample: SampleRun) -> None:
        self.world = world
        self.id = sample.copied(world.table, world.owner)

    def send(self, path: str, body: str, **headers: str) -> Page:
        before = self.world.row(self.id)
        answer = Reader(self.world).ask("POST", path.format(id=self.id, x="x"), body, **{**OURS, **headers})
        assert answer.status < 500, (path, body[:80])
        if answer.status >= 400:
            assert answer.words('[role="alert"]'), (path, body[:80])
            assert self.world.row(self.id) == before, (path, body[:80])
        assert "<script>alert" not in answer.text
        return answer


@pytest.fixture
def door(still: World, sample: SampleRun) -> Door:
    return Door(still, sample)


@pytest.mark.parametrize("path", FIELDS)
def test_any_text_in_any_field(door: Door, path: str) -> None:
    good = {"source": "https://example.org/a", "intent_text": "why not", "version": "1"}
    known = {name: text for name, text in good.items() if name in FIELDS[path]}
    for text in TEXTS:
        door.send(path, urlencode({**known, **dict.fromkeys(FIELDS[path], text)}))
    for field, text in zip(FIELDS[path], TEXTS, strict=False):
        door.send(path, urlencode({**known, field: text}))
    door.send(path, urlencode({**known, FIELDS[path][0]: HUGE}))


@pytest.mark.parametrize("path", ["/my/capture", "/my/settings/tokens", "/my/items/{id}/change/todos"])
def test_any_body(door: Door, path: str) -> None:
    for body in BODIES:
        door.send(path, body)
    for kind in (MULTIPART, "application/json", ""):
        door.send(path, BODIES[-1], content_type=kind)


@pytest.mark.parametrize("path", FIELDS)
def test_a_form_of_another_place_does_nothing(door: Door, path: str) -> None:
    before = door.world.row(door.id)
    for origin in ORIGINS:
        answer = door.send(path, "source=https://example.org/foreign&intent_text=why+not", origin=origin)
        assert answer.status == 403, origin[:80]
    assert door.world.row(door.id) == before


@pytest.mark.parametrize("body", [*NO_TEXT, None, ""])
def test_bytes_that_are_no_text(door: Door, monkeypatch: pytest.MonkeyPatch, body: Any) -> None:
    """As the gateway hands them on: base64 of anything, or what is none."""
    monkeypatch.setattr(base64, "b64encode", lambda _: (body or "").encode("utf-8"))
    for path in ("/my/capture", "/my/items/{id}/change/todos"):
        door.send(path, "")
