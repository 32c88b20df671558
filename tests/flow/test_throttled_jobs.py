"""AWS has no place for the function of a job: the job waits, and no failure is counted."""

from collections.abc import Callable
from typing import Any

import pytest

from flow.test_import import get_import, start_import, texts
from functions.backups_in import backup_row, make_overdue, new_backup
from readdo.transfer import transfer_keys
from support.proof_jobs import OPTIONS, TEXT, create_job, get_job, post, state, validated
from support.proof_story import later
from support.world import World

# The name of the class is the name of the error that Step Functions reports.
Throttled = type("Lambda.TooManyRequestsException", (Exception,), {})
NotLoaded = type("Runtime.ImportModuleError", (Exception,), {})


def refuse_with(error: type[Exception]) -> Callable[..., Any]:
    def refuse(_handler: Any, _event: Any) -> Any:
        raise error("Rate Exceeded.")

    return refuse


@pytest.mark.parametrize("error", [Throttled, NotLoaded])
def test_backup_without_a_function_rests_and_then_ends(fresh: World, error: type[Exception]) -> None:
    fresh.instead["backup"] = refuse_with(error)
    backup_id = new_backup(fresh)
    for _ in range(5):
        row = backup_row(fresh, backup_id)
        assert (row["status"], row["restarts"]) == ("PAUSED", 0)
        make_overdue(fresh, backup_id)
        fresh.heartbeat()
        fresh.settle()
    fresh.instead.clear()
    make_overdue(fresh, backup_id)
    fresh.heartbeat()
    fresh.settle()
    assert backup_row(fresh, backup_id)["status"] == "DONE"


def test_import_without_a_function_is_started_until_it_has_one(fresh: World) -> None:
    fresh.instead["import_lines"] = refuse_with(Throttled)
    import_id = start_import(fresh, texts(2))
    for hours in range(1, 7):
        fresh.settle()
        assert get_import(fresh, import_id)["status"] == "RUNNING"
        with later(hours):
            fresh.heartbeat()
    row = fresh.table.get(transfer_keys.import_job(fresh.owner, import_id)) or {}
    assert row["restarts"] == 0
    fresh.instead.clear()
    with later(8):
        fresh.heartbeat()
    fresh.settle()
    assert get_import(fresh, import_id)["status"] == "DONE"


def test_proof_slice_without_a_function_waits_for_a_place(fresh: World) -> None:
    fresh.instead["proof_slice"] = refuse_with(Throttled)
    job_id = validated(fresh, TEXT, **OPTIONS, engine="rules")
    post(fresh, job_id, "start")
    fresh.settle()
    job = get_job(fresh, job_id)
    assert (job["state"], job["phase"], job["wait_reason"]) == ("queued", "process", "waiting_for_place")
    fresh.instead.clear()
    with later(1):
        fresh.heartbeat()
    fresh.settle()
    assert state(fresh, job_id) == ("paused", "merge")


def test_proof_validation_without_a_function_says_so(fresh: World) -> None:
    fresh.instead["proof_validate"] = refuse_with(Throttled)
    job_id = create_job(fresh, TEXT, **OPTIONS, engine="rules")
    post(fresh, job_id, "validate")
    fresh.settle()
    assert "no free place" in get_job(fresh, job_id)["failure"]["message"]
    fresh.instead.clear()
    post(fresh, job_id, "validate")
    fresh.settle()
    assert state(fresh, job_id) == ("paused", "process")
