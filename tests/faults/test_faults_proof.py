"""Each call of a proof job × each fault: the text is merged with every chunk once, and the counts stay right.

A user goes on whenever the job waits. The heartbeat finds lost executions.
"""

from collections.abc import Iterator
from contextlib import suppress

import pytest

from faults.fault_by_call import KINDS, Faults, an_hour_later, in_room, send, watched_calls
from support.proof_jobs import OPTIONS, TEXT, create_job, get_job
from support.proof_model import local_model, wrong_at_the_end, wrong_with
from support.tiers import FAULTS_SHARE, TIER, share
from support.world import World, world

ROOMS = ("proof_validate", "proof_slice", "proof_merge", "http_api", "record_failure", "heartbeat")
ROUNDS = 25
EXPECTED = TEXT.replace("checked", "CHECKED")
# The command that goes on, by state and phase
NEXT = {
    ("queued", "validate"): "validate",
    ("error", "validate"): "validate",
    ("paused", "process"): "resume",
    ("error", "process"): "retry-failed",
    ("paused", "merge"): "merge",
    ("error", "merge"): "merge",
}


@pytest.fixture(scope="module")
def fresh_world() -> Iterator[World]:
    with world() as opened:
        yield opened


def play(opened: World, faults: Faults) -> list[str]:
    opened.instead = {room: in_room(faults, room) for room in ROOMS if room != "http_api"}
    wrong: list[str] = []
    correct = local_model(lambda text: text.replace("checked", "CHECKED"))
    with watched_calls(opened, faults), correct:
        job_id = create_job(opened, TEXT, **OPTIONS, max_concurrency=1)
        for number in range(ROUNDS):
            job = get_job(opened, job_id)
            wrong += wrong_with(opened, job_id)
            if job["state"] == "done":
                break
            verb = NEXT.get((job["state"], job["phase"]))
            if verb:
                send(opened, faults, "POST", f"/jobs/{job_id}/{verb}", {}, f"{job_id}-{number}")
            opened.settle()
            faults.is_dying = False
            with an_hour_later(number), suppress(Exception):
                opened.heartbeat()
            faults.is_dying = False
    opened.settle()
    wrong += wrong_at_the_end(opened, job_id, EXPECTED)
    if faults.at >= 0 and not faults.hit:
        wrong.append("the call was not made")
    opened.api("POST", f"/jobs/{job_id}/reset", {"confirm": True})
    return wrong


def cells(opened: World) -> list[tuple[int, str, str]]:
    recorded = Faults()
    assert play(opened, recorded) == []
    assert {call.split()[0] for call in recorded.calls} >= {"proof_validate", "proof_slice", "proof_merge", "http_api"}
    return [(number, call, kind) for number, call in enumerate(recorded.calls) for kind in KINDS]


@pytest.mark.parametrize("kind", KINDS)
def test_single_fault_leaves_every_chunk_once(fresh_world: World, kind: str) -> None:
    mine = [cell for cell in cells(fresh_world) if cell[2] == kind]
    assert len(mine) > 60
    broken = {}
    for number, call, _ in share(mine[::3] if TIER == "rest" else mine, FAULTS_SHARE):
        if wrong := play(fresh_world, Faults(number, kind)):
            broken[f"{number} {call} {kind}"] = wrong
    assert broken == {}
