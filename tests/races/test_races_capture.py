"""Races of captures: one item per key or page, and no intent is lost."""

import uuid
from collections.abc import Callable

import pytest

from races.race_items import INTENTS, PAGES, capture_item, capture_request, run_command
from races.race_round import THREADS, Arena, Round, accepted, moves, refused
from readdo import clock
from readdo.lifecycle.advance import NotFound
from readdo.read import item_deletion, item_keys
from readdo.read.capture import CaptureResult, capture
from readdo.read.item_rows import CaptureRequest
from readdo.store import idempotency


def save(round_: Round, request: CaptureRequest) -> CaptureResult:
    return capture(round_.table, round_.owner, request, clock.now())


def sides_of(round_: Round, requests: list[CaptureRequest]) -> list[list[CaptureResult]]:
    count = THREADS // len(requests)
    return round_.race(*((count, lambda request=request: save(round_, request)) for request in requests))


def page_of(round_: Round) -> str:
    return PAGES[round_.number % 2]


def capture_id_creates_one_item(round_: Round) -> None:
    requests = [
        capture_request(n, capture_id=str(uuid.uuid4()), url=page_of(round_), on_duplicate="new") for n in range(4)
    ]
    sides = sides_of(round_, requests)
    ids = [{result.item["id"] for result in side} for side in sides]
    assert [len(side) for side in ids] == [1] * 4
    assert {row["id"] for row in round_.items()} == set().union(*ids)
    assert [sum(result.new for result in side) for side in sides] == [1] * 4


def idempotency_key_accepts_one_body(round_: Round) -> None:
    sides = sides_of(round_, [capture_request(n, idempotency_key="one-key") for n in range(2)])
    winner, loser = sorted(sides, key=lambda side: len(accepted(side)), reverse=True)
    assert (len(accepted(winner)), len(refused(loser, idempotency.KeyReused))) == (THREADS // 2, THREADS // 2)
    assert [row["id"] for row in round_.items()] == [winner[0].item["id"]]


def page_has_one_item_with_every_intent(round_: Round) -> None:
    """Eight intents, each delivered four times."""
    intents = [f"{INTENTS[n % 2]} {n}" for n in range(8)]
    names = [str(uuid.uuid4()) for _ in intents]
    requests = [
        CaptureRequest(text, url=page_of(round_), process=False, capture_id=name)
        for text, name in zip(intents, names, strict=True)
    ]
    sides = sides_of(round_, requests)
    (row,) = round_.items()
    assert {one.item["id"] for side in sides for one in side} == {row["id"]}
    assert sum(one.new for side in sides for one in side) == 1
    assert sorted(row["intents"]) == sorted(intents)
    assert row["save_count"] == row["version"] == len(intents)  # no join was overwritten
    moves(round_, row)


def page_deleted_and_saved_has_at_most_one_item(round_: Round) -> None:
    first = capture_item(round_, url=page_of(round_))["id"]
    requests = [capture_request(n, url=page_of(round_), capture_id=str(uuid.uuid4())) for n in range(4)]
    *_, deletes = round_.race(
        *((6, lambda request=request: save(round_, request)) for request in requests),
        (8, lambda: run_command(round_, first, "delete", item_deletion.delete)),
    )
    assert (len(accepted(deletes)), len(refused(deletes, NotFound))) == (1, 7)
    living = round_.items()
    assert first not in {row["id"] for row in living}
    for row in living:
        page = round_.table.get(item_keys.page(round_.owner, row["page"]))
        assert (page or {}).get("item") == row["id"]
        moves(round_, row)
    assert len(living) <= 1


def first_text_of_a_saved_link_is_kept(round_: Round) -> None:
    capture_item(round_, url=page_of(round_), content="")
    requests = [
        capture_request(n, url=page_of(round_), content=f"text {n} 文本", capture_id=str(uuid.uuid4()))
        for n in range(4)
    ]
    sides = sides_of(round_, requests)
    (row,) = round_.items()
    refs = [one.item.get("content_ref") for side in sides for one in side]
    assert (row["content_ref"] in refs, row["save_count"]) == (True, 5)
    moves(round_, row)


SCENARIOS = (
    capture_id_creates_one_item,
    idempotency_key_accepts_one_body,
    page_has_one_item_with_every_intent,
    page_deleted_and_saved_has_at_most_one_item,
    first_text_of_a_saved_link_is_kept,
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_concurrent_captures(arena: Arena, scenario: Callable[[Round], None]) -> None:
    arena.play(scenario)
