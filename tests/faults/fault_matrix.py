"""The matrix: what is recorded of every scene, which cells follow from it, and one cell played to its end."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fault_calls import Call, Visit
from fault_kinds import FAULTS, KINDS, UNSEEN, Fault
from fault_scenes import ASKING, IN_SHORT, SCENES, Scene
from fault_stage import Kept, Stage
from fault_whole import problems


@dataclass(frozen=True)
class Cell:
    scene: Scene
    call: Call
    fault: Fault

    def __str__(self) -> str:
        return f"{self.scene.name}: {self.call}: {self.fault.name}"


@dataclass
class Beginnings:
    """How each scene begins, prepared once."""

    stage: Stage
    empty: Kept
    kept: dict[str, Kept]
    trails: dict[str, list[str]] = field(default_factory=dict)  # what happens to the item, undisturbed

    def of(self, scene: Scene) -> Kept:
        if scene.name not in self.kept:
            self.stage.begin(self.empty, scene.engine, scene.inline)
            scene.prepare(self.stage)
            self.stage.settle()
            self.kept[scene.name] = self.stage.keep()
        return self.kept[scene.name]


def beginnings(stage: Stage) -> Beginnings:
    return Beginnings(stage, stage.keep(), {})


def record(found: Beginnings, scene: Scene) -> list[Call]:
    """Every call that the undisturbed scene makes, in order."""
    stage = found.stage
    stage.begin(found.of(scene), scene.engine, scene.inline)
    calls: list[Call] = []
    stage.calls = calls
    scene.act(stage)
    stage.calm()
    stage.calls = None
    wrong = problems(stage, scene)
    assert wrong == [], f"{scene.name}: {wrong}"
    found.trails[scene.name] = trail(stage)
    return calls


def trail(stage: Stage) -> list[str]:
    return [entry["what"] for entry in stage.item().get("history", ())]


def _needs_nothing(cell: Cell) -> bool:
    """A write of ours is read back, and found; a counter of tokens is not, and its step is done again."""
    counter = cell.call.room in ASKING and cell.call.operation != "TransactWriteItems"
    unread = cell.call.service not in ("dynamodb", "stepfunctions") or counter
    if "record_failure" in cell.scene.own:
        return False  # its own failure comes once, so that a second delivery fares better
    return cell.fault.name in UNSEEN and not (cell.fault.name == "unanswered" and unread)


Recorded = Mapping[str, list[Call]]
Place = tuple[Scene, Call]


def all_cells(recorded: Recorded) -> Iterator[Cell]:
    """Every call of every scene × every form of every fault that fits it."""
    for scene in SCENES:
        for call in recorded[scene.name]:
            yield from (Cell(scene, call, fault) for fault in FAULTS if fault.fits(call))


def short_cells(recorded: Recorded) -> Iterator[Cell]:
    """Every call × every kind of fault, once.

    A call that several scenes make (the same room, service, operation and number) is struck by each fault in another of
    them, and a fault that has several forms takes turns; so every scene is disturbed, and every form is used.
    """
    turns: Counter[tuple[Fault, ...]] = Counter()
    for number, places in enumerate(_places(recorded).values()):
        for step, of in enumerate(KINDS):
            scene, call = places[(number + step) % len(places)]
            forms = tuple(fault for fault in FAULTS if fault.of == of and fault.fits(call))
            if forms:
                yield Cell(scene, call, forms[turns[forms] % len(forms)])
                turns[forms] += 1


def _places(recorded: Recorded) -> dict[tuple[str, str, str, int], list[Place]]:
    """Where each call is made: in the scenes whose own it is, if there are such."""
    found: dict[tuple[str, str, str, int], list[Place]] = {}
    own: dict[tuple[str, str, str, int], list[Place]] = {}
    for scene in IN_SHORT:
        for call in recorded[scene.name]:
            found.setdefault(call.same, []).append((scene, call))
            if call.room in scene.own:
                own.setdefault(call.same, []).append((scene, call))
    return found | own


def play(found: Beginnings, *cells: Cell) -> list[str]:
    """What is wrong in the end, when these have struck, one after the other."""
    stage, scene = found.stage, cells[0].scene
    stage.begin(found.of(scene), scene.engine, scene.inline)
    stage.armed = tuple((cell.call, cell.fault) for cell in cells)
    scene.act(stage)
    stage.calm()
    if len(stage.struck) < len(cells):
        return [f"the call was not made: {cells[len(stage.struck)]}"]
    for blow, cell in zip(stage.struck, cells, strict=True):
        if cell.fault.name == "late":
            _deliver_late(stage, blow.visit)
    if any(rows != stage.of_item() for rows in stage.passed):
        stage.wrong.append("what came after its time changed something")
    if len(cells) == 1 and _needs_nothing(cells[0]) and (made := trail(stage)) != found.trails[scene.name]:
        stage.wrong.append(f"it should have cost nothing: {made}")
    return problems(stage, scene)


def _deliver_late(stage: Stage, visit: Visit) -> None:
    before = stage.of_item()
    stage.once_more(visit)
    stage.calm()
    if stage.of_item() != before:
        stage.wrong.append("a late delivery changed something")
