"""Cases of conditions: every operator, on every type of value, at every kind of path."""

from collections.abc import Iterator
from typing import Any

from conformance.cases import Case, Place
from readdo.lifecycle import write
from readdo.lifecycle.write import All, AnyOf, Clause, Compare, Exists, Missing, OneOf, Param, Write, both, either

ROW: dict[str, Any] = {
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
VALUES: dict[str, Any] = {
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
PLACES = (*ROW, "missing", "map.in", "map.no", "map.none", "map.deep.er", "none.in", "text.in", "list.in", "pk", "sk")
OPERATORS = ("=", "<", "<=", ">", ">=")


Clauses = dict[str, tuple[Clause, dict[str, Any]]]


def _outcomes(place: Place, clauses: Clauses) -> Any:
    """Return the outcome of each clause, tested by a write that leaves the row unchanged."""
    key = place.has("row", **ROW)
    outcomes = {}
    for name, (clause, params) in clauses.items():
        answer = place.write(Write(key, condition=clause, params=params, sets={"text": "5"}))
        outcomes[name] = "holds" if isinstance(answer, dict) and "made" in answer else answer
    return {name: "is refused" if isinstance(answer, dict) else answer for name, answer in outcomes.items()}


def _comparison(operator: Any, at: str, values: dict[str, Any]) -> Any:
    def act(place: Place) -> Any:
        clause = Compare(at, operator, Param("asked"))
        return _outcomes(place, {name: (clause, {"asked": value}) for name, value in values.items()})

    return act


def _comparisons() -> Iterator[Case]:
    """Yield comparisons of values of one type, as in the product, apart from those of two types."""
    for at in PLACES:
        for operator in OPERATORS:
            # Only texts and numbers have an order.
            values = {n: v for n, v in VALUES.items() if operator == "=" or type(v) in (str, int, float)}
            alike = {n: v for n, v in values.items() if _kind(v) == _kind(_value_at(at))}
            other = {n: v for n, v in values.items() if n not in alike}
            if alike:
                yield Case(f"compared: {at} {operator}", _comparison(operator, at, alike))
            yield Case(f"compared to another type: {at} {operator}", _comparison(operator, at, other))


def _value_at(at: str) -> Any:
    return "key" if at in ("pk", "sk") else write.get_path(ROW, at, write.NOWHERE)


def _kind(value: Any) -> type:
    return float if type(value) is int else type(value)


def _there(place: Place) -> Any:
    clauses: Clauses = {f"{kind.__name__} {at}": (kind(at), {}) for at in PLACES for kind in (Exists, Missing)}
    return _outcomes(place, clauses)


def _one_of(place: Place) -> Any:
    clauses: Clauses = {at: (OneOf(at, ("5", "", "x", "栅")), {}) for at in PLACES}
    return _outcomes(place, clauses)


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
    """Test the same clauses on a missing row: only conditions of absence hold."""
    outcomes = {}
    clauses: dict[str, Clause] = {
        **JOINED,
        "missing": Missing("pk"),
        "there": Exists("pk"),
        "one of": OneOf("a", ("",)),
    }
    for number, (name, clause) in enumerate(clauses.items()):
        outcomes[name] = place.then(Write(place.key(f"none-{number}"), condition=clause, sets={"a": 1}))
    return outcomes


# Reserved words of DynamoDB, and other unusual names.
ODD_NAMES = ("status", "name", "date", "count", "size", "key", "value", "0", "_", "under_score", "a" * 250)


def _odd_names(place: Place) -> Any:
    outcomes = {}
    for number, name in enumerate(ODD_NAMES):
        key = place.has(f"row-{number}", **{name: "x"})
        outcomes[name] = place.then(Write(key, condition=Compare(name, "=", "x"), sets={name: "y"}))
    return outcomes


CASES = [
    *_comparisons(),
    Case("there or missing", _there),
    Case("one of", _one_of),
    Case("joined", _joined),
    Case("of no row", _of_no_row),
    Case("odd names", _odd_names),
]
