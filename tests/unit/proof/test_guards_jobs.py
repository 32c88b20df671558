"""Concurrent changes of proof jobs: no command, slice or heartbeat overwrites another one."""

from typing import Any, cast

import pytest

from readdo.errors import LeaseLost
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Forbidden, Refused
from readdo.lifecycle.write import Busy, Key
from readdo.proof import background, job_commands, job_keys, job_places, processing, reset
from readdo.proof.chunk_index import ChunkPlace
from readdo.proof.chunk_moves import ChunkMoves, ClaimedChunk
from readdo.proof.job_rows import NO_PROGRESS, JobRow
from readdo.proof.job_workflow import PROOF_JOB
from support.desk_races import RacedDesk, command_context
from support.races import LATE, T0, T1

JOB, OTHER, PROGRESS, PLACES = (
    job_keys.job("me", "01JOB"),
    job_keys.job("me", "01OTHER"),
    job_keys.progress("me", "01JOB"),
    job_keys.places("me"),
)
FIRST_SLICE = Slice(PROOF_JOB, "me", "01JOB", 4)
EVENT = {"owner": "me", "job": "01JOB", "execution": 1, "epoch": 4, "first": 0}
OPTIONS: Any = {"engine": "rules", "model": "", "rules": {}, "chunk_chars": 300, "encoding": "", "paragraphs": ""}


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> RacedDesk:
    for module in (background, job_commands):
        monkeypatch.setattr(module.job_workflow, "start_work", lambda *_: None)
    monkeypatch.setattr(reset, "delete_rest", lambda *_: None)
    return RacedDesk()


def add_job(table: Any, status: str, key: Key = JOB, **more: Any) -> None:
    job_id = key.sk.removeprefix(job_keys.JOB_PREFIX)
    row = {"id": job_id, "owner": "me", "status": status, "version": 7, "epoch": 4, "execution": 1, "restarts": 0}
    row |= {"created_at": T0, "history": [], "filename": "a.txt", "size": 1, "options": OPTIONS, "total_chunks": 1}
    table.has(key, {**row, **more})
    table.has(job_keys.progress("me", job_id), {**NO_PROGRESS, "epoch": 4})


def add_running_job(table: Any) -> None:
    add_job(table, "running/process", place="place_1")
    table.has(PLACES, {"place_1": "01JOB"})


def pause(table: Any, *, drain: bool = False) -> dict[str, Any]:
    return dict(job_commands.pause(command_context(table, "pause"), "01JOB", drain=drain))


def start(table: Any, job_id: str = "01JOB") -> dict[str, Any]:
    return dict(job_commands.start(command_context(table, "start"), job_id, ""))


def assert_same_epochs(table: Any) -> None:
    assert table.rows[JOB]["epoch"] == table.rows[PROGRESS]["epoch"]


def test_pause_keeps_the_epoch_of_a_slice_that_began_meanwhile(table: Any) -> None:
    add_running_job(table)
    table.after_read(JOB, lambda: processing._begin(table, EVENT))
    pause(table)
    assert table.rows[JOB]["epoch"] == 6
    assert_same_epochs(table)


def test_two_deliveries_of_a_slice_have_different_epochs(table: Any) -> None:
    add_running_job(table)
    table.after_read(JOB, lambda: processing._begin(table, EVENT))
    with pytest.raises(LeaseLost):
        processing._begin(table, EVENT)
    assert_same_epochs(table)


def test_drain_stops_the_claims_of_the_execution_that_runs(table: Any) -> None:
    add_running_job(table)

    def pause_and_start() -> None:
        pause(table)
        table.change(PLACES, place_1="01OTHER")
        start(table)

    table.after_read(JOB, pause_and_start)
    pause(table, drain=True)
    assert table.rows[PROGRESS]["draining"]
    assert (table.rows[PLACES].get("place_1"), table.rows[PLACES].get("place_2")) == ("01OTHER", None)


def test_two_jobs_never_take_the_same_place(table: Any) -> None:
    add_job(table, "paused/process")
    add_job(table, "paused/process", OTHER)
    table.after_read(PLACES, lambda: start(table, "01OTHER"))
    start(table)
    assert (table.rows[PLACES]["place_1"], table.rows[PLACES]["place_2"]) == ("01OTHER", "01JOB")


def test_reset_keeps_a_place_that_another_job_took_meanwhile(table: Any) -> None:
    add_running_job(table)
    add_job(table, "paused/process", OTHER)

    def finish_and_start_another() -> None:
        processing._finish_by_rules(table, FIRST_SLICE, cast("JobRow", table.rows[JOB]))
        start(table, "01OTHER")

    table.after_read(JOB, finish_and_start_another)
    reset.reset(command_context(table, "reset"), "01JOB", confirm=False)
    assert table.rows[PLACES]["place_1"] == "01OTHER"
    assert "status" not in table.rows[JOB]


def test_only_jobs_that_wait_for_a_place_are_counted(table: Any) -> None:
    """A job that was retried before has its own execution."""
    add_job(table, "queued/process", Key(JOB.pk, "J#00RETRIED"), queued_at=T0, due_at=T0)
    add_job(table, "queued/process", queued_at=T1, wait_reason="waiting_for_place", due_at=T0)
    table.has(PLACES, {"place_1": "01OTHER"})
    assert background._attend_job(table, table.rows[JOB], LATE) == "begin_waiting"


def test_job_with_a_taken_id_is_refused(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readdo.clock.new_id", lambda _: "01JOB")
    add_running_job(table)
    with pytest.raises(Refused):
        job_commands.create_job(command_context(table, "create"), "b.txt", 1, OPTIONS)
    assert table.rows[JOB]["filename"] == "a.txt"


def test_counts_of_a_job_are_not_overwritten(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readdo.clock.new_id", lambda _: "01JOB")
    add_running_job(table)
    del table.rows[JOB]
    with pytest.raises(Busy):
        job_commands.create_job(command_context(table, "create"), "b.txt", 1, OPTIONS)
    assert (table.rows[PROGRESS]["epoch"], JOB in table.rows) == (4, False)


def test_sweep_does_not_recreate_a_tombstone_that_expired(table: Any) -> None:
    tombstone = {"id": "01JOB", "owner": "me", "deleted_at": T0, "due_at": T1}
    assert reset.sweep_tombstone(table, tombstone, LATE) == "lost_a_race"
    assert JOB not in table.rows


def test_chunk_with_a_row_is_not_claimed_as_new(table: Any) -> None:
    chunk = ClaimedChunk(None, ChunkPlace(0, 1, 1, 1), "", 0, 0)
    claim = ChunkMoves(FIRST_SLICE, "", NO_PROGRESS).claim(0, chunk, T0)
    table.write(claim.write)
    assert isinstance(claim.refusal(table.rows[claim.write.key]), Forbidden)
    with pytest.raises(Exception, match="refused"):
        table.write(claim.write)


def test_place_is_given_back_once(table: Any) -> None:
    add_running_job(table)
    pause(table)
    assert (job_places.free_places(table, "me"), "place" in table.rows[JOB]) == (["place_1", "place_2"], False)
