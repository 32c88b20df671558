"""A write whose answer was lost is not made twice, and not taken for somebody else's."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from botocore.exceptions import ClientError

from readdo.lifecycle.advance import Forbidden, advance, advance_all, create, move
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Key, OutcomeUnknown, Write, WriteRefused, put_new
from readdo.runtime import client
from support.memory import MemoryTable
from support.world import World

KEY, RECORD = Key("O#me", "I#1"), Key("O#me", "K#1")


class Deaf(MemoryTable):
    """It makes the write, and then the answer is lost: `sent_again` as the SDK does, or never heard."""

    def __init__(self, *, sent_again: bool) -> None:
        super().__init__()
        self.sent_again = sent_again

    def _lose(self, make: Callable[[], Any]) -> Any:
        make()
        if self.sent_again:
            return make()
        raise OutcomeUnknown("no answer")

    def write(self, write: Write) -> dict[str, Any]:
        made = super().write
        return self._lose(lambda: made(write))

    def transact(self, writes: Sequence[Write]) -> None:
        made = super().transact
        self._lose(lambda: made(writes))


@pytest.mark.parametrize("sent_again", [True, False])
def test_a_move_whose_answer_was_lost_is_made(sent_again: bool) -> None:
    table = Deaf(sent_again=sent_again)
    table.rows[KEY] = {"status": "READY", "version": 3, "history": []}
    after = advance(table, move(ITEM, "ship", KEY, who="user", at="now"))
    assert (after["status"], after["version"], len(after["history"])) == ("SHIPPED", 4, 1)
    assert table.rows[KEY] == after


@pytest.mark.parametrize("sent_again", [True, False])
def test_a_transaction_whose_answer_was_lost_is_made(sent_again: bool) -> None:
    table = Deaf(sent_again=sent_again)
    advance_all(table, put_new(RECORD, {"answer": "1"}), create(ITEM, "capture", KEY, {}, who="user", at="now"))
    assert table.rows[KEY]["status"] == "CAPTURED"
    assert RECORD in table.rows


def test_somebody_elses_write_is_not_ours() -> None:
    table = MemoryTable()
    advance_all(table, put_new(RECORD, {}), create(ITEM, "capture", KEY, {}, who="user", at="now"))
    with pytest.raises(WriteRefused):
        advance_all(table, put_new(RECORD, {}), create(ITEM, "capture", KEY, {}, who="user", at="now"))
    with pytest.raises(Forbidden):
        advance(table, create(ITEM, "capture", KEY, {}, who="user", at="now"))


def test_a_capture_whose_answer_was_lost_keeps_its_text(on_moto: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """DynamoDB makes the transaction, the answer is lost, and the SDK is told that it is still in progress."""
    real, lost = client("dynamodb").transact_write_items, ["once"]

    def deaf(**ask: Any) -> Any:
        answer = real(**ask)
        if lost:
            lost.clear()
            told = {"Error": {"Code": "TransactionInProgressException", "Message": ""}}
            raise ClientError(told, "TransactWriteItems")
        return answer

    monkeypatch.setattr(client("dynamodb"), "transact_write_items", deaf)
    item_id = on_moto.capture(capture_id="7d0c9f0e-5a0f-4d52-9b43-0a8f8ad1c009")
    assert on_moto.settled(item_id)["status"] == "READY"
