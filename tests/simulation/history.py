"""History of one seed: users and faults, then a time without faults, then the final checks."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from readdo.engine.metered_call import MeteredCalls
from readdo.errors import LeaseLost
from readdo.read.item_deletion import SWEEPS_SECONDS
from simulation import makers, surroundings
from simulation.bucket import StageBucket
from simulation.importers import Importers
from simulation.network import LEASE, NONE, Faults, Network
from simulation.restorers import Restorers
from simulation.savers import Savers
from simulation.stage import SKEW, Actor, Stage, Violation
from simulation.table import StageTable
from simulation.users import OWNERS, Users
from simulation.verdict import Verdict
from simulation.watch import Watch
from simulation.workers import Workers
from simulation.workflow import StageWorkflows

BEAT = 60.0


@dataclass(frozen=True)
class Theme:
    """Focus of a history.

    Without a focus, rare events (giving up, an open circuit breaker) would hardly occur.
    """

    captures: float = 0.1  # share of captures in the requests
    clients: tuple[int, int] = (3, 10)
    gaps: tuple[float, ...] = (0.1, 0.6, 2.0, 8.0, 60.0, 400.0)  # seconds between two clients
    faulty: tuple[float, ...] = (60.0, 400.0, 2500.0)  # seconds
    faults: Mapping[str, float] = field(default_factory=dict)
    lease: int = LEASE
    asks_a_model: bool = False  # always; without it in every other history
    buttons: Mapping[str, int] = field(default_factory=dict)  # higher weights of buttons
    works: float = 0.0  # share of visits by workers
    imports: float = 0.0  # … of users who import files
    backups: float = 0.0  # … of users who back up
    returns: float = 0.0  # … of users who restore into another account


_UNLUCKY = {**{f.name: 0.0 for f in fields(Faults)}, "renderer": 0.5, "site": 0.4, "model": 0.4}
# Histories whose backups are restored into another account: in one users edit, in the other every export fails.
EARLIER = (
    Theme(0.5, (14, 14), (2.0, 60.0, 400.0), (6000.0,), faults=_UNLUCKY, buttons={"export": 60, "edit": 60, "ship": 9}),
    Theme(0.5, (14, 14), (60.0, 400.0), (6000.0,), faults={**_UNLUCKY, "renderer": 0.95}, buttons={"export": 400}),
)
_QUICK = (0.1, 0.6, 2.0)
_DYING = {"crash_before": 0.1, "crash_after": 0.2}
_EXPORTS = {"export": 60, "archive": 20, "archive_failure": 25, "regenerate": 1}
THEMES = (
    *(Theme(), Theme(), Theme(captures=0.5), Theme(captures=0.02)),
    Theme(0.95, (7, 12), _QUICK, (900.0,), asks_a_model=True, faults={"model": 0.8}),
    Theme(0.95, (8, 12), _QUICK, (1500.0,), asks_a_model=True, faults={"model": 0.9, **_DYING}),
    Theme(captures=0.02, clients=(6, 12), gaps=(2.0, 60.0, 150.0), faulty=(2500.0,), faults={"model": 0.3}),
    Theme(faulty=(4500.0,), faults={"vanish": 0.3, "crash_after": 0.0}),
    Theme(lease=40, faults={"slow": 0.08, "vanish": 0.03}),
    Theme(0.1, (10, 16), (2.0, 20.0, 60.0), (900.0,), faults={"renderer": 0.7, "vanish": 0.0}, buttons=_EXPORTS),
    Theme(0.0, (30, 60), (0.1, 2.0, 20.0, 100.0), (2500.0,), works=1.0),
    Theme(0.3, (3, 6), (0.1, 2.0, 60.0), (900.0, 2000.0), lease=120, imports=0.7),
    Theme(0.8, (5, 9), (0.1, 2.0, 60.0), (900.0, 2000.0), lease=120, faults={"lost_unmade": 0.08}, backups=0.45),
    Theme(0.0, (12, 20), (2.0, 60.0, 400.0), (2500.0,), faults={"lost_unmade": 0.02}, returns=1.0),
    Theme(0.02, (5, 10), faulty=(4500.0,), faults={"vanish": 0.0, "vanish_export": 0.7}, buttons=_EXPORTS),
)


DAY = 86_400
# Lease, longest wait, second sweep of a tombstone, and a heartbeat for each.
SETTLES = LEASE + 900 + SWEEPS_SECONDS + 4 * BEAT
ACTS_MAX = 100_000


@dataclass(frozen=True)
class Outcome:
    seed: int
    wrong: str
    seen: Counter[str]
    lines: list[str]


class History:
    def __init__(self, seed: int, theme: Theme | None = None, *, verbose: bool = False) -> None:
        self.stage = Stage(seed, verbose=verbose)
        self.network = Network(self.stage)
        self.table = StageTable(self.network)
        self.bucket = StageBucket(self.network)
        self.workflows = StageWorkflows(self.network, self.invoke)
        self.site = makers.Site(self.network)
        self.spent: dict[str, int] = {}
        rng = self.stage.rng
        self.theme = theme or rng.choice(THEMES)
        # Work that waits for the next day's budget would delay its import, too.
        self.with_model = self.theme.asks_a_model or (rng.random() < 0.5 and not self.theme.imports)
        self.daily_tokens = rng.choice((900_000, 900_000, 900_000 if self.theme.asks_a_model else 9_000))
        self.watch = Watch(self.stage, self.table, self.bucket, self.daily_tokens)
        self.skips = rng.random() < 0.3
        self.folds = rng.random() < 0.2
        self.stage.skewed = rng.random() < 0.5
        self.users = Users(self, self.theme.captures, self.theme.buttons)
        self.workers = Workers(self.users)
        self.importers = Importers(self.users)
        self.savers = Savers(self.users)
        self.restorers = Restorers(self.users, earlier_backups() if self.theme.returns else ())
        self.watch.on_backup_change, self.watch.on_restore_change = self.savers.changed, self.restorers.changed
        self.slice = rng.choice((61.0, 63.0, 300.0))  # seconds; the last minute of a slice only finishes work

    def engine(self, owner: str) -> makers.StageEngine:
        metered = MeteredCalls(self.table, owner, self.daily_tokens) if self.with_model else None
        return makers.StageEngine(self.network, metered, self.spent)

    def invoke(self, room: str, event: dict[str, Any], after: float) -> Actor:
        copied = dict(event)
        began = self.stage.time + after
        context = makers.context(lambda: self.stage.time - began, self.slice if room in ("backup", "restore") else 60.0)
        name = f"{room} {str(event.get('run', ''))[-4:]}·{event.get('epoch', '')}"
        return self.stage.spawn(
            "room",
            name,
            lambda: self._run_handler(room, copied, context),
            after=after,
            fence=_fence(room, event),
        )

    def _run_handler(self, room: str, event: dict[str, Any], context: Any) -> Any:
        actor = self.stage.actor
        try:
            answer = surroundings.room(room).handler(event, context)
        except LeaseLost:
            self.stage.seen[f"{room} leaves, since it holds nothing"] += 1
            raise
        if actor and actor.unsure:
            self.stage.seen["a lost answer does no harm"] += 1
        if room == "heartbeat":
            self.stage.seen.update({f"the heartbeat: {what}": count for what, count in answer.items()})
        return answer

    def moved(self, machine: str, trigger: str, _state: str | None) -> None:
        self.stage.seen[f"{machine}: {trigger}"] += 1

    def play(self) -> None:
        stage = self.stage
        self.users.come(stage.rng.randint(*self.theme.clients), self.theme.gaps)
        self.network.faults = replace(Faults.random(stage.rng), **self.theme.faults)
        self._run_until(stage.time + stage.rng.choice(self.theme.faulty))
        self.network.faults = NONE
        stage.say("— no more faults —")
        self._run_until(stage.time + DAY, until=lambda: all(actor.kind != "client" for actor in stage.actors))
        self.settle()
        Verdict(self, self.users.answers).check()

    def settle(self) -> None:
        # An import captures as many lines as fit in flight, then waits until these settle.
        self._run_until(self.stage.time + SETTLES * (4 if self.theme.imports else 1), until=self._is_quiet)

    def _run_until(self, latest: float, *, until: Callable[[], bool] = lambda: False) -> None:
        stage = self.stage
        beats = stage.time
        for _ in range(ACTS_MAX):
            if stage.time >= latest or until():
                return
            if stage.time >= beats:
                beats = stage.time + BEAT
                self._beat()
            stage.act(min(beats, latest))
        raise Violation(f"6: {ACTS_MAX} acts and no end")

    def _beat(self) -> None:
        """Run a heartbeat if work is due; now and then run two."""
        if not self._is_anything_due(SKEW):
            return
        beats = 2 if self.network.happens("twice") else 1
        self.stage.seen["two heartbeats at once"] += beats > 1
        for _ in range(beats):
            self.stage.seen["a heartbeat"] += 1
            self.invoke("heartbeat", {}, 0.0)

    def _is_quiet(self) -> bool:
        return not self.stage.actors and not self._is_anything_due(SETTLES)

    def _is_anything_due(self, within: float) -> bool:
        latest = self.stage.stamp(within)
        # A task that waits for another one is checked repeatedly until that one is done.
        waits = (row.get("blocked_reason") == "dependency" and within > SKEW for row in self.table.due())
        return any(row["due_at"] <= latest for row, waiting in zip(self.table.due(), waits, strict=True) if not waiting)


def _fence(room: str, event: dict[str, Any]) -> dict[str, Any]:
    """Return the lease that a worker of this event must hold to write.

    The function that takes the lease does not hold it yet.
    """
    if room in ("lease", "heartbeat"):
        return {}
    if "backup" in event:
        return {"owner": event["owner"], "backup_id": event["backup"], "epoch": event["epoch"]}
    if "restore" in event:
        return {"owner": event["owner"], "restore_id": event["restore"], "epoch": event["epoch"]}
    if "import" in event:
        return {"owner": event["owner"], "import_id": event["import"], "epoch": event["epoch"]}
    more = {"export": event["export"]} if "export" in event else {"run": event["run"]}
    return {"owner": event["owner"], "item_id": event["item"], "epoch": event.get("epoch", 0), **more}


@cache
def earlier_backups() -> tuple[bytes, ...]:
    """Return backups of a few histories: two per history, the second later than the first."""
    return tuple(file for seed in range(6) for file in _run_and_save(seed))


def _run_and_save(seed: int) -> tuple[bytes, bytes]:
    history = History(seed, EARLIER[seed % len(EARLIER)])
    surroundings.on(history)
    with surroundings.settings(history):
        try:
            history.play()
            first = history.savers.back_up(OWNERS[0])
            history.users.come(10, (1.0,))
            history.settle()
            return first, history.savers.back_up(OWNERS[0])
        finally:
            history.stage.leave()


def played(seed: int, *, verbose: bool = False) -> Outcome:
    """Run one history; the stage must be set up.

    The outcome names the broken invariant, if any, and the events.
    """
    history = History(seed, verbose=verbose)
    surroundings.on(history)
    wrong = ""
    with surroundings.settings(history):
        try:
            history.play()
        except Violation as violation:
            wrong = str(violation)
        finally:
            history.stage.leave()
    return Outcome(seed, wrong, history.stage.seen, history.stage.lines or [])
