"""Matrix of calls and faults: record the scenarios' calls, derive the cells, run one cell."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from faults.fault_calls import Call, Visit
from faults.fault_kinds import FAULTS, KINDS, UNSEEN, Fault
from faults.fault_scenes import ASKING, IN_SHORT, SCENARIOS, Scenario
from faults.fault_stage import Snapshot, Stage
from faults.fault_whole import problems


@dataclass(frozen=True)
class Cell:
    scenario: Scenario
    call: Call
    fault: Fault

    def __str__(self) -> str:
        return f"{self.scenario.name}: {self.call}: {self.fault.name}"


@dataclass
class StartStates:
    """Start state of each scenario, prepared once."""

    stage: Stage
    empty: Snapshot
    snapshots: dict[str, Snapshot]
    trails: dict[str, list[str]] = field(default_factory=dict)  # the item's history without a fault

    def of(self, scenario: Scenario) -> Snapshot:
        if scenario.name not in self.snapshots:
            self.stage.begin(self.empty, scenario.engine, scenario.inline)
            scenario.prepare(self.stage)
            self.stage.settle()
            self.snapshots[scenario.name] = self.stage.snapshot()
        return self.snapshots[scenario.name]


def prepare_start_states(stage: Stage) -> StartStates:
    return StartStates(stage, stage.snapshot(), {})


def record(start_states: StartStates, scenario: Scenario) -> list[Call]:
    """Return every call of the undisturbed scenario, in order."""
    stage = start_states.stage
    stage.begin(start_states.of(scenario), scenario.engine, scenario.inline)
    calls: list[Call] = []
    stage.calls = calls
    scenario.act(stage)
    stage.calm()
    stage.calls = None
    wrong = problems(stage, scenario)
    assert wrong == [], f"{scenario.name}: {wrong}"
    start_states.trails[scenario.name] = trail(stage)
    return calls


def trail(stage: Stage) -> list[str]:
    return [entry["what"] for entry in stage.item().get("history", ())]


def _leaves_no_trace(cell: Cell) -> bool:
    """Return whether the fault must leave no trace in the item's history.

    A write is read back after an unknown outcome. A token counter is not, so its step runs again.
    """
    counter = cell.call.room in ASKING and cell.call.operation != "TransactWriteItems"
    unread = cell.call.service not in ("dynamodb", "stepfunctions") or counter
    if "record_failure" in cell.scenario.own:
        return False  # the scenario's own failure happens once, so a second delivery succeeds
    return cell.fault.name in UNSEEN and not (cell.fault.name == "unanswered" and unread)


Recorded = Mapping[str, list[Call]]
Place = tuple[Scenario, Call]


def all_cells(recorded: Recorded) -> Iterator[Cell]:
    """Yield every call of every scenario × every form of every fault that fits the call."""
    for scenario in SCENARIOS:
        for call in recorded[scenario.name]:
            yield from (Cell(scenario, call, fault) for fault in FAULTS if fault.fits(call))


def short_cells(recorded: Recorded) -> Iterator[Cell]:
    """Yield every call × every kind of fault, once.

    Several scenarios may make a call (the same function, service, operation and number): each fault hits it in another
    scenario, and the forms of a fault take turns. So every scenario is disturbed, and every form is used.
    """
    turns: Counter[tuple[Fault, ...]] = Counter()
    for number, places in enumerate(_places(recorded).values()):
        for step, of in enumerate(KINDS):
            scenario, call = places[(number + step) % len(places)]
            forms = tuple(fault for fault in FAULTS if fault.of == of and fault.fits(call))
            if forms:
                yield Cell(scenario, call, forms[turns[forms] % len(forms)])
                turns[forms] += 1


def _places(recorded: Recorded) -> dict[tuple[str, str, str, int], list[Place]]:
    """Return the scenarios that make each call: those that own the call, if there are any."""
    all_places: dict[tuple[str, str, str, int], list[Place]] = {}
    own: dict[tuple[str, str, str, int], list[Place]] = {}
    for scenario in IN_SHORT:
        for call in recorded[scenario.name]:
            all_places.setdefault(call.same, []).append((scenario, call))
            if call.room in scenario.own:
                own.setdefault(call.same, []).append((scenario, call))
    return all_places | own


def play(start_states: StartStates, *cells: Cell) -> list[str]:
    """Run a scenario with these faults and return the problems at the end."""
    stage, scenario = start_states.stage, cells[0].scenario
    stage.begin(start_states.of(scenario), scenario.engine, scenario.inline)
    stage.armed = tuple((cell.call, cell.fault) for cell in cells)
    scenario.act(stage)
    stage.calm()
    if len(stage.injected) < len(cells):
        return [f"the call was not made: {cells[len(stage.injected)]}"]
    for injection, cell in zip(stage.injected, cells, strict=True):
        if cell.fault.name == "late":
            _deliver_late(stage, injection.visit)
    if any(rows != stage.of_item() for rows in stage.passed):
        stage.wrong.append("what came after its time changed something")
    if (
        len(cells) == 1
        and _leaves_no_trace(cells[0])
        and (history := trail(stage)) != start_states.trails[scenario.name]
    ):
        stage.wrong.append(f"it should have cost nothing: {history}")
    return problems(stage, scenario)


def _deliver_late(stage: Stage, visit: Visit) -> None:
    before = stage.of_item()
    stage.once_more(visit)
    stage.calm()
    if stage.of_item() != before:
        stage.wrong.append("a late delivery changed something")
