"""What a condition says of a row: every operator, over every kind of value, at every kind of place."""

from collections.abc import Iterator
from typing import Any

from conformance.cases import Case, Place
from readdo.lifecycle import paths
from readdo.lifecycle.conditions import All, AnyOf, Clause, Compare, Exists, Missing, OneOf, Param, both, either
from readdo.lifecycle.write import Write

HELD: dict[str, Any] = {
    "text": "5",
    "empty": "",
    "number": 5,
    "fraction": 5.5,
    "yes": True,
    "nothing": None,
    "map": {"in": 5, "no": None, "deep": {"er": "x"}},
    "list": [5],
    "Chinese": "栅",
}
ASKED: dict[str, Any] = {
    "5": "5",
    "a greater text": "6",
    "no text": "",
    "five": 5,
    "six": 6,
    "five and a half": 5.5,
    "five point nought": 5.0,
    "yes": True,
    "one": 1,
    "nothing": None,
    "a list": [5],
    "a map": {"in": 5},
    "Chinese": "令",
    "beyond the first plane": "🪡",
    "the last of the first plane": "\uffff",
}
PLACES = (*HELD, "missing", "map.in", "map.no", "map.none", "map.deep.er", "none.in", "text.in", "list.in", "pk", "sk")
OPERATORS = ("=", "<", "<=", ">", ">=")


Clauses = dict[str, tuple[Clause, dict[str, Any]]]


def _outcomes(place: Place, clauses: Clauses) -> Any:
    """One row, and one write for each clause that leaves it as it is."""
    key = place.has("row", **HELD)
    told = {}
    for name, (clause, params) in clauses.items():
        answer = place.write(Write(key, condition=clause, params=params, sets={"text": "5"}))
        told[name] = "holds" if isinstance(answer, dict) and "made" in answer else answer
    return {name: "is refused" if isinstance(answer, dict) else answer for name, answer in told.items()}


def _compared(operator: Any, at: str, asked: dict[str, Any]) -> Any:
    def act(place: Place) -> Any:
        clause = Compare(at, operator, Param("asked"))
        return _outcomes(place, {name: (clause, {"asked": value}) for name, value in asked.items()})

    return act


def _comparisons() -> Iterator[Case]:
    """Apart: what the product asks, of values of one type, and what it would get if a row held another."""
    for at in PLACES:
        for operator in OPERATORS:
            # Only texts and numbers have an order.
            asked = {n: v for n, v in ASKED.items() if operator == "=" or type(v) in (str, int, float)}
            alike = {n: v for n, v in asked.items() if _kind(v) == _kind(_held(at))}
            other = {n: v for n, v in asked.items() if n not in alike}
            if alike:
                yield Case(f"compared: {at} {operator}", _compared(operator, at, alike))
            yield Case(f"compared to another type: {at} {operator}", _compared(operator, at, other))


def _held(at: str) -> Any:
    return "key" if at in ("pk", "sk") else paths.get(HELD, at, paths.NOWHERE)


def _kind(value: Any) -> type:
    return float if type(value) is int else type(value)


def _there(place: Place) -> Any:
    asked: Clauses = {f"{kind.__name__} {at}": (kind(at), {}) for at in PLACES for kind in (Exists, Missing)}
    return _outcomes(place, asked)


def _one_of(place: Place) -> Any:
    asked: Clauses = {at: (OneOf(at, ("5", "", "x", "栅")), {}) for at in PLACES}
    return _outcomes(place, asked)


_YES, _NO, _NEVER = Exists("text"), Missing("text"), Compare("missing", "=", 1)
JOINED: dict[str, Clause] = {
    "both": both(_YES, Missing("missing")),
    "both, one not": both(_YES, _NO),
    "either": either(_NO, _YES),
    "either, none": either(_NO, _NEVER),
    "all of one": All((_YES,)),
    "any of one": AnyOf((_NO,)),
    "either within both": both(_YES, either(_NEVER, Compare("number", "<", 6))),
    "both within either": either(both(_YES, _NO), both(_YES, Compare("map.in", ">=", 5))),
    "the same name twice": both(Compare("number", ">", 4), Compare("number", "<", 6)),
}


def _joined(place: Place) -> Any:
    return _outcomes(place, {name: (clause, {}) for name, clause in JOINED.items()})


def _of_no_row(place: Place) -> Any:
    """The same of a row that is not there: only what asks for absence holds."""
    told = {}
    clauses: dict[str, Clause] = {
        **JOINED,
        "missing": Missing("pk"),
        "there": Exists("pk"),
        "one of": OneOf("a", ("",)),
    }
    for number, (name, clause) in enumerate(clauses.items()):
        told[name] = place.then(Write(place.key(f"none-{number}"), condition=clause, sets={"a": 1}))
    return told


# Words that DynamoDB keeps for itself, and others that look like none.
ODD_NAMES = ("status", "name", "date", "count", "size", "key", "value", "0", "_", "under_score", "a" * 250)


def _odd_names(place: Place) -> Any:
    told = {}
    for number, name in enumerate(ODD_NAMES):
        key = place.has(f"row-{number}", **{name: "x"})
        told[name] = place.then(Write(key, condition=Compare(name, "=", "x"), sets={name: "y"}))
    return told


CASES = [
    *_comparisons(),
    Case("there or missing", _there),
    Case("one of", _one_of),
    Case("joined", _joined),
    Case("of no row", _of_no_row),
    Case("odd names", _odd_names),
]
