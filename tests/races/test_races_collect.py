"""Races of the Collect desk: pickers never share, an output is applied once, names and versions are all counted."""

import itertools
import json
from typing import Any

from races.race_round import ROUNDS, Arena, Round
from readdo import clock
from readdo.collect import (
    assignment_creation,
    assignment_lists,
    batch_output,
    batch_pick,
    collect_keys,
    document_library,
    figures,
)
from readdo.collect.assignment_validation import check_assignment
from readdo.lifecycle.collect_batch import FILE_WORKER
from readdo.store.commands import CommandContext
from support.collect_pool import document, output_of, supplement

NO_FILTER: dict[str, list[str]] = {"status": [], "type": [], "priority": [], "batch": []}


def add(round_: Round, *given: dict[str, Any]) -> Any:
    checked = [check_assignment(one) for one in given]
    return assignment_creation.create_all(
        round_.table, round_.owner, checked, clock.now(), lambda _: clock.new_id(clock.now())
    )


def pick(round_: Round) -> Any:
    context = CommandContext(round_.table, round_.owner, "pick", clock.now(), operation="collect")
    return batch_pick.pick_batch(context, FILE_WORKER)


def put(round_: Round, path: str, content: str) -> Any:
    return document_library.put_document(round_.table, round_.owner, path, content, clock.now())


def assignments(round_: Round) -> list[Any]:
    return assignment_lists.list_assignments(round_.table, round_.owner, NO_FILTER, "", 100)[0]


def assert_no_drift(round_: Round) -> None:
    assert figures.recount(round_.table, round_.owner).drift == {}


def pickers_never_share(round_: Round) -> None:
    add(round_, *(supplement(f"{n}") for n in range(12)))
    (batches,) = round_.race((32, lambda: pick(round_)))
    picked = [name for batch in batches if isinstance(batch, dict) for name in batch["ids"]]
    assert sorted(picked) == sorted(set(picked))
    rows = assignments(round_)
    assert {row["id"] for row in rows if row["status"] == "in_progress"} == set(picked)
    assert {row["attempts"] for row in rows if row["status"] == "in_progress"} <= {1}
    assert_no_drift(round_)


def output_is_applied_once(round_: Round) -> None:
    put(round_, "0.md", document())
    add(round_, *(supplement(f"{n}") for n in range(3)))
    batch = pick(round_)
    output = json.dumps(output_of(batch))
    other = json.dumps({**json.loads(output), "processed_at": "2025-01-01T00:00:00Z"})

    def send(text: str) -> Any:
        return batch_output.receive_output(round_.table, round_.owner, batch["batch_name"], text, lambda: True)

    round_.race((16, lambda: send(output)), (16, lambda: send(other)))
    rows = {row["id"]: row for row in assignments(round_)}
    assert [rows[name]["status"] for name in ("0", "1", "2")] == ["done", "partial", "partial"]
    assert {row["results"] for row in rows.values()} == {1}
    stored = round_.table.get(collect_keys.batch(round_.owner, batch["batch_name"]))
    assert stored is not None
    assert stored["status"] == "applied"
    assert_no_drift(round_)


def versions_and_names_are_all_counted(round_: Round) -> None:
    numbers, names = itertools.count(), itertools.count()
    puts, adds = round_.race(
        (16, lambda: put(round_, "a.md", f"text {next(numbers)}")),
        (16, lambda: add(round_, supplement(f"{next(names)}", "a.md"))),
    )
    stored = [row for row in puts if isinstance(row, tuple)]
    row = round_.table.get(collect_keys.document(round_.owner, "a.md"))
    assert row is not None
    assert row["version"] == len(list(round_.table.keys_of(collect_keys.versions(round_.owner, "a.md"))))
    assert row["version"] >= len(stored)
    assert row["named"] >= sum(not isinstance(one, Exception) for one in adds)
    assert_no_drift(round_)


def test_concurrent_picks(arena: Arena) -> None:
    arena.play(pickers_never_share)


def test_concurrent_outputs(arena: Arena) -> None:
    arena.play(output_is_applied_once)


def test_concurrent_puts_and_names(arena: Arena) -> None:
    arena.play(versions_and_names_are_all_counted, max(1, ROUNDS // 2))
