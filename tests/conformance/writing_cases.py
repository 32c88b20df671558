"""Cases of writes: put, update, delete, check, and transactions."""

import secrets
from collections.abc import Iterator
from typing import Any
from unittest import mock

from conformance.cases import NO_REQUEST, Case, Place
from readdo.lifecycle.write import Compare, Exists, Missing, Write, put_new, same

VALUES: dict[str, Any] = {
    "no text": "",
    "no entry": {},
    "no element": [],
    "nothing": None,
    "yes": True,
    "no": False,
    "zero": 0,
    "below zero": -7,
    "a large number": 10**15 + 1,
    "a number of 38 digits": 10**38 - 1,
    "a fraction": 0.1,
    "a fraction without one": 2.0,
    "a small fraction": 1e-9,
    "Chinese": "栅栏令牌，第一步",
    "beyond the first plane": "🪡𠮷",
    "a nul and a line": "a\x00b\nc",
    "nested": {"a": [{"b": ["", None, {"c": 0.5}]}], "empty": {}},
    "a long text": "长" * 5000,
}
UPDATES: dict[str, dict[str, Any]] = {
    "sets a name": {"sets": {"b": "new"}},
    "sets in a map": {"sets": {"map.new": 1}},
    "sets over": {"sets": {"a": {"x": 1}}},
    "sets in a map that is missing": {"sets": {"none.new": 1}},
    "sets in what is no map": {"sets": {"a.new": 1}},
    "sets in a list": {"sets": {"list.new": 1}},
    "adds": {"adds": {"n": 5}},
    "takes away": {"adds": {"n": -9}},
    "adds nothing": {"adds": {"n": 0}},
    "adds to what is missing": {"adds": {"none": 3}},
    "adds in a map": {"adds": {"map.n": 3}},
    "adds in a map to what is missing": {"adds": {"map.none": 3}},
    "adds in a map that is missing": {"adds": {"none.n": 3}},
    "adds to a text": {"adds": {"a": 3}},
    "appends": {"appends": {"list": [{"b": 2}, 3]}},
    "appends nothing": {"appends": {"list": []}},
    "appends to what is missing": {"appends": {"none": [1]}},
    "appends to a text": {"appends": {"a": [1]}},
    "removes": {"removes": ("a", "n")},
    "removes what is missing": {"removes": ("none",)},
    "removes in a map": {"removes": ("map.n",)},
    "removes in a map what is missing": {"removes": ("map.none",)},
    "removes in a map that is missing": {"removes": ("none.n",)},
    "removes in what is no map": {"removes": ("a.n",)},
    "does everything": {
        "sets": {"b": 1, "map.t": 2}, "adds": {"n": 1, "version": 1}, "appends": {"list": ["x"]}, "removes": ("a",),
    },
    "sets and removes the same": {"sets": {"a": 1}, "removes": ("a",)},
    "adds and sets the same": {"sets": {"n": 1}, "adds": {"n": 1}},
    "sets a map and in it": {"sets": {"map": {}, "map.n": 1}},
    "sets in a map and removes it": {"sets": {"map.n": 1}, "removes": ("map",)},
    "sets nothing": {},
    "sets its key": {"sets": {"sk": "elsewhere"}},
}  # fmt: skip
ROW: dict[str, Any] = {"a": "text", "n": 2, "map": {"n": 1}, "list": [1]}


def _value(value: Any) -> Any:
    def act(place: Place) -> Any:
        put = place.then(Write(place.key("put"), "put", row={"v": value}))
        return [put, place.then(Write(place.key("set"), sets={"v": value}))]

    return act


def _update(change: dict[str, Any], *, there: bool) -> Any:
    def act(place: Place) -> Any:
        key = place.has("row", **ROW) if there else place.key("row")
        return place.then(Write(key, **change))

    return act


def _kind(write: dict[str, Any], *, there: bool) -> Any:
    def act(place: Place) -> Any:
        key = place.has("row", **ROW) if there else place.key("row")
        return place.then(Write(key, **write))

    return act


KINDS: dict[str, dict[str, Any]] = {
    "a put": {"kind": "put", "row": {"z": 1}},
    "a put of a new row": {"kind": "put", "row": {"z": 1}, "condition": Missing("pk")},
    "a put of nothing": {"kind": "put"},
    "a put with a key of its own": {"kind": "put", "row": {"pk": "another", "sk": "another", "z": 1}},
    "a delete": {"kind": "delete"},
    "a delete of what is as it was": {"kind": "delete", "condition": Compare("n", "=", 2)},
    "a delete of what is not": {"kind": "delete", "condition": Compare("n", "=", 3)},
    "a delete of none or of mine": {"kind": "delete", "condition": Missing("a")},
}


def _transactions() -> Iterator[tuple[str, Any, Any]]:
    def one_refused(place: Place) -> Any:
        there, absent = place.has("there", n=1), place.key("gone")
        return place.all_then(
            put_new(place.key("new"), {"a": 1}),
            put_new(there, {"n": 2}),
            Write(absent, condition=Exists("n"), sets={"n": 1}),
        )

    def all_made(place: Place) -> Any:
        there, old = place.has("there", n=1), place.has("old", n=1)
        guard = Write(place.has("guard", n=1), "check", condition=Compare("n", "=", 1))
        return place.all_then(
            put_new(place.key("new"), {"a": 1}), Write(there, sets={"n": 2}), Write(old, "delete"), guard
        )

    def check_refuses(place: Place) -> Any:
        guard = Write(place.has("guard", n=1), "check", condition=Compare("n", "=", 2))
        return place.all_then(put_new(place.key("new"), {"a": 1}), guard)

    def check_of_nothing(place: Place) -> Any:
        return place.all_then(
            Write(place.key("none"), "check", condition=Missing("status")), put_new(place.key("new"), {})
        )

    def one_row_twice(place: Place) -> Any:
        key = place.has("row", n=1)
        return place.all_then(Write(key, sets={"n": 2}), Write(key, "check", condition=Exists("n")))

    def broken_in_the_middle(place: Place) -> Any:
        wrong = Write(place.has("row", a="text"), adds={"a": 1})
        return place.all_then(put_new(place.key("new"), {"a": 1}), wrong)

    def a_check_that_asks_nothing(place: Place) -> Any:
        return place.all_then(Write(place.has("row", n=1), "check"), put_new(place.key("new"), {}))

    def a_hundred(place: Place) -> Any:
        return place.all_then(*(put_new(place.key(f"{n:03}"), {"n": n}) for n in range(100)))

    def one_more(place: Place) -> Any:
        return place.transact(*(put_new(place.key(f"{n:03}"), {"n": n}) for n in range(101)))

    def none(place: Place) -> Any:
        return place.transact()

    yield "all are made", all_made, None
    yield "one is refused, and none is made", one_refused, None
    yield "a check refuses", check_refuses, None
    yield "a check of a row that is not there", check_of_nothing, None
    yield "two of one row", one_row_twice, None
    yield "one that cannot be", broken_in_the_middle, [NO_REQUEST, [None, {"a": "text", **_at("one that cannot be")}]]
    yield (
        "a check that asks for nothing",
        a_check_that_asks_nothing,
        [NO_REQUEST, [{"n": 1, **_at("a check that asks for nothing")}, None]],
    )
    yield "a hundred", a_hundred, None
    yield "a hundred and one", one_more, NO_REQUEST
    yield "none at all", none, NO_REQUEST


def _at(case: str) -> dict[str, str]:
    """Return the key of a row in the case of this name."""
    return {"pk": f"O#together: {case}", "sk": "row"}


def _resent(place: Place) -> Any:
    """Repeat a transaction under the same token, as the SDK does: it is answered, but not applied twice."""
    counted = Write(place.has("count", n=0), adds={"n": 1})
    new = put_new(place.key("new"), {"a": 1})
    with mock.patch("readdo.store.table.secrets.token_hex", return_value=secrets.token_hex(16)):
        answers = [place.transact(new, counted), place.transact(new, counted)]
    return [answers, (place.table.get(counted.key) or {}).get("n")]


def _row_of_a_refusal(place: Place) -> Any:
    """A refused write returns the complete row that it saw."""
    key = place.has("row", **VALUES["nested"], status="READY", n=0.5)
    return place.write(Write(key, condition=same("status", "is"), params={"is": "SHIPPED"}, sets={"a": 1}))


CASES = [
    *(Case(f"value: {name}", _value(value)) for name, value in VALUES.items()),
    *(Case(f"update: {name}", _update(change, there=True)) for name, change in UPDATES.items()),
    *(Case(f"update of no row: {name}", _update(change, there=False)) for name, change in UPDATES.items()),
    *(Case(f"write: {name}", _kind(write, there=True)) for name, write in KINDS.items()),
    *(Case(f"write where nothing is: {name}", _kind(write, there=False)) for name, write in KINDS.items()),
    *(Case(f"together: {name}", act, result) for name, act, result in _transactions()),
    Case("together: the same sent again under its token", _resent, [[{"made": None}, {"made": None}], 1]),
    Case("refused: what was seen", _row_of_a_refusal),
]
