"""Concurrent changes of webhooks: none is overwritten, the limit holds, and no change is lost."""

import copy

import pytest

from readdo import clock
from readdo.integrations import integration_keys
from readdo.integrations.webhooks import subscriptions
from readdo.lifecycle.advance import Refused
from support.hook_rows import ASKED, COUNTED, HOOK, SECRET, hook
from support.races import T0, T1, T2, Raced

URL = "https://example.org/a"
TAKEN, FREE = "01HOOK", "02HOOK"


def set_next_ids(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Set the next generated ids."""
    remaining = iter(names)
    monkeypatch.setattr(clock, "new_id", lambda _: next(remaining))


def test_webhook_beyond_the_limit_is_refused() -> None:
    table = Raced()
    for _ in range(subscriptions.HOOKS_MAX):
        subscriptions.add(table, ASKED, URL, ("*",), T1)
    before = copy.deepcopy(table.rows)
    with pytest.raises(subscriptions.TooMany):
        subscriptions.add(table, ASKED, URL, ("READY",), T2)
    assert table.rows == before
    assert (table.rows[COUNTED]["webhooks"], len(subscriptions.list_webhooks(table, "me"))) == (10, 10)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count_before", "count_after"),
    [(None, 1), (1, 2), (9, 10)],
    ids=["the first", "the second", "the last that there is room for"],
)
def test_webhook_within_the_limit_is_added_and_counted(count_before: int | None, count_after: int) -> None:
    table = Raced()
    if count_before:
        table.has(COUNTED, {"webhooks": count_before})
    webhook, secret = subscriptions.add(table, ASKED, URL, ("*",), T1)
    assert table.rows[COUNTED]["webhooks"] == count_after
    assert table.rows[integration_keys.webhook("me", webhook["id"])]["url"] == URL
    assert table.rows[integration_keys.webhook_secret("me", webhook["id"])]["secret"] == secret


def test_new_webhook_does_not_overwrite_a_tombstone(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Raced()
    table.has(HOOK, {"deleted_at": T0, "expires": 1})
    before = copy.deepcopy(table.rows)
    set_next_ids(monkeypatch, TAKEN)
    with pytest.raises(Refused):
        subscriptions.add(table, ASKED, URL, ("*",), T1)
    assert table.rows == before


def test_new_secret_does_not_overwrite_another(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Raced()
    table.has(SECRET, {"secret": "他人的"})
    set_next_ids(monkeypatch, TAKEN, FREE)
    webhook, _ = subscriptions.add(table, ASKED, URL, ("*",), T1)
    assert (webhook["id"], table.rows[SECRET]["secret"]) == (FREE, "他人的")
    assert HOOK not in table.rows


def test_concurrent_changes_are_both_kept(table: Raced) -> None:
    table.after_read(HOOK, lambda: subscriptions.change(table, ASKED, "01HOOK", {"events": ["READY"]}, T1))
    returned = subscriptions.change(table, ASKED, "01HOOK", {"url": URL}, T2)
    after = table.rows[HOOK]
    assert (after["url"], list(after["wants"])) == (URL, ["READY"])
    assert (returned["url"], returned["events"]) == (URL, ["READY"])


def test_active_excludes_paused_and_disabled_webhooks(table: Raced) -> None:
    for name, status in (("02HOOK", "PAUSED"), ("03HOOK", "DISABLED")):
        table.has(integration_keys.webhook("me", name), hook(status, id=name))
    assert [row["id"] for row in subscriptions.active(table, "me")] == ["01HOOK"]  # type: ignore[arg-type]
