"""Concurrent changes of a run by its worker, its owner and its evidence are all kept."""

from collections.abc import Callable
from typing import Any

import pytest

from readdo.do import evidence, run_updates, task_commands, task_rows
from readdo.do.evidence import EvidenceRequest
from readdo.do.run_completion import HOUR_SHARDS
from readdo.lifecycle.write import Key
from readdo.store.counters import shard_of
from support.desk_races import A, RacedDesk, claim_new_task, command_context, run_id
from support.races import T1, T2

RunUpdate = Callable[[RacedDesk, Key], dict[str, Any]]


@pytest.fixture
def table() -> RacedDesk:
    return RacedDesk()


def start(table: RacedDesk, run: Key) -> dict[str, Any]:
    return run_updates.start(command_context(table, "start", T1), run_id(run))["run"]


def renew(table: RacedDesk, run: Key) -> dict[str, Any]:
    return run_updates.heartbeat(command_context(table, "heartbeat", T1), run_id(run))["run"]


def test_cancel_counts_the_duration_from_a_start_made_meanwhile(table: RacedDesk) -> None:
    run = claim_new_task(table)
    table.after_read(run, lambda: start(table, run))
    task_commands.cancel(command_context(table, "cancel", T2), A)
    after = table.rows[run]
    hour = table.rows[task_rows.count_of_hour("me", T2[:13], shard_of(run_id(run), HOUR_SHARDS))]
    assert (after["status"], after["started_at"], after["duration_seconds"]) == ("cancelled", T1, 60)
    assert (hour["cancelled"], hour["seconds"]) == (1, 60)


@pytest.mark.parametrize(("own_update", "other_update"), [(renew, start), (start, renew)], ids=["renew", "start"])
def test_run_update_returns_concurrent_changes(
    table: RacedDesk, own_update: RunUpdate, other_update: RunUpdate
) -> None:
    run = claim_new_task(table)
    table.after_read(run, lambda: other_update(table, run))
    returned, after = own_update(table, run), table.rows[run]
    assert (returned["status"], returned["version"]) == (after["status"], after["version"]) == ("running", 3)
    assert returned["times_out_at"] == after["times_out_at"]


def test_concurrent_starts_return_the_same_run(table: RacedDesk) -> None:
    run = claim_new_task(table)
    table.after_read(run, lambda: start(table, run))
    returned = start(table, run)
    assert (returned["status"], returned["version"]) == ("running", table.rows[run]["version"])
    assert returned["started_at"] == T1


def test_concurrent_evidence_gets_separate_numbers(table: RacedDesk) -> None:
    run = claim_new_task(table)

    def attach(name: str) -> int:
        request = EvidenceRequest("log", name, 10, "00" * 32)
        return int(evidence.attach(command_context(table, "attach"), run_id(run), request)["evidence"]["number"])

    table.after_read(run, lambda: attach("first.log"))
    assert attach("second.log") == 2
    names = [table.rows[task_rows.evidence_key("me", run_id(run), number)]["name"] for number in (1, 2)]
    assert (names, table.rows[run]["evidence"]) == (["first.log", "second.log"], 2)
