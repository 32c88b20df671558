"""Hostile forms: the page answers with a message, and a refused form changes nothing."""

import base64
from typing import Any
from urllib.parse import urlencode

import pytest

from fuzz.hostile import NO_TEXT
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


class Target:
    """Pages in front of an item that a refused form must not change."""

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
def target(idle_world: World, sample: SampleRun) -> Target:
    return Target(idle_world, sample)


@pytest.mark.parametrize("path", FIELDS)
def test_any_text_in_any_field_is_answered(target: Target, path: str) -> None:
    good = {"source": "https://example.org/a", "intent_text": "why not", "version": "1"}
    valid = {name: text for name, text in good.items() if name in FIELDS[path]}
    for text in TEXTS:
        target.send(path, urlencode({**valid, **dict.fromkeys(FIELDS[path], text)}))
    for field, text in zip(FIELDS[path], TEXTS, strict=False):
        target.send(path, urlencode({**valid, field: text}))
    target.send(path, urlencode({**valid, FIELDS[path][0]: HUGE}))


@pytest.mark.parametrize("path", ["/my/capture", "/my/settings/tokens", "/my/items/{id}/change/todos"])
def test_any_body_is_answered(target: Target, path: str) -> None:
    for body in BODIES:
        target.send(path, body)
    for kind in (MULTIPART, "application/json", ""):
        target.send(path, BODIES[-1], content_type=kind)


@pytest.mark.parametrize("path", FIELDS)
def test_form_from_another_origin_changes_nothing(target: Target, path: str) -> None:
    before = target.world.row(target.id)
    for origin in ORIGINS:
        answer = target.send(path, "source=https://example.org/foreign&intent_text=why+not", origin=origin)
        assert answer.status == 403, origin[:80]
    assert target.world.row(target.id) == before


@pytest.mark.parametrize("body", [*NO_TEXT, None, ""])
def test_body_that_is_not_utf8_is_answered(target: Target, monkeypatch: pytest.MonkeyPatch, body: Any) -> None:
    """The gateway sends base64 of any bytes; the test also sends invalid base64."""
    monkeypatch.setattr(base64, "b64encode", lambda _: (body or "").encode("utf-8"))
    for path in ("/my/capture", "/my/items/{id}/change/todos"):
        target.send(path, "")
