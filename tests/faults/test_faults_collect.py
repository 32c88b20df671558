"""Each call of a batch × each fault: every assignment ends where its documents put it, and the figures agree."""

from contextlib import suppress
from typing import Any
from unittest import mock

import pytest

from faults.fault_by_call import KINDS, Faults, an_hour_later, in_room, send, watched_calls
from readdo.collect.own_worker import link_lists
from readdo.extraction import sources
from support.collect_invariants import wrong_at_the_end, wrong_now
from support.collect_pool import output_of, put_document, result, supplement
from support.small_web import Web, url
from support.tiers import FAULTS_SHARE, TIER, share
from support.world import World, world

ROOMS = ("collect_work", "record_failure", "heartbeat")
# Our own worker finds no link for the thin one, and hands it back; an error of the store is an internal error of it.
EXPECTED = {"good": {"done"}, "thin": {"partial", "pending", "failed"}, "wrong": {"failed"}, "read": {"done"}}
ROUNDS = 12


def play(faults: Faults) -> list[str]:
    """A batch of another program and a batch of our own worker, until every assignment has ended."""
    with world() as opened:
        opened.instead = {room: in_room(faults, room) for room in ROOMS}
        web = Web()
        pages = mock.patch.object(sources, "fetch", web.fetch), mock.patch.object(link_lists, "fetch", web.fetch)
        put_document(opened, "good.md")
        put_document(opened, "thin.md", "# T\n")
        wrong: list[str] = []
        with watched_calls(opened, faults), pages[0], pages[1]:
            _use_file_worker(opened, faults, wrong)
            _use_own_worker(opened, faults, wrong)
        ended = {name: opened.api("GET", f"/assignments/{name}").json["assignment"]["status"] for name in EXPECTED}
        wrong += [f"{name} is {ended[name]}" for name in EXPECTED if ended[name] not in EXPECTED[name]]
        wrong += wrong_at_the_end(opened)
    if faults.at >= 0 and not faults.hit:
        wrong.append("the call was not made")
    return wrong


def _use_file_worker(opened: World, faults: Faults, wrong: list[str]) -> None:
    """A worker that sends its output again until it has been applied, and picks again after a timeout."""
    rows = [supplement("good"), supplement("thin"), supplement("wrong", "none.md")]
    send(opened, faults, "POST", "/assignments", rows, "add")
    for number in range(ROUNDS):
        picked = send(opened, faults, "POST", "/batches", {}, f"file-{number}")
        if picked is not None and picked.status == 201:
            batch = picked.json["batch"]
            results = [result(name, "failed" if name == "wrong" else "success") for name in batch["ids"]]
            send(opened, faults, "PUT", f"/batches/{batch['batch_name']}/output", output_of(batch, *results))
        wrong += wrong_now(opened)
        _beat(opened, faults, number)
        if _ended(opened, ("good", "wrong")):
            return


def _use_own_worker(opened: World, faults: Faults, wrong: list[str]) -> None:
    send(opened, faults, "POST", "/assignments", [url("read", "frame", priority=1)], "add-url")
    for number in range(ROUNDS):
        send(opened, faults, "POST", "/batches", {"worker": "own"}, f"own-{number}")
        opened.settle()
        faults.is_dying = False
        wrong += wrong_now(opened)
        _beat(opened, faults, ROUNDS + number)
        _retry_failed(opened)
        if _ended(opened, ("read",)):
            return


def _retry_failed(opened: World) -> None:
    """A crash of the worker itself is an internal error of the assignment."""
    if opened.api("GET", "/assignments/read").json["assignment"]["status"] == "failed":
        opened.api("POST", "/assignments/read/retry", {})


def _beat(opened: World, faults: Faults, number: int) -> None:
    with an_hour_later(number), suppress(Exception):
        opened.heartbeat()
    faults.is_dying = False
    opened.settle()
    faults.is_dying = False


def _ended(opened: World, names: tuple[str, ...]) -> bool:
    rows: dict[str, Any] = {row["id"]: row for row in opened.api("GET", "/assignments").json["assignments"]}
    return all(rows.get(name, {}).get("status") in ("done", "failed") for name in names)


def cells() -> list[tuple[int, str, str]]:
    recorded = Faults()
    assert play(recorded) == []
    assert {call.split()[0] for call in recorded.calls} >= {"http_api", "collect_work", "heartbeat"}
    return [(number, call, kind) for number, call in enumerate(recorded.calls) for kind in KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_single_fault_leaves_every_assignment_where_its_documents_put_it(kind: str) -> None:
    mine = [cell for cell in cells() if cell[2] == kind]
    assert len(mine) > 60
    broken = {}
    for number, call, _ in share(mine[::3] if TIER == "rest" else mine, FAULTS_SHARE):
        if wrong := play(Faults(number, kind)):
            broken[f"{number} {call} {kind}"] = wrong
    assert broken == {}
