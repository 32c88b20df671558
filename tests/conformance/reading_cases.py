"""Cases of reads: a row, many rows, key ranges, filters, and indexes page by page."""

from collections.abc import Iterator
from typing import Any

from conformance.cases import NO_REQUEST, Case, Place
from readdo.lifecycle.write import Clause, Compare, Exists, Key, Missing, OneOf, Write, both
from readdo.store.keys import DUE_INDEX, INBOX_INDEX

# Sorted by UTF-8 bytes; in UTF-16 the order of the last ones would differ.
SORTED_BY_BYTES = ("A", "A#1", "A#10", "A#2", "AA", "Z", "a", "é", "中", "\ue000", "\uffff", "🪡", "𠮷")


def _where(place: Place, pk: str = "") -> Compare:
    return Compare("pk", "=", place.corner + pk)


def _names(rows: list[dict[str, Any]]) -> list[str]:
    return [row["sk"] for row in rows]


def _filled(place: Place, names: tuple[str, ...] = SORTED_BY_BYTES) -> None:
    for number, name in enumerate(reversed(names)):
        place.has(name, n=number, **({"even": True} if number % 2 == 0 else {}))


def _order(place: Place) -> Any:
    _filled(place)
    return [_names(place.table.query(_where(place), newest_first=last).rows) for last in (False, True)]


def _stretches(place: Place) -> Any:
    _filled(place)
    bounds = [("A", "Z"), ("A#1", "A#1"), ("A#", "A#\uffff"), ("\uffff", "𠮷"), ("b", "é"), ("中", "\ue000")]
    return {
        f"{low} to {high}": _names(place.table.query(_where(place), between=("sk", low, high)).rows)
        for low, high in bounds
    }


def _wrong_way_round(place: Place) -> Any:
    _filled(place)
    return place.outcome_of(lambda: place.table.query(_where(place), between=("sk", "Z", "A")).rows)


def _pages(place: Place) -> Any:
    """Return all pages.

    Whether another page follows a full one is left open, as in DynamoDB.
    """
    _filled(place)
    return [list(_paged(place, limit, last)) for limit in (1, 4, 100) for last in (False, True)]


def _paged(place: Place, limit: int, newest_first: bool, **ask: Any) -> Iterator[list[str]]:
    start = None
    while True:
        page = place.table.query(_where(place), limit=limit, newest_first=newest_first, start=start, **ask)
        if page.rows:
            yield _names(page.rows)
        start = page.next_key
        if start is None:
            return


def _from_a_cursor(place: Place) -> Any:
    """Start at a cursor whose row no longer exists."""
    _filled(place)
    start = {"pk": place.corner, "sk": "B"}
    return [
        _names(place.table.query(_where(place), start=start, newest_first=last, limit=3).rows) for last in (False, True)
    ]


def _filtered(place: Place) -> Any:
    _filled(place)
    results: dict[str, Any] = {}
    only: dict[str, Clause] = {
        "even": Exists("even"),
        "odd": Missing("even"),
        "low": Compare("n", "<", 4),
        "none": OneOf("n", ("x",)),
    }
    for name, clause in only.items():
        page = place.table.query(_where(place), only=clause)
        results[name] = [_names(page.rows), list(_paged(place, 5, False, only=clause))]
    results["both"] = _names(place.table.query(_where(place), only=both(Exists("even"), Compare("n", ">", 3))).rows)
    return results


def _whole_rows(place: Place) -> Any:
    place.has("row", a={"b": [1, 2.5, None]}, history=[])
    return place.table.query(_where(place)).rows


def _nothing_there(place: Place) -> Any:
    page = place.table.query(_where(place))
    return [page.rows, page.next_key, place.table.get(place.key("none")), place.table.get_all([place.key("none")])]


def _every_row(place: Place) -> Any:
    for number in range(60):
        place.has(f"X#{number:03}", text="长" * 8000)  # 24 KB each, together more than the 1 MB limit of one page
    rows = list(place.table.query_all(_where(place), ("sk", "X#", "X#\uffff")))
    return [_names(rows), sorted(place.table.keys_of(place.corner))]


def _keys_of(place: Place) -> Any:
    _filled(place)
    place.table.write(Write(place.key("beside", "#more"), "put", row={}))
    return [sorted(place.table.keys_of(place.corner)), [*place.table.keys_of(place.corner + "#none")]]


def _deleted(place: Place) -> Any:
    keys = [place.has(f"{number:03}") for number in range(57)]
    place.table.delete_all([*keys[:-2], place.key("never there")])
    place.table.delete_all([])
    return sorted(place.table.keys_of(place.corner))


def _many(count: int) -> Any:
    def act(place: Place) -> Any:
        keys = [place.has(f"{number:03}", n=number) for number in range(count)]
        requested = [*keys[:99], place.key("none")]
        return [sorted(_names(place.table.get_all(requested))), place.table.get_all([])]

    return act


def _the_same_twice(place: Place) -> Any:
    key = place.has("row", n=1)
    return _names(place.table.get_all([key, key]))


def _more_than_a_hundred(place: Place) -> Any:
    return place.outcome_of(lambda: place.table.get_all([place.key(f"{n}") for n in range(101)]))


def _inbox(place: Place) -> Any:
    """Check that the inbox index is sparse, ordered by its own key, and holds only the list's attributes."""
    for number, band in enumerate(("5#000.0#b", "8#090.5#a", "5#000.0#a", "1#000.0#z")):
        shown = {
            "id": str(number),
            "status": "READY",
            "title": "栅栏",
            "match_score": 90.5,
            "failure": {"code": "X"},
        }
        place.has(f"I#{number}", inbox=band, history=["long"], version=1, lease_owner="x", **shown)
    place.has("I#none", id="none", status="READY")
    rows = place.table.query(_where(place), index=INBOX_INDEX, newest_first=True).rows
    removal = Write(place.key("I#1"), removes=("inbox",))
    place.table.write(removal)
    place.table.write(Write(place.key("I#3"), sets={"inbox": "9#"}))
    after = place.table.query(_where(place), index=INBOX_INDEX, newest_first=True).rows
    return [rows, _names(after), [_names(page) for page in _index_pages(place)]]


def _index_pages(place: Place) -> Iterator[list[dict[str, Any]]]:
    start = None
    while True:
        page = place.table.query(_where(place), index=INBOX_INDEX, newest_first=True, limit=2, start=start)
        if page.rows:
            yield page.rows
        start = page.next_key
        if start is None:
            return


def _due(place: Place) -> Any:
    shard = place.corner
    for number, at in enumerate(("2026-01-01", "2026-01-03", "2026-01-02", "2026-01-02")):
        place.has(f"I#{number}", due_shard=shard, due_at=at, status="QUEUED")
    place.has("I#half", due_shard=shard)
    place.has("I#other", due_at="2026-01-01")
    page = place.table.query(Compare("due_shard", "=", shard), index=DUE_INDEX, between=("due_at", "0", "2026-01-02"))
    # DynamoDB does not define the order of rows with the same time.
    return [sorted(page.rows, key=lambda row: str(row["sk"])), [row["due_at"] for row in page.rows]]


def _key_of_another_type(place: Place) -> Any:
    return place.then(Write(place.key("row"), "put", row={"due_shard": 3, "due_at": "x"}))


def _no_key(place: Place) -> Any:
    empty_keys = (Key("", "x"), Key(place.corner, ""))
    return [place.write(Write(key, sets={"a": 1})) for key in empty_keys]


CASES = [
    Case("read: sorted by bytes", _order),
    Case("read: stretches, with both ends", _stretches),
    Case("read: a stretch the wrong way round", _wrong_way_round, NO_REQUEST),
    Case("read: page by page", _pages),
    Case("read: from a cursor whose row is gone", _from_a_cursor),
    Case("read: what passes a filter is counted before it", _filtered),
    Case("read: whole rows", _whole_rows),
    Case("read: where nothing is", _nothing_there),
    Case("read: every row, over many pages", _every_row),
    Case("read: every key of a partition, and of no other", _keys_of),
    Case("read: what is deleted in many batches", _deleted),
    Case("read: many rows at once", _many(3)),
    Case("read: a hundred rows at once", _many(99)),
    Case("read: a row asked for twice at once", _the_same_twice),
    Case("read: more than a hundred at once", _more_than_a_hundred, NO_REQUEST),
    Case("index: the inbox", _inbox),
    Case("index: what is due", _due),
    Case("index: a key of another type", _key_of_another_type, [NO_REQUEST, None]),
    Case("key: without letters", _no_key, [NO_REQUEST, NO_REQUEST]),
]
