"""Webhooks that are added and changed at once: none is written over, none too many, no change is lost."""

import copy

import pytest

from readdo import ids
from readdo.lifecycle.advance import Refused
from readdo.store import keys
from readdo.webhooks import subscriptions
from support.hook_rows import ASKED, COUNTED, HOOK, SECRET, hook
from support.races import T0, T1, T2, Raced

URL = "https://example.org/a"
TAKEN, FREE = "01HOOK", "02HOOK"


def drawn(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """The next names that are drawn by chance."""
    left = iter(names)
    monkeypatch.setattr(ids, "new", lambda _: next(left))


def test_the_eleventh_webhook_is_not_added() -> None:
    table = Raced()
    for _ in range(subscriptions.HOOKS_MAX):
        subscriptions.add(table, ASKED, URL, ("*",), T1)
    before = copy.deepcopy(table.rows)
    with pytest.raises(subscriptions.TooMany):
        subscriptions.add(table, ASKED, URL, ("READY",), T2)
    assert table.rows == before
    assert (table.rows[COUNTED]["webhooks"], len(subscriptions.list_webhooks(table, "me"))) == (10, 10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("there", "after"), [(None, 1), (1, 2), (9, 10)], ids=["the first", "the second", "the last that there is room for"]
)
def test_a_webhook_there_is_room_for_is_added_and_counted(there: int | None, after: int) -> None:
    table = Raced()
    if there:
        table.has(COUNTED, {"webhooks": there})
    shown, secret = subscriptions.add(table, ASKED, URL, ("*",), T1)
    assert table.rows[COUNTED]["webhooks"] == after
    assert table.rows[keys.webhook("me", shown["id"])]["url"] == URL
    assert table.rows[keys.webhook_secret("me", shown["id"])]["secret"] == secret


def test_a_new_webhook_is_not_written_over_what_a_removed_one_left(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Raced()
    table.has(HOOK, {"deleted_at": T0, "expires": 1})
    before = copy.deepcopy(table.rows)
    drawn(monkeypatch, TAKEN)
    with pytest.raises(Refused):
        subscriptions.add(table, ASKED, URL, ("*",), T1)
    assert table.rows == before


def test_a_secret_is_not_written_over_anothers(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Raced()
    table.has(SECRET, {"secret": "他人的"})
    drawn(monkeypatch, TAKEN, FREE)
    shown, _ = subscriptions.add(table, ASKED, URL, ("*",), T1)
    assert (shown["id"], table.rows[SECRET]["secret"]) == (FREE, "他人的")
    assert HOOK not in table.rows


def test_of_two_changes_at_once_neither_is_lost(table: Raced) -> None:
    table.after_a_look(HOOK, lambda: subscriptions.change(table, ASKED, "01HOOK", {"events": ["READY"]}, T1))
    told = subscriptions.change(table, ASKED, "01HOOK", {"url": URL}, T2)
    after = table.rows[HOOK]
    assert (after["url"], list(after["wants"])) == (URL, ["READY"])
    assert (told["url"], told["events"]) == (URL, ["READY"])


def test_one_that_is_paused_or_disabled_is_not_among_those_that_are_told(table: Raced) -> None:
    for name, status in (("02HOOK", "PAUSED"), ("03HOOK", "DISABLED")):
        table.has(keys.webhook("me", name), hook(status, id=name))
    assert [row["id"] for row in subscriptions.active(table, "me")] == ["01HOOK"]  # type: ignore[arg-type]
