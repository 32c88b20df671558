"""A write with a lost response is not made twice and not mistaken for another caller's."""

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


class LossyTable(MemoryTable):
    """Table that makes every write and loses the response.

    With `sent_again` the write is repeated, as the SDK does; otherwise the outcome is unknown.
    """

    def __init__(self, *, sent_again: bool) -> None:
        super().__init__()
        self.sent_again = sent_again

    def _lose(self, make_write: Callable[[], Any]) -> Any:
        make_write()
        if self.sent_again:
            return make_write()
        raise OutcomeUnknown("no answer")

    def write(self, write: Write) -> dict[str, Any]:
        write_once = super().write
        return self._lose(lambda: write_once(write))

    def transact(self, writes: Sequence[Write]) -> None:
        transact_once = super().transact
        self._lose(lambda: transact_once(writes))


@pytest.mark.parametrize("sent_again", [True, False])
def test_move_with_a_lost_response_is_made_once(sent_again: bool) -> None:
    table = LossyTable(sent_again=sent_again)
    table.rows[KEY] = {"status": "READY", "version": 3, "history": []}
    after = advance(table, move(ITEM, "ship", KEY, who="user", at="now"))
    assert (after["status"], after["version"], len(after["history"])) == ("SHIPPED", 4, 1)
    assert table.rows[KEY] == after


@pytest.mark.parametrize("sent_again", [True, False])
def test_transaction_with_a_lost_response_is_made_once(sent_again: bool) -> None:
    table = LossyTable(sent_again=sent_again)
    advance_all(table, put_new(RECORD, {"answer": "1"}), create(ITEM, "capture", KEY, {}, who="user", at="now"))
    assert table.rows[KEY]["status"] == "CAPTURED"
    assert RECORD in table.rows


def test_write_of_another_caller_is_refused() -> None:
    table = MemoryTable()
    advance_all(table, put_new(RECORD, {}), create(ITEM, "capture", KEY, {}, who="user", at="now"))
    with pytest.raises(WriteRefused):
        advance_all(table, put_new(RECORD, {}), create(ITEM, "capture", KEY, {}, who="user", at="now"))
    with pytest.raises(Forbidden):
        advance(table, create(ITEM, "capture", KEY, {}, who="user", at="now"))


def test_capture_with_a_lost_response_keeps_its_text(on_moto: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """DynamoDB makes the transaction, the response is lost, and the SDK's retry gets "in progress"."""
    real, lost = client("dynamodb").transact_write_items, ["once"]

    def lose_first_response(**parameters: Any) -> Any:
        response = real(**parameters)
        if lost:
            lost.clear()
            error_response = {"Error": {"Code": "TransactionInProgressException", "Message": ""}}
            raise ClientError(error_response, "TransactWriteItems")
        return response

    monkeypatch.setattr(client("dynamodb"), "transact_write_items", lose_first_response)
    item_id = on_moto.capture(capture_id="7d0c9f0e-5a0f-4d52-9b43-0a8f8ad1c009")
    assert on_moto.settled(item_id)["status"] == "READY"
