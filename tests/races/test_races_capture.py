"""Races of captures: one key or one page is one item, and no reason that it was saved for is lost."""

import uuid
from collections.abc import Callable

import pytest
from race_items import INTENTS, PAGES, captured, done, wish
from race_round import THREADS, Arena, Round, granted, moves, told

from readdo import clock
from readdo.lifecycle.advance import NotFound
from readdo.read import item_deletion
from readdo.read.capture import CaptureResult, capture
from readdo.read.capture_request import CaptureRequest
from readdo.store import idempotency, keys


def saved(round_: Round, wanted: CaptureRequest) -> CaptureResult:
    return capture(round_.table, round_.owner, wanted, clock.now())


def sides_of(round_: Round, wishes: list[CaptureRequest]) -> list[list[CaptureResult]]:
    count = THREADS // len(wishes)
    return round_.race(*((count, lambda wanted=wanted: saved(round_, wanted)) for wanted in wishes))


def page_of(round_: Round) -> str:
    return PAGES[round_.number % 2]


def one_capture_id_is_one_item(round_: Round) -> None:
    wishes = [wish(n, capture_id=str(uuid.uuid4()), url=page_of(round_), on_duplicate="new") for n in range(4)]
    sides = sides_of(round_, wishes)
    found = [{one.item["id"] for one in side} for side in sides]
    assert [len(side) for side in found] == [1] * 4
    assert {row["id"] for row in round_.items()} == set().union(*found)
    assert [sum(one.new for one in side) for side in sides] == [1] * 4


def a_key_stands_for_one_body(round_: Round) -> None:
    sides = sides_of(round_, [wish(n, idempotency_key="one-key") for n in range(2)])
    kept, other = sorted(sides, key=lambda side: len(granted(side)), reverse=True)
    assert (len(granted(kept)), len(told(other, idempotency.KeyReused))) == (THREADS // 2, THREADS // 2)
    assert [row["id"] for row in round_.items()] == [kept[0].item["id"]]


def one_page_is_one_item_with_every_reason(round_: Round) -> None:
    """Eight reasons, each of which is delivered four times."""
    reasons = [f"{INTENTS[n % 2]} {n}" for n in range(8)]
    names = [str(uuid.uuid4()) for _ in reasons]
    wishes = [
        CaptureRequest(text, url=page_of(round_), process=False, capture_id=name)
        for text, name in zip(reasons, names, strict=True)
    ]
    sides = sides_of(round_, wishes)
    (row,) = round_.items()
    assert {one.item["id"] for side in sides for one in side} == {row["id"]}
    assert sum(one.new for side in sides for one in side) == 1
    assert sorted(row["intents"]) == sorted(reasons)
    assert row["save_count"] == row["version"] == len(reasons)  # no join was written over
    moves(round_, row)


def a_page_deleted_and_saved_at_once_has_one_living_item(round_: Round) -> None:
    first = captured(round_, url=page_of(round_))["id"]
    again = [wish(n, url=page_of(round_), capture_id=str(uuid.uuid4())) for n in range(4)]
    *_, deletes = round_.race(
        *((6, lambda wanted=wanted: saved(round_, wanted)) for wanted in again),
        (8, lambda: done(round_, first, "delete", item_deletion.delete)),
    )
    assert (len(granted(deletes)), len(told(deletes, NotFound))) == (1, 7)
    living = round_.items()
    assert first not in {row["id"] for row in living}
    for row in living:
        page = round_.table.get(keys.page(round_.owner, row["page"]))
        assert (page or {}).get("item") == row["id"]
        moves(round_, row)
    assert len(living) <= 1


def the_first_text_that_is_given_later_stands(round_: Round) -> None:
    captured(round_, url=page_of(round_), content="")
    texts = [wish(n, url=page_of(round_), content=f"text {n} 文本", capture_id=str(uuid.uuid4())) for n in range(4)]
    sides = sides_of(round_, texts)
    (row,) = round_.items()
    shown = [one.item.get("content_ref") for side in sides for one in side]
    assert (row["content_ref"] in shown, row["save_count"]) == (True, 5)
    moves(round_, row)


SCENES = (
    one_capture_id_is_one_item,
    a_key_stands_for_one_body,
    one_page_is_one_item_with_every_reason,
    a_page_deleted_and_saved_at_once_has_one_living_item,
    the_first_text_that_is_given_later_stands,
)


@pytest.mark.parametrize("scene", SCENES)
def test_of_captures_at_once(arena: Arena, scene: Callable[[Round], None]) -> None:
    arena.play(scene)
