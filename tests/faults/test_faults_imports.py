"""Each call of those who bring in × each fault: every line of a file has one result, and every item is there once.

The file is asked for, sent and started by a client that asks again; then the heartbeat has its time.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from fault_calls import HEARTBEAT, Call, Visit
from fault_kinds import FAULTS, KINDS, Fault
from fault_matrix import Beginnings, beginnings
from fault_opened import stage
from fault_scenes import vanish
from fault_stage import Stage, running
from fault_whole import REST_SECONDS

from contracts.template_rights import rights_of_functions
from readdo.lifecycle.item import ITEM
from readdo.read.imports import line_capture, lines, pages
from readdo.store import keys
from support.import_helpers import send
from support.tiers import FAULTS_SHARE, share
from support.world import TEXT

EVERY = os.environ.get("READDO_FAULTS") == "all"
ROOMS = {"read_file": {"dynamodb", "s3"}, "import_lines": {"dynamodb", "s3", "stepfunctions"}}
KNOWN, LONG = "https://example.org/known", f"{TEXT}\n\n" * 12  # a text that lies in the bucket
Act = Callable[[Stage], None]


def a_line(name: str, **more: Any) -> dict[str, Any]:
    return {"url": f"https://example.org/{name}", "title": name, **more}


MIXED = [
    a_line("long", content=LONG, tags=["one"]),
    a_line("old", archived=True),
    a_line("known", note="for the talk on Monday"),
    a_line("long#part", tags=["two"]),
    {"title": "no page"},
]
FLYING = [a_line("a", content=TEXT), a_line("b", content=TEXT)]


@dataclass(frozen=True)
class Scene:
    name: str
    said: list[dict[str, Any]]
    results: str  # of its lines, by their first letters
    process: bool
    act: Act
    own: frozenset[str]  # the rooms that are struck here
    dead: int = 0  # starts that are not heard of again in the story itself


def ask(stage: Stage, scene_lines: list[dict[str, Any]], *, process: bool) -> str:
    body = "\n".join(map(json.dumps, scene_lines)).encode()
    wish = {"filename": "saved.jsonl", "size": len(body), "process": process, "intent_text": "make our queue safe"}
    asked = stage.client("POST", "/import", wish, "ask").json
    send(asked["upload"], body)
    return str(asked["import"]["id"])


def start(stage: Stage, import_id: str, verb: str = "start") -> None:
    stage.client("POST", f"/imports/{import_id}/{verb}", {})


def bring_in(stage: Stage) -> None:
    start(stage, ask(stage, MIXED, process=False))


def fly(stage: Stage) -> None:
    start(stage, ask(stage, FLYING, process=True))


def die_twice(stage: Stage) -> None:
    """Who reads is not heard of, and neither is who brings in."""
    vanish(stage, "read_file")
    vanish(stage, "import_lines")
    bring_in(stage)


def stop_and_go(stage: Stage) -> None:
    """Paused before a line is brought in, and gone on with."""
    import_id = ask(stage, MIXED, process=False)
    vanish(stage, "import_lines")
    start(stage, import_id)
    stage.settle()
    for verb in ("pause", "resume"):
        start(stage, import_id, verb)


SCENES = (
    Scene("brought-in", MIXED, "ccjdb", False, bring_in, frozenset({"http_api import", "http_api start", *ROOMS})),
    Scene("flying", FLYING, "cc", True, fly, frozenset({"import_lines"})),
    Scene("dead", MIXED, "ccjdb", False, die_twice, frozenset({HEARTBEAT}), 2),
    Scene("stopped", MIXED, "ccjdb", False, stop_and_go, frozenset({"http_api pause", "http_api resume"})),
)
RESULTS = {"c": "captured", "j": "joined", "d": "duplicate", "b": "bad"}


@pytest.fixture(scope="module")
def begun() -> Iterator[Beginnings]:
    with stage() as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "LINES", 3)
        patch.setattr(line_capture, "AT_ONCE", 1)  # in order, so that each call has a number
        patch.setattr(lines, "SLICES_MAX", lines.SLICES_MAX)  # set by each scene
        opened.fenced, opened.between_beats = of_import, 60
        found = beginnings(opened)
        opened.begin(found.empty, "extractive", 4096)
        made = {"intent_text": "it was here before", "url": KNOWN, "process": False}
        assert opened.client("POST", "/capture", made).status == 201
        yield beginnings(opened)


def of_import(stage: Stage) -> list[dict[str, Any]]:
    """What a start notes. The items of a line that two have brought in are one: they need no lease."""
    return [row for row in stage.rows() if "told" in row or "in_flight" in row]


def begin(begun: Beginnings, scene: Scene) -> Stage:
    begun.stage.begin(begun.empty, "extractive", 4096)
    # Where items fly, the next slice is the heartbeat's, when they have landed.
    lines.SLICES_MAX = 1 if scene.process else 100
    return begun.stage


def play(begun: Beginnings, scene: Scene, *armed: tuple[Call, Fault]) -> list[str]:
    stage = begin(begun, scene)
    stage.armed = armed
    scene.act(stage)
    stage.calm()
    if stage.struck and stage.ahead - stage.struck_at > REST_SECONDS + scene.dead * 900:
        stage.wrong.append(f"it took {stage.ahead - stage.struck_at:.0f} s to come to rest")
    for blow, (_, fault) in zip(stage.struck, armed, strict=False):
        if fault.name == "late":
            deliver_late(stage, blow.visit)
    unstruck = [] if len(stage.struck) == len(armed) else ["the call was not made"]
    return [*stage.wrong, *unstruck, *wrong_with(stage, scene)]


def deliver_late(stage: Stage, visit: Visit) -> None:
    before = stage.rows()
    stage.once_more(visit)
    stage.calm()
    if stage.rows() != before:
        stage.wrong.append("a late delivery changed something")


def wrong_with(stage: Stage, scene: Scene) -> Iterator[str]:
    rows = stage.rows()
    imports = [row for row in rows if row["sk"].startswith(keys.IMPORT_PREFIX) and "counts" in row]
    if stage.done["let_go"]:  # so slow was somebody that its file was not waited for any longer
        yield from (f"let go, and it is {row['status']}" for row in imports if row["status"] != "FAILED")
        return
    if [row["status"] for row in imports] != ["DONE"]:
        yield f"imports: {[(row['status'], row.get('failure')) for row in imports]}"
        return
    yield from (f"{row['sk']} is due at {row['due_at']}" for row in rows if "due_at" in row)
    yield from (f"{arn} runs" for arn in running())
    told = sorted((row for row in rows if "told" in row), key=lambda row: (row["page"], row["offset"]))
    yield from _placed(told)
    results = [one["result"] for row in told for one in row["told"]]
    if results != [RESULTS[letter] for letter in scene.results]:
        yield f"the lines ended as {results}"
    counts = {**Counter(results), "lines": len(scene.said), "archived": sum("archived" in one for one in scene.said)}
    if {name: count for name, count in imports[0]["counts"].items() if count} != {n: c for n, c in counts.items() if c}:
        yield f"it counts {imports[0]['counts']}, and there are {counts}"
    if imports[0]["in_flight"]:
        yield f"it still waits for {imports[0]['in_flight']}"
    yield from _items(rows, scene, {one["item"] for row in told for one in row["told"] if "item" in one})


def _placed(told: list[dict[str, Any]]) -> Iterator[str]:
    """The results of a page follow each other."""
    nexts: Counter[int] = Counter()
    for row in told:
        if row["offset"] != nexts[row["page"]]:
            yield f"page {row['page']} has results at {row['offset']}, not at {nexts[row['page']]}"
        nexts[row["page"]] = row["offset"] + len(row["told"])


def _items(rows: list[dict[str, Any]], scene: Scene, named: set[str]) -> Iterator[str]:
    items = [row for row in rows if row["sk"].startswith(keys.ITEM_PREFIX) and "status" in row]
    saves = Counter(line["url"].partition("#")[0] for line in scene.said if "url" in line) + Counter([KNOWN])
    if Counter({row["url"]: row.get("save_count", 1) for row in items}) != saves or len(items) != len(saves):
        yield f"items: {[(row['url'], row.get('save_count', 1)) for row in items]}"
    if named != {row["id"] for row in items if row["url"] != KNOWN or "known" in json.dumps(scene.said)}:
        yield "the results name other items than there are"
    for row in items:
        moves = [entry["what"] for entry in row["history"]]
        ends = "ARCHIVED" if row["url"].endswith("old") else "READY" if scene.process else "CAPTURED"
        if row["url"] != KNOWN and (row["status"] != ends or moves.count("capture") != 1):
            yield f"{row['url']} is {row['status']}: {moves}"
        if set(moves) - set(ITEM.triggers):
            yield f"{row['url']} was moved by {moves}"


def recorded(begun: Beginnings, scene: Scene) -> list[Call]:
    stage = begin(begun, scene)
    calls: list[Call] = []
    stage.calls = calls
    scene.act(stage)
    stage.calm()
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage, scene)] == []
    return list(dict.fromkeys(calls))


def test_every_service_of_those_who_bring_in_is_struck(begun: Beginnings) -> None:
    seen: dict[str, set[str]] = {room: set() for room in ROOMS}
    for call in (call for scene in SCENES for call in recorded(begun, scene)):
        if call.room in ROOMS:
            seen[call.room].add(call.service)
    words = {"states": "stepfunctions"}
    allowed = {room: {action.split(":")[0] for action, _ in rights_of_functions()[room]} for room in ROOMS}
    assert seen == {room: {words.get(of, of) for of in services} for room, services in allowed.items()} == ROOMS


def cells(begun: Beginnings) -> Iterator[tuple[Scene, Call, Fault]]:
    """Every call × every fault; in short each call once by one or two kinds of fault, in turn, as their forms are."""
    struck: set[tuple[str, str, str, int]] = set()
    for scene in SCENES:
        calls = [
            call for call in recorded(begun, scene) if call.room in scene.own and (EVERY or call.same not in struck)
        ]
        # The heartbeat's looks for what is due are the same whatever is: the matrix of items strikes them.
        calls = [call for call in calls if EVERY or (call.room, call.operation) != (HEARTBEAT, "Query")]
        struck |= {call.same for call in calls}
        for number, call in enumerate(calls):
            for kind in KINDS if EVERY else KINDS[number % 4 :: 4]:
                forms = [fault for fault in FAULTS if fault.of == kind and fits(scene, call, fault)]
                chosen = forms if EVERY else forms[number // 4 % max(1, len(forms)) :][:1]
                yield from ((scene, call, fault) for fault in chosen)


def fits(scene: Scene, call: Call, fault: Fault) -> bool:
    """A button that comes days later says no: nobody promises otherwise. What flies is due before its import is."""
    passes = {"late": call.room in ROOMS, "overtaken": not scene.process}
    return fault.fits(call) and passes.get(fault.name, True)


def test_after_any_single_fault_every_line_has_one_result_and_every_item_is_there_once(begun: Beginnings) -> None:
    mine = list(cells(begun))
    assert len(mine) > 60
    assert {scene.name for scene, _, _ in mine} == {scene.name for scene in SCENES}
    broken = {}
    for scene, call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(begun, scene, (call, fault)):
            broken[f"{scene.name}: {call}: {fault.name}"] = wrong
    assert broken == {}
