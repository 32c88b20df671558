"""Each call of the mirror × each fault: every task and run has one current page in Notion."""

import importlib
import os
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from contracts.template_rights import rights_of_functions
from faults.fault_calls import NOTION, Call
from faults.fault_kinds import FAULTS, KINDS, Fault
from faults.fault_matrix import StartStates, prepare_start_states
from faults.fault_opened import stage
from faults.fault_stage import Stage
from readdo.integrations import integration_keys
from readdo.integrations.notion.notion import RateLimit
from readdo.lifecycle.mirror import RESTING
from readdo.lifecycle.write import Key
from support.notion_requests import answered_by
from support.notion_server import DATABASE, TOKEN, NotionServer, column_text
from support.notion_world import stream_records
from support.tiers import FAULTS_SHARE, share

EVERY = os.environ.get("READDO_FAULTS") == "all"
# The mirror's lease lasts longer than its function runs, so no call outlives the lease.
APPLICABLE_FAULTS = tuple(fault for fault in FAULTS if fault.name not in ("overtaken", "late", "slow"))
SIXTH = "longer than the lease"
PARAMETER = "/readdo/notion-token"
ROUNDS, STREAM_TRIES = 12, 4


class Far:
    """Notion server, emptied for each scenario."""

    def __init__(self) -> None:
        self.server = NotionServer({})
        self.empty()

    def empty(self) -> None:
        self.server.columns = {"Name": {"type": "title", "title": {}}}
        self.server.pages.clear()


@pytest.fixture(scope="module")
def far() -> Iterator[Far]:
    with pytest.MonkeyPatch.context() as patch:
        remote = Far()
        answered_by(remote.server, patch)
        patch.setattr(
            importlib.import_module("mirror"), "RateLimit", lambda often: RateLimit(often, pause=lambda _: None)
        )
        yield remote


@pytest.fixture(scope="module")
def start_states(far: Far) -> Iterator[StartStates]:
    assert far.server
    with stage() as opened:
        settings = {"NOTION_OWNER": opened.world.owner, "NOTION_DATABASE_ID": DATABASE, "NOTION_URL": "http://notion"}
        os.environ |= {**settings, "NOTION_TOKEN_PARAMETER": PARAMETER}
        boto3.client("ssm").put_parameter(Name=PARAMETER, Value=TOKEN, Type="SecureString")
        snapshots = prepare_start_states(opened)
        opened.begin(snapshots.empty, "extractive", 4096)
        opened.client("POST", "/tasks", {"intent": "runQA", "title": "old"}, "old")
        yield prepare_start_states(opened)


def play_scenario(stage: Stage) -> None:
    """Mirror the existing rows; then claim a task and deliver the stream."""
    rest(stage)
    stage.client("POST", "/tasks/claim", {"worker": "w"}, "claim")
    stream(stage)
    rest(stage)
    if stage.injected:  # time has passed: the lease expired, and the stream delivers that
        stream(stage)
        rest(stage)


def stream(stage: Stage) -> None:
    written = [Key(row["pk"], row["sk"]) for row in stage.rows() if row["sk"].startswith(("TASK#", "RUN#"))]
    records = stream_records(written)
    for _ in range(STREAM_TRIES):
        try:
            if stage.world.invoke("mark", {"Records": records}) == {"batchItemFailures": []}:
                return
        except Exception:  # noqa: S112 - the stream delivers a failed batch again
            continue
    raise AssertionError("the stream was not read")


def mirror_of(stage: Stage) -> dict[str, Any]:
    return stage.world.table.get(integration_keys.mirror(stage.world.owner)) or {}


def rest(stage: Stage) -> None:
    for _ in range(ROUNDS):
        stage.beat()
        row = mirror_of(stage)
        if row.get("status") == RESTING and "trouble" not in row and not marks(stage) and row["epoch"]:
            return
        if "due_at" in row:
            stage.pass_to(row["due_at"])
    stage.wrong.append("it never comes to rest")


def marks(stage: Stage) -> list[str]:
    return [row["sk"] for row in stage.rows() if row["sk"].startswith(integration_keys.MARK_PREFIX)]


def play(start_states: StartStates, far: Far, armed: tuple[tuple[Call, Fault], ...] = ()) -> list[str]:
    stage = start_states.stage
    stage.begin(start_states.empty, "extractive", 4096)
    far.empty()
    stage.armed = armed
    play_scenario(stage)
    missed = [] if len(stage.injected) == len(armed) else ["the call was not made"]
    return [*stage.wrong, *wrong_with(stage, far), *missed]


def wrong_with(stage: Stage, far: Far) -> Iterator[str]:
    rows = [row for row in stage.rows() if row["sk"].startswith(("TASK#", "RUN#"))]
    for row in rows:
        pages = far.server.of(row["id"])
        if [column_text(page["Status"]) for page in pages] != [row["status"]]:
            yield f"{row['sk']} is {row['status']}, and is shown as {[column_text(page['Status']) for page in pages]}"
    if len(far.server.pages) != len(rows) + 1:
        yield f"{len(far.server.pages)} pages, for {len(rows)} rows and health"


def recorded(start_states: StartStates, far: Far) -> list[Call]:
    stage = start_states.stage
    stage.begin(start_states.empty, "extractive", 4096)
    far.empty()
    calls: list[Call] = []
    stage.calls = calls
    play_scenario(stage)
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage, far)] == []
    return [call for call in calls if call.room in ("mark", "mirror")]


def test_recorded_calls_cover_every_service_of_mark_and_mirror(start_states: StartStates, far: Far) -> None:
    called: dict[str, set[str]] = {}
    for call in recorded(start_states, far):
        called.setdefault(call.room, set()).add(call.service)
    allowed = {room: {action.split(":")[0] for action, _ in rights_of_functions()[room]} for room in called}
    allowed["mark"] -= {"sqs"}  # used by Lambda itself
    assert called == {"mark": allowed["mark"], "mirror": allowed["mirror"] | {NOTION, "ssm"}}


def cells(start_states: StartStates, far: Far) -> Iterator[tuple[Call, Fault]]:
    """Yield every call × every fault.

    The short form takes each call once, with one form of each kind of fault in turn.
    """
    calls = list({(call if EVERY else call.same): call for call in reversed(recorded(start_states, far))}.values())
    for number, call in enumerate(calls):
        for kind in KINDS if EVERY else KINDS[number % 3 :: 3]:
            forms = [fault for fault in APPLICABLE_FAULTS if fault.of == kind and fault.fits(call)]
            yield from ((call, fault) for fault in (forms if EVERY else forms[number % max(1, len(forms)) :][:1]))


def test_single_fault_leaves_one_page_per_task_and_run(start_states: StartStates, far: Far) -> None:
    mine = list(cells(start_states, far))
    assert {fault.of for _, fault in mine} == {*KINDS} - {"delivered late", SIXTH}
    broken = {}
    for call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(start_states, far, ((call, fault),)):
            broken[f"{call}: {fault.name}"] = wrong
    assert broken == {}
