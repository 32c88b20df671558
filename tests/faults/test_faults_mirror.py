"""Each call of those who mark and show × each fault: every task and run has one page in Notion, as it is now."""

import importlib
import os
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from fault_calls import NOTION, Call
from fault_kinds import FAULTS, KINDS, Fault
from fault_matrix import Beginnings, beginnings
from fault_opened import stage
from fault_stage import Stage

from contracts.template_rights import rights_of_functions
from readdo.lifecycle.mirror import RESTING
from readdo.lifecycle.write import Key
from readdo.mirror.rate_limit import RateLimit
from readdo.store import keys
from support.notion_requests import answered_by
from support.notion_server import DATABASE, TOKEN, NotionServer, said
from support.tiers import FAULTS_SHARE, share

EVERY = os.environ.get("READDO_FAULTS") == "all"
# Its lease is longer than its room lives, so that nobody is slower than it.
STRIKES = tuple(fault for fault in FAULTS if fault.name not in ("overtaken", "late", "slow"))
SIXTH = "longer than the lease"
PARAMETER = "/readdo/notion-token"
ROUNDS, STREAM_TRIES = 12, 4


class Far:
    """Notion; emptied for each story."""

    def __init__(self) -> None:
        self.server = NotionServer({})
        self.empty()

    def empty(self) -> None:
        self.server.columns = {"Name": {"type": "title", "title": {}}}
        self.server.pages.clear()


@pytest.fixture(scope="module")
def far() -> Iterator[Far]:
    with pytest.MonkeyPatch.context() as patch:
        found = Far()
        answered_by(found.server, patch)
        patch.setattr(
            importlib.import_module("mirror"), "RateLimit", lambda often: RateLimit(often, pause=lambda _: None)
        )
        yield found


@pytest.fixture(scope="module")
def begun(far: Far) -> Iterator[Beginnings]:
    assert far.server
    with stage() as opened:
        named = {"NOTION_OWNER": opened.made.owner, "NOTION_DATABASE_ID": DATABASE, "NOTION_URL": "http://notion"}
        os.environ |= {**named, "NOTION_TOKEN_PARAMETER": PARAMETER}
        boto3.client("ssm").put_parameter(Name=PARAMETER, Value=TOKEN, Type="SecureString")
        found = beginnings(opened)
        opened.begin(found.empty, "extractive", 4096)
        opened.client("POST", "/tasks", {"intent": "runQA", "title": "old"}, "old")
        yield beginnings(opened)


def story(stage: Stage) -> None:
    """What was there is shown; then a task is taken, and told of by the stream."""
    rest(stage)
    stage.client("POST", "/tasks/claim", {"worker": "w"}, "claim")
    stream(stage)
    rest(stage)
    if stage.struck:  # time has passed: its lease is over, and the stream says so
        stream(stage)
        rest(stage)


def stream(stage: Stage) -> None:
    found = [Key(row["pk"], row["sk"]) for row in stage.rows() if row["sk"].startswith(("TASK#", "RUN#"))]
    records = [{"dynamodb": {"Keys": {"pk": {"S": key.pk}, "sk": {"S": key.sk}}}} for key in found]
    for _ in range(STREAM_TRIES):
        try:
            if stage.made.invoke("mark", {"Records": records}) == {"marked": len(found)}:
                return
        except Exception:  # noqa: S112 - whatever it was, the stream brings it again
            continue
    raise AssertionError("the stream was not read")


def mirror_of(stage: Stage) -> dict[str, Any]:
    return stage.made.table.get(keys.mirror(stage.made.owner)) or {}


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
    return [row["sk"] for row in stage.rows() if row["sk"].startswith(keys.MARK_PREFIX)]


def play(begun: Beginnings, far: Far, armed: tuple[tuple[Call, Fault], ...] = ()) -> list[str]:
    stage = begun.stage
    stage.begin(begun.empty, "extractive", 4096)
    far.empty()
    stage.armed = armed
    story(stage)
    unstruck = [] if len(stage.struck) == len(armed) else ["the call was not made"]
    return [*stage.wrong, *wrong_with(stage, far), *unstruck]


def wrong_with(stage: Stage, far: Far) -> Iterator[str]:
    rows = [row for row in stage.rows() if row["sk"].startswith(("TASK#", "RUN#"))]
    for row in rows:
        pages = far.server.of(row["id"])
        if [said(page["Status"]) for page in pages] != [row["status"]]:
            yield f"{row['sk']} is {row['status']}, and is shown as {[said(page['Status']) for page in pages]}"
    if len(far.server.pages) != len(rows) + 1:
        yield f"{len(far.server.pages)} pages, for {len(rows)} rows and health"


def recorded(begun: Beginnings, far: Far) -> list[Call]:
    stage = begun.stage
    stage.begin(begun.empty, "extractive", 4096)
    far.empty()
    calls: list[Call] = []
    stage.calls = calls
    story(stage)
    stage.calls = None
    assert [*stage.wrong, *wrong_with(stage, far)] == []
    return [call for call in calls if call.room in ("mark", "mirror")]


def test_every_service_of_those_who_mark_and_show_is_struck(begun: Beginnings, far: Far) -> None:
    seen: dict[str, set[str]] = {}
    for call in recorded(begun, far):
        seen.setdefault(call.room, set()).add(call.service)
    allowed = {room: {action.split(":")[0] for action, _ in rights_of_functions()[room]} for room in seen}
    assert seen == {"mark": allowed["mark"], "mirror": allowed["mirror"] | {NOTION, "ssm"}}


def cells(begun: Beginnings, far: Far) -> Iterator[tuple[Call, Fault]]:
    """Every call × every fault; in short each call once, and of each kind of fault one form in turn."""
    calls = list({(call if EVERY else call.same): call for call in reversed(recorded(begun, far))}.values())
    for number, call in enumerate(calls):
        for kind in KINDS if EVERY else KINDS[number % 3 :: 3]:
            forms = [fault for fault in STRIKES if fault.of == kind and fault.fits(call)]
            yield from ((call, fault) for fault in (forms if EVERY else forms[number % max(1, len(forms)) :][:1]))


def test_after_any_single_fault_every_task_and_run_has_one_page(begun: Beginnings, far: Far) -> None:
    mine = list(cells(begun, far))
    assert {fault.of for _, fault in mine} == {*KINDS} - {"delivered late", SIXTH}
    broken = {}
    for call, fault in share(mine, FAULTS_SHARE):
        if wrong := play(begun, far, ((call, fault),)):
            broken[f"{call}: {fault.name}"] = wrong
    assert broken == {}
