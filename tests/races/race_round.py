"""A round: 32 threads let go at once, each of whom must be answered, or refused in a word of the product's own."""

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from expected import ITEM

from readdo import clock, ids
from readdo.errors import LeaseLost, RunIncomplete, VersionMismatch
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.write import Write, WriteRefused
from readdo.read.capture import ItemDeleted
from readdo.store import artifacts, history, keys
from readdo.store.idempotency import KeyReused
from readdo.store.table import DynamoTable
from support.sample_run import SampleRun
from support.tiers import RACE_ROUNDS
from support.world import World

THREADS = 32
# READDO_RACES: how many rounds in all. There are twenty scenes, and each has its share.
ROUNDS = max(1, int(os.environ.get("READDO_RACES", RACE_ROUNDS)) // 20)
OWN_WORDS = (Refused, LeaseLost, VersionMismatch, RunIncomplete, KeyReused, ItemDeleted)
Deed = Callable[[], Any]


class Watched(DynamoTable):
    """The real table; it counts what the database refused, by the kind of row: a race in which nobody lost is none."""

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
        self.table = Watched(world.table.name)
        self.words: Counter[str] = Counter()
        self.last = world.owner

    def play(self, scene: Callable[["Round"], None], rounds: int = ROUNDS) -> None:
        """Round after round. Somebody must have lost by the database's word, or it was no race."""
        before = self.table.refused.total()
        for number in range(rounds):
            scene(Round(self, number))
        assert self.table.refused.total() > before
        print(f"{scene.__name__}: refused {dict(self.table.refused)}, told {dict(self.words)}")


class Round:
    def __init__(self, arena: Arena, number: int) -> None:
        self.arena, self.table, self.number = arena, arena.table, number
        self.owner = ids.new(clock.now())
        self._clean()

    def _clean(self) -> None:
        """Of the last round's rows: moto copies the whole table for each transaction."""
        last, self.arena.last = self.arena.last, self.owner
        mine = list(self.table.keys_of(keys.owner(last)))
        inside = [keys.inside(last, key.sk.removeprefix("I#")) for key in mine if key.sk.startswith("I#")]
        self.table.delete_all([*mine, *(key for pk in inside for key in self.table.keys_of(pk))])

    def race(self, *sides: tuple[int, Deed]) -> list[list[Any]]:
        """What each thread of each side returned or was told; the sides begin in turn, one of each, at one barrier."""
        lines = [[(side, place) for place in range(count)] for side, (count, _deed) in enumerate(sides)]
        found: list[list[Any]] = [[None] * len(line) for line in lines]
        runners = sorted((runner for line in lines for runner in line), key=lambda runner: runner[1])
        assert len(runners) == THREADS
        barrier = threading.Barrier(THREADS)

        def run(side: int, place: int) -> None:
            barrier.wait()
            try:
                found[side][place] = sides[side][1]()
            except Exception as error:
                found[side][place] = error

        threads = [threading.Thread(target=run, args=runner) for runner in runners]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self._heard(told for side in found for told in side if isinstance(told, Exception))
        return found

    def _heard(self, errors: Iterator[Exception]) -> None:
        for error in errors:
            assert isinstance(error, OWN_WORDS), f"no word of the product's own: {error!r}"
            self.arena.words[type(error).__name__] += 1

    def items(self) -> list[dict[str, Any]]:
        found = self.table.query_all(keys.partition(keys.owner(self.owner)), keys.stretch(keys.ITEM_PREFIX))
        return [row for row in found if "status" in row]

    def row(self, item_id: str) -> dict[str, Any]:
        found = self.table.get(keys.item(self.owner, item_id))
        assert found is not None
        return found

    def inside(self, item_id: str) -> list[dict[str, Any]]:
        return list(self.table.query(keys.partition(keys.inside(self.owner, item_id))).rows)


def granted(side: list[Any]) -> list[Any]:
    return [told for told in side if not isinstance(told, Exception)]


def told(side: list[Any], *words: type[Exception]) -> list[Any]:
    return [each for each in side if isinstance(each, words)]


def moves(round_: Round, row: dict[str, Any]) -> list[str]:
    """Its history, which must be a chain of what the product promises, and end where the item is."""
    entries = history.whole(round_.table, row)
    state = "CAPTURED"
    assert (entries[0]["what"], entries[0]["to"]) == ("capture", state)
    for entry in entries[1:]:
        allowed = ITEM[entry["what"]]
        assert allowed.get(state) == entry["to"], f"{state} by {entry['what']} to {entry['to']}"
        state = entry["to"]
    assert state == row["status"]
    return [entry["what"] for entry in entries]


def numbers(round_: Round, row: dict[str, Any]) -> dict[str, list[int]]:
    """The versions of each kind that lie there; `versions` of the item must have counted them without a gap."""
    found: dict[str, list[int]] = {kind: [] for kind in row["versions"]}
    for kept in round_.inside(row["id"]):
        if kept["sk"].startswith("A#"):
            found[kept["type"]].append(kept["version"])
        if kept["sk"].startswith(keys.EXPORT_PREFIX):
            found["export"].append(kept["artifact_version"])
    assert {kind: sorted(given) for kind, given in found.items()} == {
        kind: list(range(1, count + 1)) for kind, count in row["versions"].items()
    }
    return found


def is_whole(round_: Round, row: dict[str, Any]) -> bool:
    """Whether the set that the item serves is all of one run, and can be read."""
    served = row["served_run_id"]
    kinds = ("summary", "score", "todos", "card")
    found = [artifacts.of_run(round_.table, round_.owner, row["id"], kind, served) for kind in kinds]
    return all(made is not None and made["payload"] for made in found)
