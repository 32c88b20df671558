"""Existing rows are not overwritten: tokens, idempotency records and provider states."""

import pytest

from readdo import clock
from readdo.engine import breaker, budget
from readdo.lifecycle.write import Key, Write, WriteRefused
from readdo.store import idempotency, keys, tokens
from support.memory import MemoryTable

T0, T1 = "2026-11-18T10:00:00.000Z", "2026-11-18T10:00:20.000Z"


def test_idempotency_record_is_replaced_only_by_its_expected_answer() -> None:
    table = MemoryTable()
    table.write(idempotency.record("me", "capture", "k", "print", {"item": "1"}, T0, kept=True))
    with pytest.raises(WriteRefused):
        table.write(idempotency.record("me", "capture", "k", "print", {"item": "2"}, T1, kept=True))
    replaced = {"item": "0"}
    with pytest.raises(WriteRefused):
        table.write(
            idempotency.record("me", "capture", "k", "print", {"item": "2"}, T1, kept=True, instead_of=replaced)
        )
    replaced = {"item": "1"}
    table.write(idempotency.record("me", "capture", "k", "print", {"item": "2"}, T1, kept=True, instead_of=replaced))
    assert idempotency.first_answer(table, "me", "capture", "k", "print", T1) == {"item": "2"}


@pytest.mark.parametrize("write_index", [0, 1])
def test_token_does_not_overwrite_another(write_index: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readdo.store.tokens.secrets.token_urlsafe", lambda _: "random")
    table = MemoryTable()
    taken_key: Key = tokens.new("me", "mine").writes[write_index].key
    table.write(Write(taken_key, "put", row={"owner": "another", "name": "他人的"}))
    with pytest.raises(WriteRefused):
        tokens.issue(table, "me", "mine")
    assert [row["owner"] for row in table.rows.values()] == ["another"]


class RepeatingTable(MemoryTable):
    """Table that makes every write twice, as the SDK does after a lost response."""

    def write(self, write: Write) -> dict[str, object]:
        super().write(write)
        return super().write(write)


def test_repeated_budget_write_counts_once() -> None:
    table = RepeatingTable()
    first = budget.reserve(table, "me", 100, 1000)
    assert budget.used_today(table, "me") == 100
    budget.settle(table, first, 30)
    assert budget.used_today(table, "me") == 30


class ConcurrentFailure(MemoryTable):
    """Table in which another call records its failure between the first read and the write."""

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, object] | None:
        row_seen = super().get(key, consistent=consistent)
        if row_seen is None:
            row = {"status": "WELL", "version": 1, "failed_at": [T0], "pause": 30}
            self.rows[key] = {"pk": key.pk, "sk": key.sk, **row}
        return row_seen


def test_breaker_counts_two_concurrent_first_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: T1)
    table = ConcurrentFailure()
    breaker.failed(table, breaker.Pass("p"))
    assert table.rows[keys.provider("p")]["failed_at"] == [T0, T1]
