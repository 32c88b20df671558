"""A run that its worker, its owner and its evidence all write: each knows what the others did meanwhile."""

from collections.abc import Callable
from typing import Any

import pytest

from readdo.do import evidence, run_updates, task_commands
from readdo.do.counters import HOUR_SHARDS, shard_of
from readdo.do.evidence import EvidenceRequest
from readdo.lifecycle.write import Key
from readdo.store import keys
from support.desk_races import A, RacedDesk, asked, run_id, taken
from support.races import T1, T2

Said = Callable[[RacedDesk, Key], dict[str, Any]]


@pytest.fixture
def table() -> RacedDesk:
    return RacedDesk()


def start(table: RacedDesk, run: Key) -> dict[str, Any]:
    return run_updates.start(asked(table, "start", T1), run_id(run))["run"]


def renew(table: RacedDesk, run: Key) -> dict[str, Any]:
    return run_updates.heartbeat(asked(table, "heartbeat", T1), run_id(run))["run"]


def test_how_long_a_run_took_is_counted_from_a_start_that_its_owners_cancel_did_not_see(table: RacedDesk) -> None:
    run = taken(table)
    table.after_a_look(run, lambda: start(table, run))
    task_commands.cancel(asked(table, "cancel", T2), A)
    after = table.rows[run]
    hour = table.rows[keys.count_of_hour("me", T2[:13], shard_of(run_id(run), HOUR_SHARDS))]
    assert (after["status"], after["started_at"], after["duration_seconds"]) == ("cancelled", T1, 60)
    assert (hour["cancelled"], hour["seconds"]) == (1, 60)


@pytest.mark.parametrize(("mine", "others"), [(renew, start), (start, renew)], ids=["renew", "start"])
def test_a_worker_is_told_of_its_run_with_what_was_written_meanwhile(
    table: RacedDesk, mine: Said, others: Said
) -> None:
    run = taken(table)
    table.after_a_look(run, lambda: others(table, run))
    told, after = mine(table, run), table.rows[run]
    assert (told["status"], told["version"]) == (after["status"], after["version"]) == ("running", 3)
    assert told["times_out_at"] == after["times_out_at"]


def test_of_two_starts_at_once_both_are_told_of_the_one_run(table: RacedDesk) -> None:
    run = taken(table)
    table.after_a_look(run, lambda: start(table, run))
    told = start(table, run)
    assert (told["status"], told["version"]) == ("running", table.rows[run]["version"])
    assert told["started_at"] == T1


def test_of_two_files_that_are_announced_at_once_neither_is_written_over(table: RacedDesk) -> None:
    run = taken(table)

    def attach(name: str) -> int:
        wish = EvidenceRequest("log", name, 10, "00" * 32)
        return int(evidence.attach(asked(table, "attach"), run_id(run), wish)["evidence"]["number"])

    table.after_a_look(run, lambda: attach("first.log"))
    assert attach("second.log") == 2
    kept = [table.rows[keys.evidence("me", run_id(run), number)]["name"] for number in (1, 2)]
    assert (kept, table.rows[run]["evidence"]) == (["first.log", "second.log"], 2)
