"""Round of a race: 32 threads start at once, and each gets an answer or a defined refusal."""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from readdo import clock
from readdo.errors import LeaseLost, RunIncomplete, VersionMismatch
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.write import Write, WriteRefused
from readdo.read import artifacts, history, item_keys
from readdo.read.capture import ItemDeleted
from readdo.read.rows import ItemRow
from readdo.store import keys
from readdo.store.idempotency import KeyReused
from readdo.store.table import DynamoTable
from support.sample_run import SampleRun
from support.tiers import RACE_ROUNDS
from support.world import World
from unit.lifecycle.expected import ITEM

THREADS = 32
# READDO_RACES is the total number of rounds. About twenty scenarios share them.
ROUNDS = max(1, int(os.environ.get("READDO_RACES", RACE_ROUNDS)) // 20)
MORE_ROUNDS = 10
OWN_ERRORS = (Refused, LeaseLost, VersionMismatch, RunIncomplete, KeyReused, ItemDeleted)
Action = Callable[[], Any]


class CountingTable(DynamoTable):
    """Real table that counts refused writes by kind of row.

    Without a refused write there was no race.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.refused: Counter[str] = Counter()

    def _call(self, call: Callable[[], Any], writes: Sequence[Write]) -> Any:
        try:
            return super()._call(call, writes)
        except WriteRefused as refused:
            self.refused[refused.write.key.sk.partition("#")[0]] += 1
            raise


class Arena:
    def __init__(self, world: World) -> None:
        self.world, self.sample = world, SampleRun(world)
        self.table = CountingTable(world.table.name)
        self.words: Counter[str] = Counter()
        self.last = world.owner

    def play(self, scenario: Callable[["Round"], None], rounds: int = ROUNDS) -> None:
        """Run the scenario several times.

        At least one write must be refused by the database, else there was no race.
        """
        before = self.table.refused.total()
        for number in range(rounds):
            scenario(Round(self, number))
        for number in range(rounds, rounds + MORE_ROUNDS):  # on a busy machine the threads may not meet at first
            if self.table.refused.total() == before:
                scenario(Round(self, number))
        assert self.table.refused.total() > before
        print(f"{scenario.__name__}: refused {dict(self.table.refused)}, told {dict(self.words)}")


class Round:
    def __init__(self, arena: Arena, number: int) -> None:
        self.arena, self.table, self.number = arena, arena.table, number
        self.owner = clock.new_id(clock.now())
        self._clean()

    def _clean(self) -> None:
        """Delete the rows of the last round: moto copies the complete table for each transaction."""
        last, self.arena.last = self.arena.last, self.owner
        owner_rows = list(self.table.keys_of(keys.owner(last)))
        inside = [
            item_keys.item_partition(last, key.sk.removeprefix("I#")) for key in owner_rows if key.sk.startswith("I#")
        ]
        self.table.delete_all([*owner_rows, *(key for pk in inside for key in self.table.keys_of(pk))])

    def race(self, *sides: tuple[int, Action]) -> list[list[Any]]:
        """Run the sides in threads and return the results or errors of each side.

        All threads start at one barrier, one of each side in turn.
        """
        runners_by_side = [[(side, place) for place in range(count)] for side, (count, _deed) in enumerate(sides)]
        results: list[list[Any]] = [[None] * len(side_runners) for side_runners in runners_by_side]
        runners = sorted(
            (runner for side_runners in runners_by_side for runner in side_runners), key=lambda runner: runner[1]
        )
        assert len(runners) == THREADS
        barrier = threading.Barrier(THREADS)

        def run(side: int, place: int) -> None:
            barrier.wait()
            try:
                results[side][place] = sides[side][1]()
            except Exception as error:
                results[side][place] = error

        threads = [threading.Thread(target=run, args=runner) for runner in runners]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._count_errors(error for side in results for error in side if isinstance(error, Exception))
        return results

    def _count_errors(self, errors: Iterator[Exception]) -> None:
        for error in errors:
            assert isinstance(error, OWN_ERRORS), f"no word of the product's own: {error!r}"
            self.arena.words[type(error).__name__] += 1

    def items(self) -> list[dict[str, Any]]:
        rows = self.table.query_all(keys.partition(keys.owner(self.owner)), keys.stretch(item_keys.ITEM_PREFIX))
        return [row for row in rows if "status" in row]

    def row(self, item_id: str) -> dict[str, Any]:
        row = self.table.get(item_keys.item(self.owner, item_id))
        assert row is not None
        return row

    def inside(self, item_id: str) -> list[dict[str, Any]]:
        return list(self.table.query(keys.partition(item_keys.item_partition(self.owner, item_id))).rows)


def accepted(side: list[Any]) -> list[Any]:
    return [result for result in side if not isinstance(result, Exception)]


def refused(side: list[Any], *words: type[Exception]) -> list[Any]:
    return [each for each in side if isinstance(each, words)]


def moves(round_: Round, row: dict[str, Any]) -> list[str]:
    """Return the triggers of an item's history, after checking that they form a valid chain to its state."""
    entries = history.full_history(round_.table, cast("ItemRow", row))
    state = "CAPTURED"
    assert (entries[0]["what"], entries[0]["to"]) == ("capture", state)
    for entry in entries[1:]:
        allowed = ITEM[entry["what"]]
        assert allowed.get(state) == entry["to"], f"{state} by {entry['what']} to {entry['to']}"
        state = entry["to"]
    assert state == row["status"]
    return [entry["what"] for entry in entries]


def numbers(round_: Round, row: dict[str, Any]) -> dict[str, list[int]]:
    """Return the versions of each kind, after checking that the item has counted them without a gap."""
    versions: dict[str, list[int]] = {kind: [] for kind in row["versions"]}
    for row_inside in round_.inside(row["id"]):
        if row_inside["sk"].startswith("A#"):
            versions[row_inside["type"]].append(row_inside["version"])
        if row_inside["sk"].startswith(item_keys.EXPORT_PREFIX):
            versions["export"].append(row_inside["artifact_version"])
    assert {kind: sorted(found) for kind, found in versions.items()} == {
        kind: list(range(1, count + 1)) for kind, count in row["versions"].items()
    }
    return versions


def is_complete(round_: Round, row: dict[str, Any]) -> bool:
    """Return whether the served artifacts are complete, of one run and readable."""
    served = row["served_run_id"]
    kinds = ("summary", "score", "todos", "card")
    served_artifacts = [artifacts.of_run(round_.table, round_.owner, row["id"], kind, served) for kind in kinds]
    return all(artifact is not None and artifact["payload"] for artifact in served_artifacts)
