"""What is there is not written over: a token, a key's answer, what a provider was seen to do."""

import pytest

from readdo import clock
from readdo.engine import breaker, budget
from readdo.lifecycle.write import Key, Write, WriteRefused
from readdo.store import idempotency, keys, tokens
from support.memory import MemoryTable

T0, T1 = "2026-11-18T10:00:00.000Z", "2026-11-18T10:00:20.000Z"


def test_an_answer_that_leads_nowhere_any_more_makes_room_for_another() -> None:
    table = MemoryTable()
    table.write(idempotency.record("me", "capture", "k", "print", {"item": "1"}, T0, kept=True))
    with pytest.raises(WriteRefused):
        table.write(idempotency.record("me", "capture", "k", "print", {"item": "2"}, T1, kept=True))
    gone = {"item": "0"}
    with pytest.raises(WriteRefused):
        table.write(idempotency.record("me", "capture", "k", "print", {"item": "2"}, T1, kept=True, instead_of=gone))
    gone = {"item": "1"}
    table.write(idempotency.record("me", "capture", "k", "print", {"item": "2"}, T1, kept=True, instead_of=gone))
    assert idempotency.first_answer(table, "me", "capture", "k", "print", T1) == {"item": "2"}


@pytest.mark.parametrize("place", [0, 1])
def test_a_token_is_never_written_over_anothers(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readdo.store.tokens.secrets.token_urlsafe", lambda _: "drawn")
    table = MemoryTable()
    taken: Key = tokens.new("me", "mine").writes[place].key
    table.write(Write(taken, "put", row={"owner": "another", "name": "他人的"}))
    with pytest.raises(WriteRefused):
        tokens.issue(table, "me", "mine")
    assert [row["owner"] for row in table.rows.values()] == ["another"]


class SentTwice(MemoryTable):
    """Every write is made, and sent again, since its answer is lost on the way."""

    def write(self, write: Write) -> dict[str, object]:
        super().write(write)
        return super().write(write)


def test_what_is_counted_twice_by_one_write_counts_once_where_there_is_room_for_both() -> None:
    table = SentTwice()
    first = budget.reserve(table, "me", 100, 1000)
    assert budget.used_today(table, "me") == 100
    budget.settle(table, first, 30)
    assert budget.used_today(table, "me") == 30


class Told(MemoryTable):
    """Between the first look and what follows from it, another tells of its failure."""

    def get(self, key: Key, *, consistent: bool = True) -> dict[str, object] | None:
        seen = super().get(key, consistent=consistent)
        if seen is None:
            row = {"status": "WELL", "version": 1, "failed_at": [T0], "pause": 30}
            self.rows[key] = {"pk": key.pk, "sk": key.sk, **row}
        return seen


def test_of_two_first_failures_at_once_both_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: T1)
    table = Told()
    breaker.failed(table, breaker.Pass("p"))
    assert table.rows[keys.provider("p")]["failed_at"] == [T0, T1]
