"""Scenarios that are recorded and then disturbed: both pipelines, their failures, and the heartbeat."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import export as export_room

from faults.fault_calls import HEARTBEAT
from faults.fault_stage import Act, Stage
from readdo import clock, files
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.write import Key
from readdo.transfer import transfer_keys
from support.model_server import hangs_up
from support.world import MACHINES

CAPTURE_ID = "0b1d9d4e-0000-4000-8000-000000000001"
EXPORT_KEY, AGAIN_KEY = "first", "again"
FORMATS = ["md", "caption", "json"]
INTENT = {"intent_text": "make our job queue safe", "capture_id": CAPTURE_ID}
CHINESE = (
    "租约让两个工作进程不会做同一件事。工作进程把自己的名字和到期时间写到那一行上，只有那一行还空着，写入才会成功。"
    "人们常常忘记的是栅栏令牌：以后的每一次写入都必须带上租约的编号。我们比较了三种设计，一共一万次历史。"
    "只检查状态，放过了404次过期的写入；检查编号，一次也没有放过。先把每一次写入列出来，再给每一次加上条件。"
)
ASKING = frozenset({"summarize", "score", "todos", "card"})
PROCESS_ROOMS = frozenset({"lease", "extract", *ASKING, "gate"})


@dataclass(frozen=True)
class Scenario:
    """Scenario: `prepare` runs before calls are recorded or disturbed; after `act` all due work runs."""

    name: str
    prepare: Act
    act: Act
    own: frozenset[str]  # functions whose calls are all disturbed in this scenario
    ends: str = "READY"
    engine: str = "extractive"
    inline: int = 4096  # the largest artifact, in bytes, that lies in its row
    long_only: bool = False
    dead: int = 0  # workers that die in the scenario itself


def nothing(_: Stage) -> None:
    pass


def capture_page(stage: Stage) -> None:
    _capture(stage, url=stage.site.url)


def capture_text(stage: Stage) -> None:
    _capture(stage, content=CHINESE, title="租约与栅栏令牌", intent_text="想让我们的任务队列不怕工作进程突然死掉")


def capture_long_text(stage: Stage) -> None:
    """Capture a text that is too long for a row: it lies in the bucket."""
    _capture(stage, content="\n\n".join([CHINESE] * 12))


def _capture(stage: Stage, **body: Any) -> None:
    stage.client("POST", "/capture", {**INTENT, **body})


def of_item(stage: Stage, verb: str) -> str:
    return f"/items/{stage.item()['id']}/{verb}"


def ready(stage: Stage) -> None:
    capture_text(stage)
    stage.calm()


def export(stage: Stage) -> None:
    stage.client("POST", of_item(stage, "export"), {"export_key": EXPORT_KEY, "formats": FORMATS})


def start_backup(stage: Stage) -> None:
    stage.client("GET", "/export-all")


def regenerate(stage: Stage) -> None:
    stage.client("POST", of_item(stage, "process"), {"mode": "REGENERATE"}, AGAIN_KEY)


def vanish(stage: Stage, room: str) -> None:
    """Let the next invocation of this function die."""

    def instead(_handler: Any, _event: Any) -> Any:
        del stage.world.instead[room]
        raise LeaseLost

    stage.world.instead[room] = instead


def take_long(stage: Stage, room: str, seconds: int) -> None:
    """Let the next invocation of this function renew its lease late.

    The renewed lease ends this many seconds after the first one, however slow the machine is.
    """

    def instead(handler: Callable[..., Any], event: Any) -> Any:
        del stage.world.instead[room]
        stage.ahead += seconds
        return handler(event)

    stage.world.instead[room] = instead


def refused_page(stage: Stage) -> None:
    stage.site.refuses = 1
    capture_page(stage)


def silent_model(stage: Stage) -> None:
    stage.script.append(hangs_up())
    capture_text(stage)


def capture_and_export(stage: Stage) -> None:
    capture_page(stage)
    stage.calm()
    export(stage)


def undrawn(stage: Stage) -> None:
    """Let one file of the export fail to render, once."""

    def instead(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        del stage.world.instead["export"]
        draw = export_room.draw

        def broken(form: str, *rest: Any, **named: Any) -> Any:
            if form == FORMATS[0]:
                export_room.draw = draw
                raise StepFailed("EXPORT_RENDER_FAILED", "It cannot be drawn.")
            return draw(form, *rest, **named)

        export_room.draw = broken
        try:
            return handler(event)
        finally:
            export_room.draw = draw

    stage.world.instead["export"] = instead
    export(stage)


def lost_with_backup(stage: Stage) -> None:
    """Delete the item after its backup was uploaded for a restore."""
    ready(stage)
    start_backup(stage)
    stage.calm()
    backup = next(row for row in stage.rows() if row["sk"].startswith(transfer_keys.BACKUP_PREFIX))
    body = stage.file(backup["file"]["at"])
    offer = stage.client("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)})
    files.put_once(f"restores/{stage.world.owner}/{offer.json['restore']['id']}.zip", body, "application/zip")
    stage.world.table.delete_all(Key(row["pk"], row["sk"]) for row in stage.of_item())
    for key in stage.files():
        if key.startswith(("content/", "artifacts/", "exports/", "backups/")):
            files.remove(key)


def start_restore(stage: Stage) -> None:
    offered = next(row for row in stage.rows() if row["sk"].startswith(transfer_keys.RESTORE_PREFIX))
    stage.client("POST", f"/restores/{offered['id']}/start")


def start_dead_backup(stage: Stage) -> None:
    ready(stage)
    vanish(stage, "backup")
    start_backup(stage)


def not_enqueued(stage: Stage) -> None:
    """Capture without a start: the function died between these two writes."""
    _capture(stage, content=CHINESE, process=False)
    stage.make_due(clock.now())


def not_started(stage: Stage) -> None:
    with stage.setting(MACHINES["ProcessItem"], "arn:aws:states:eu-central-1:123456789012:stateMachine:gone"):
        capture_text(stage)


def dead_worker(stage: Stage) -> None:
    take_long(stage, "summarize", 30)
    vanish(stage, "score")
    capture_text(stage)
    stage.settle()


def dead_three_times(stage: Stage) -> None:
    for again in range(3):
        vanish(stage, "extract")
        stage.beat_at_due() if again else capture_text(stage)
        stage.settle()


def dead_export(stage: Stage) -> None:
    ready(stage)
    vanish(stage, "export")
    export(stage)
    stage.settle()


def export_dead_three_times(stage: Stage) -> None:
    dead_export(stage)
    for _ in range(2):
        vanish(stage, "export")
        stage.beat_at_due()
        stage.settle()


def failed_then_archived(stage: Stage) -> None:
    ready(stage)
    undrawn(stage)
    stage.settle()
    stage.client("POST", of_item(stage, "archive"), {})


def deleted_in_the_queue(stage: Stage) -> None:
    not_started(stage)
    stage.client("DELETE", of_item(stage, "").rstrip("/"))
    stage.put_late_file(f"artifacts/{stage.world.owner}/{stage.item()['id']}/late/summary.json")


BEAT = frozenset({HEARTBEAT})
RECORD = frozenset({HEARTBEAT, "record_failure"})
SCENARIOS = (
    Scenario("read", nothing, capture_page, PROCESS_ROOMS | {"http_api capture"}, engine="openai"),
    Scenario("pasted", nothing, capture_text, PROCESS_ROOMS | {"http_api capture"}),
    Scenario("pasted-long", nothing, capture_long_text, frozenset({"extract", "http_api capture"})),
    Scenario("exported", ready, export, frozenset({"http_api export", "export"}), "SHIPPED"),
    Scenario("again", ready, regenerate, PROCESS_ROOMS | {"http_api process"}),
    Scenario("backup", ready, start_backup, frozenset({"http_api get", "backup"})),
    Scenario("restore", lost_with_backup, start_restore, frozenset({"http_api start", "restore"})),
    Scenario("backup-dead", start_dead_backup, nothing, BEAT, dead=1),
    Scenario("page-refused", nothing, refused_page, RECORD),
    Scenario("model-silent", nothing, silent_model, RECORD, engine="openai"),
    Scenario("undrawn", ready, undrawn, RECORD, "SHIPPED"),
    Scenario("not-enqueued", not_enqueued, nothing, BEAT),
    Scenario("not-started", not_started, nothing, BEAT),
    Scenario("worker-dead", dead_worker, nothing, BEAT, dead=1),
    Scenario("given-up", dead_three_times, nothing, BEAT, "FAILED_EXTRACTION", dead=3),
    Scenario("export-dead", dead_export, nothing, BEAT, "SHIPPED", dead=1),
    Scenario("export-given-up", export_dead_three_times, nothing, BEAT, "FAILED_EXPORT", dead=3),
    Scenario("let-be", failed_then_archived, nothing, BEAT, "ARCHIVED"),
    Scenario("buried", deleted_in_the_queue, nothing, BEAT, ""),
    # Every artifact lies in the bucket: few texts cause that, but each step can.
    Scenario("large", nothing, capture_and_export, PROCESS_ROOMS | {"export"}, "SHIPPED", inline=0, long_only=True),
)
IN_SHORT = tuple(scenario for scenario in SCENARIOS if not scenario.long_only)
