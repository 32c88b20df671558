"""Each call of an import × each fault: every line of a file has one result, every item exists once.

A client that retries creates, uploads and starts the import; then the heartbeat runs.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from contracts.template_rights import rights_of_functions
from faults.fault_calls import HEARTBEAT, Call, Visit
from faults.fault_kinds import FAULTS, KINDS, Fault
from faults.fault_matrix import StartStates, prepare_start_states
from faults.fault_opened import stage
from faults.fault_scenes import vanish
from faults.fault_stage import Stage
from faults.fault_whole import REST_SECONDS
from readdo.lifecycle.item import ITEM
from readdo.read import item_keys
from readdo.transfer import transfer_keys
from readdo.transfer.imports import line_capture, lines, pages
from support.import_helpers import send
from support.moto import running
from support.tiers import FAULTS_SHARE, share
from support.world import TEXT

EVERY = os.environ.get("READDO_FAULTS") == "all"
ROOMS = {"read_file": {"dynamodb", "s3"}, "import_lines": {"dynamodb", "s3", "stepfunctions"}}
KNOWN, LONG = "https://example.org/known", f"{TEXT}\n\n" * 12  # a text that is stored in the bucket
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
class Scenario:
    name: str
    said: list[dict[str, Any]]
    results: str  # results of its lines, by their first letters
    process: bool
    act: Act
    own: frozenset[str]  # the functions that the faults hit
    dead: int = 0  # starts that die in the scenario itself


def ask(stage: Stage, import_lines: list[dict[str, Any]], *, process: bool) -> str:
    body = "\n".join(map(json.dumps, import_lines)).encode()
    settings = {"filename": "saved.jsonl", "size": len(body), "process": process, "intent_text": "make our queue safe"}
    response = stage.client("POST", "/import", settings, "ask").json
    send(response["upload"], body)
    return str(response["import"]["id"])


def start(stage: Stage, import_id: str, verb: str = "start") -> None:
    stage.client("POST", f"/imports/{import_id}/{verb}", {})


def start_import(stage: Stage) -> None:
    start(stage, ask(stage, MIXED, process=False))


def fly(stage: Stage) -> None:
    start(stage, ask(stage, FLYING, process=True))


def die_twice(stage: Stage) -> None:
    """Let both read_file and import_lines die once."""
    vanish(stage, "read_file")
    vanish(stage, "import_lines")
    start_import(stage)


def stop_and_go(stage: Stage) -> None:
    """Pause before a line is imported, and resume."""
    import_id = ask(stage, MIXED, process=False)
    vanish(stage, "import_lines")
    start(stage, import_id)
    stage.settle()
    for verb in ("pause", "resume"):
        start(stage, import_id, verb)


SCENARIOS = (
    Scenario("import", MIXED, "ccjdb", False, start_import, frozenset({"http_api import", "http_api start", *ROOMS})),
    Scenario("flying", FLYING, "cc", True, fly, frozenset({"import_lines"})),
    Scenario("dead", MIXED, "ccjdb", False, die_twice, frozenset({HEARTBEAT}), 2),
    Scenario("stopped", MIXED, "ccjdb", False, stop_and_go, frozenset({"http_api pause", "http_api resume"})),
)
RESULTS = {"c": "captured", "j": "joined", "d": "duplicate", "b": "bad"}


@pytest.fixture(scope="module")
def start_states() -> Iterator[StartStates]:
    with stage() as opened, pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "LINES", 3)
        patch.setattr(line_capture, "AT_ONCE", 1)  # in order, so that each call has a stable number
        patch.setattr(lines, "SLICES_MAX", lines.SLICES_MAX)  # each scenario sets it
        opened.fenced, opened.between_beats = of_import, 60
        snapshots = prepare_start_states(opened)
        opened.begin(snapshots.empty, "extractive", 4096)
        settings = {"intent_text": "it was here before", "url": KNOWN, "process": False}
        assert opened.client("POST", "/capture", settings).status == 201
        yield prepare_start_states(opened)


def of_import(stage: Stage) -> list[dict[str, Any]]:
    """Return the result rows and the import.

    Two workers may capture the items of a line: these are one item and need no lease.
    """
    return [row for row in stage.rows() if "told" in row or "in_flight" in row]


def begin(start_states: StartStates, scenario: Scenario) -> Stage:
    start_states.stage.begin(start_states.empty, "extractive", 4096)
    # With processing, the heartbeat starts the next slice when the items are done.
    lines.SLICES_MAX = 1 if scenario.process else 100
    return start_states.stage


def play(start_states: StartStates, scenario: Scenario, *armed: tuple[Call, Fault]) -> list[str]:
    stage = begin(start_states, scenario)
    stage.armed = armed
    scenario.act(stage)
    stage.calm()
    if stage.injected and stage.ahead - stage.injected_at > REST_SECONDS + scenario.dead * 900:
        stage.wrong.append(f"it took {stage.ahead - stage.injected_at:.0f} s to come to rest")
    for injection, (_, fault) in zip(stage.injected, armed, strict=False):
        if fault.name == "late":
            deliver_late(stage, injection.visit)
    missed = [] if len(stage.injected) == len(armed) else ["the call was not made"]
    return [*stage.wrong, *missed, *wrong_with(stage, scenario)]


def deliver_late(stage: Stage, visit: Visit) -> None:
    before = stage.rows()
    stage.once_more(visit)
    stage.calm()
    if stage.rows() != before:
        stage.wrong.append("a late delivery changed something")


def wrong_with(stage: Stage, scenario: Scenario) -> Iterator[str]:
    rows = stage.rows()
    imports = [row for row in rows if row["sk"].startswith(transfer_keys.IMPORT_PREFIX) and "counts" in row]
    if stage.done["let_go"]:  # so slow was a worker
        yield from (f"let go, and it is {row['status']}" for row in imports if row["status"] != "FAILED")
        return
    if [row["status"] for row in imports] != ["DONE"]:
        yield f"imports: {[(row['status'], row.get('failure')) for row in imports]}"
        return
    yield from (f"{row['sk']} is due at {row['due_at']}" for row in rows if "due_at" in row)
    yield from (f"{arn} runs" for arn in running())
    result_rows = sorted((row for row in rows if "told" in row), key=lambda row: (row["page"], row["offset"]))
    yield from _check_offsets(result_rows)
    results = [one["result"] for row in result_rows for one in row["told"]]
    if results != [RESULTS[letter] for letter in scenario.results]:
        yield f"the lines ended as {results}"
    counts = {
        **Counter(results),
        "lines": len(scenario.said),
        "archived": sum("archived" in one for one in scenario.said),
    }
    if {name: count for name, count in imports[0]["counts"].items() if count} != {n: c for n, c in counts.items() if c}:
        yield f"it counts {imports[0]['counts']}, and there are {counts}"
    if imports[0]["in_flight"]:
        yield f"it still waits for {imports[0]['in_flight']}"
    yield from _check_items(
        rows, scenario, {one["item"] for row in result_rows for one in row["told"] if "item" in one}
    )


def _check_offsets(result_rows: list[dict[str, Any]]) -> Iterator[str]:
    """Check that the results of a page follow each other."""
    nexts: Counter[int] = Counter()
    for row in result_rows:
        if row["offset"] != nexts[row["page"]]:
            yield f"page {row['page']} has results at {row['offset']}, not at {nexts[row['page']]}"
        nexts[row["page"]] = row["offset"] + len(row["told"])


def _check_items(rows: list[dict[str, Any]], scenario: Scenario, named: set[str]) -> Iterator[str]:
    items = [row for row in rows if row["sk"].startswith(item_keys.ITEM_PREFIX) and "status" in row]
    saves = Counter(line["url"].partition("#")[0] for line in scenario.said if "url" in line) + Counter([KNOWN])
    if Counter({row["url"]: row.get("save_count", 1) for row in items}) != saves or len(items) != len(saves):
        yield f"items: {[(row['url'], row.get('save_count', 1)) for row in items]}"
    if named != {row["id"] for row in items if row["url"] != KNOWN or "known" in json.dumps(scenario.said)}:
        yield "the results name other items than there are"
    for row in items:
        moves = [entry["what"] for entry in row["history"]]
        ends = "ARCHIVED" if row["url"].endswith("old") else "READY" if scenario.process else "CAPTURED"
        if row["url"] != KNOWN and (row["status"] != ends or moves.count("capture") != 1):
            yield f"{row['url']} is {row['status']}: {moves}"
        if set(moves) - set(ITEM.triggers):
            yield f"{row['url']} was moved by {moves}"


def recorded(start_states: StartStates, scenario: Scenario) -> list[Call]:
    stage = begin(start_states, scenario)
    calls: list[Call] = []
    stage.calls = calls
    scenario.act(stage)
    stage.calm()
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage, scenario)] == []
    return list(dict.fromkeys(calls))


def test_recorded_calls_cover_every_service_of_the_import_functions(start_states: StartStates) -> None:
    called: dict[str, set[str]] = {room: set() for room in ROOMS}
    for call in (call for scenario in SCENARIOS for call in recorded(start_states, scenario)):
        if call.room in ROOMS:
            called[call.room].add(call.service)
    client_names = {"states": "stepfunctions"}
    allowed = {room: {action.split(":")[0] for action, _ in rights_of_functions()[room]} for room in ROOMS}
    assert (
        called == {room: {client_names.get(of, of) for of in services} for room, services in allowed.items()} == ROOMS
    )


def cells(start_states: StartStates) -> Iterator[tuple[Scenario, Call, Fault]]:
    """Yield every call × every fault.

    The short form takes each call once with one or two kinds of faults, whose forms take turns.
    """
    injected: set[tuple[str, str, str, int]] = set()
    for scenario in SCENARIOS:
        calls = [
            call
            for call in recorded(start_states, scenario)
            if call.room in scenario.own and (EVERY or call.same not in injected)
        ]
        # The heartbeat's queries for due work are the same in every scenario: the matrix of items covers them.
        calls = [call for call in calls if EVERY or (call.room, call.operation) != (HEARTBEAT, "Query")]
        injected |= {call.same for call in calls}
        for number, call in enumerate(calls):
            for kind in KINDS if EVERY else KINDS[number % 4 :: 4]:
                forms = [fault for fault in FAULTS if fault.of == kind and fits(scenario, call, fault)]
                selected = forms if EVERY else forms[number // 4 % max(1, len(forms)) :][:1]
                yield from ((scenario, call, fault) for fault in selected)


def fits(scenario: Scenario, call: Call, fault: Fault) -> bool:
    """Return whether the fault applies in this scenario.

    A control request that arrives days later is refused. Processed items are due before their import.
    """
    passes = {"late": call.room in ROOMS, "overtaken": not scenario.process}
    return fault.fits(call) and passes.get(fault.name, True)


def test_single_fault_leaves_one_result_per_line_and_no_duplicate_item(start_states: StartStates) -> None:
    mine = list(cells(start_states))
    assert len(mine) > 60
    assert {scenario.name for scenario, _, _ in mine} == {scenario.name for scenario in SCENARIOS}
    broken = {}
    for scenario, call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(start_states, scenario, (call, fault)):
            broken[f"{scenario.name}: {call}: {fault.name}"] = wrong
    assert broken == {}
