"""The table over DynamoDB with network errors and concurrent writers."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError, ReadTimeoutError

from readdo import runtime
from readdo.lifecycle.advance import Change, Conflict, Forbidden, advance, advance_all, move
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.write import Busy, Compare, Key, OutcomeUnknown, Overloaded, Write, WriteRefused, put_new, same
from readdo.store.table import DynamoTable
from support.moto import moto_world

Call = Callable[[], Any]


class Network:
    """Proxy between the store and DynamoDB. `rule` gets every write as a callable."""

    def __init__(self, real: Any) -> None:
        self._real, self.rule, self.calls = real, lambda call: call(), 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._real, name)
        if name not in ("update_item", "put_item", "delete_item", "transact_write_items", "batch_get_item"):
            return method

        def intercept(**parameters: Any) -> Any:
            self.calls += 1
            return self.rule(lambda: method(**parameters))

        return intercept


@pytest.fixture(scope="module")
def name() -> Iterator[str]:
    with moto_world() as world:
        yield world.table.name


@pytest.fixture
def network(name: str, monkeypatch: pytest.MonkeyPatch) -> Network:
    assert name
    proxy = Network(runtime.client("dynamodb"))
    monkeypatch.setattr("readdo.store.table.client", lambda _: proxy)
    return proxy


@pytest.fixture
def pauses() -> list[float]:
    return []


@pytest.fixture
def table(name: str, network: Network, pauses: list[float]) -> DynamoTable:
    assert network.calls == 0
    return DynamoTable(name, pause=pauses.append)


_keys = (Key("O#me", f"I#{n}") for n in range(10**6))


def item(table: DynamoTable, status: str = "READY") -> Key:
    key = next(_keys)
    table.write(Write(key, "put", row={"status": status, "version": 1, "history": [], "updated_at": "then"}))
    return key


def ship(key: Key) -> Any:
    return move(ITEM, "ship", key, who="user", at="now")


def error(code: str, reasons: list[str] | None = None) -> ClientError:
    response: dict[str, Any] = {"Error": {"Code": code, "Message": code}}
    if reasons:
        response["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    return ClientError(response, "TransactWriteItems")


LOST_RESPONSES = [
    ReadTimeoutError(endpoint_url="https://dynamodb"),
    ConnectionClosedError(endpoint_url="https://dynamodb"),
    error("InternalServerError"),
    error("ServiceUnavailable"),
]
NEVER_SENT = EndpointConnectionError(endpoint_url="https://dynamodb")


def succeed_then_raise(failure: Exception) -> Callable[[Call], Any]:
    def rule(call: Call) -> Any:
        call()
        raise failure

    return rule


def raise_without_writing(failure: Exception) -> Callable[[Call], Any]:
    def rule(_: Call) -> Any:
        raise failure

    return rule


@pytest.mark.parametrize("lost", LOST_RESPONSES, ids=[type(e).__name__ for e in LOST_RESPONSES])
def test_write_with_a_lost_response_is_read_back(table: DynamoTable, network: Network, lost: Exception) -> None:
    key = item(table)
    network.rule = succeed_then_raise(lost)
    assert advance(table, ship(key))["status"] == "SHIPPED"
    assert table.get(key) is not None
    assert [entry["to"] for entry in (table.get(key) or {})["history"]] == ["SHIPPED"]


@pytest.mark.parametrize(
    "lost", [*LOST_RESPONSES, NEVER_SENT], ids=[*(type(e).__name__ for e in LOST_RESPONSES), "never sent"]
)
def test_failed_write_has_an_unknown_outcome(table: DynamoTable, network: Network, lost: Exception) -> None:
    key = item(table)
    before = table.get(key)
    network.rule = raise_without_writing(lost)
    with pytest.raises(OutcomeUnknown):
        advance(table, ship(key))
    assert table.get(key) == before


def test_write_of_another_caller_is_not_taken_as_own(table: DynamoTable, network: Network) -> None:
    key = item(table)
    advance(table, ship(key))
    network.rule = raise_without_writing(LOST_RESPONSES[0])
    with pytest.raises(OutcomeUnknown):
        advance(table, ship(key))


def test_write_repeated_by_the_sdk_succeeds(table: DynamoTable, network: Network) -> None:
    def call_twice(call: Call) -> Any:
        call()
        return call()

    key = item(table)
    network.rule = call_twice
    row = advance(table, ship(key))
    assert (row["status"], row["version"], len(row["history"])) == ("SHIPPED", 2, 1)
    other = item_without_rule(table, network, call_twice)
    advance_all(table, ship(other), put_new(Key("O#me", f"beside-{other.sk}"), {"a": 1}))
    assert (table.get(other) or {})["version"] == 2


def item_without_rule(table: DynamoTable, network: Network, rule: Callable[[Call], Any]) -> Key:
    network.rule = lambda call: call()
    key = item(table)
    network.rule = rule
    return key


def test_transaction_with_a_lost_response_is_read_back(table: DynamoTable, network: Network) -> None:
    key, beside = item(table), next(_keys)
    network.rule = succeed_then_raise(LOST_RESPONSES[0])
    advance_all(table, put_new(beside, {"a": 1}), ship(key))
    assert (table.get(key) or {})["status"] == "SHIPPED"
    assert (table.get(beside) or {})["a"] == 1


def test_failed_transaction_has_an_unknown_outcome(table: DynamoTable, network: Network) -> None:
    key, beside = item(table), next(_keys)
    network.rule = raise_without_writing(LOST_RESPONSES[0])
    with pytest.raises(OutcomeUnknown):
        advance_all(table, put_new(beside, {"a": 1}), ship(key))
    assert (table.get(key) or {})["status"] == "READY"
    assert table.get(beside) is None


CONFLICTS = [
    error("TransactionCanceledException", ["None", "TransactionConflict"]),
    error("TransactionConflictException"),
    error("TransactionInProgressException"),
    error("TransactionCanceledException", ["None", "ThrottlingError"]),
    error("TransactionCanceledException", ["ProvisionedThroughputExceeded", "None"]),
    error("ThrottlingException"),
    error("ProvisionedThroughputExceededException"),
]
CONFLICT_NAMES = ["in a transaction", "with one", "of itself", "throttled", "no capacity", "throttle", "capacity"]


@pytest.mark.parametrize("conflict", CONFLICTS, ids=CONFLICT_NAMES)
def test_conflicting_write_is_retried_after_a_pause(
    table: DynamoTable, network: Network, pauses: list[float], conflict: Exception
) -> None:
    key = item(table)
    failures = iter([conflict, conflict])

    def rule(call: Call) -> Any:
        for failure in failures:
            raise failure
        return call()

    network.rule = rule
    advance_all(table, put_new(next(_keys), {}), ship(key))
    assert (table.get(key) or {})["status"] == "SHIPPED"
    assert len(pauses) == 2
    assert all(pause >= 0 for pause in pauses)


@pytest.mark.parametrize("conflict", CONFLICTS, ids=CONFLICT_NAMES)
def test_permanent_conflict_raises_busy(
    table: DynamoTable, network: Network, pauses: list[float], conflict: ClientError
) -> None:
    key = item(table)
    before = table.get(key)
    network.rule = raise_without_writing(conflict)
    with pytest.raises(Busy) as busy:
        advance(table, ship(key))
    assert (busy.type is Overloaded) == any(word in str(conflict.response) for word in ("Thrott", "Provisioned"))
    assert table.get(key) == before
    assert 3 <= len(pauses) <= 10
    assert sum(pauses) < 10


def test_unprocessed_keys_are_read_after_a_pause(table: DynamoTable, network: Network, pauses: list[float]) -> None:
    keys = [item(table) for _ in range(3)]

    def process_one(call: Call) -> Any:
        network.rule = lambda call: call()
        answer = call()
        first, *others = answer["Responses"][table.name]
        unprocessed = [{"pk": row["pk"], "sk": row["sk"]} for row in others]
        return {"Responses": {table.name: [first]}, "UnprocessedKeys": {table.name: {"Keys": unprocessed}}}

    network.rule = process_one
    assert sorted(row["sk"] for row in table.get_all(keys)) == sorted(key.sk for key in keys)
    assert len(pauses) == 1


def test_refused_transaction_names_its_first_refused_write(table: DynamoTable) -> None:
    there, item_key = next(_keys), item(table, "ARCHIVED")
    table.write(put_new(there, {"owner": "first"}))
    with pytest.raises(WriteRefused) as refused:
        advance_all(table, put_new(next(_keys), {}), put_new(there, {"owner": "second"}), ship(item_key))
    assert refused.value.old is not None
    assert (refused.value.write.key, refused.value.old["owner"]) == (there, "first")
    with pytest.raises(Forbidden) as forbidden:
        advance_all(table, put_new(next(_keys), {}), ship(item_key))
    assert forbidden.value.status == "ARCHIVED"


def test_refused_transaction_writes_nothing(table: DynamoTable) -> None:
    key, beside = item(table, "ARCHIVED"), next(_keys)
    with pytest.raises(Forbidden):
        advance_all(table, put_new(beside, {}), ship(key))
    assert table.get(beside) is None


def test_unmet_condition_of_the_caller_is_a_conflict(table: DynamoTable) -> None:
    key = item(table)
    change = Change(condition=same("version", "seen"), params={"seen": 7})
    with pytest.raises(Conflict):
        advance(table, move(ITEM, "ship", key, who="user", at="now", change=change))


def test_other_error_is_raised_without_retry(table: DynamoTable, network: Network) -> None:
    key = item(table)
    network.calls = 0
    network.rule = raise_without_writing(error("AccessDeniedException"))
    with pytest.raises(ClientError):
        advance(table, ship(key))
    assert network.calls == 1


def test_values_are_stored_unchanged(table: DynamoTable) -> None:
    values = {
        "a": 1,
        "b": 91.5,
        "c": 0.1,
        "d": [1, 2.5, {"e": None}],
        "f": True,
        "g": "字\x00",
        "h": {},
        "i": [],
        "j": "",
    }
    key = next(_keys)
    table.write(Write(key, "put", row=values))
    row = table.get(key)
    assert row == {**values, **key._asdict()}
    assert [type(row[name]) for name in ("a", "b", "f")] == [int, float, bool]


def test_text_is_never_parsed_as_an_expression(table: DynamoTable) -> None:
    key, text = next(_keys), "#status = :v0 OR attribute_exists(pk)"
    table.write(Write(key, "put", row={"name": text}))
    table.write(Write(key, sets={"name": text + text}, condition=Compare("name", "=", text)))
    assert (table.get(key) or {})["name"] == text + text
