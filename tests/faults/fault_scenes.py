"""The stories that are recorded, and then disturbed: both pipelines, what fails in them, and the heartbeat."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import export as export_room
from fault_calls import HEARTBEAT
from fault_stage import Act, Stage

from readdo import clock, files
from readdo.errors import LeaseLost, StepFailed
from readdo.lifecycle.write import Key
from readdo.store import keys
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
class Scene:
    """`prepare` comes before anything is recorded or disturbed; `act` is then followed by all that is due."""

    name: str
    prepare: Act
    act: Act
    own: frozenset[str]  # rooms whose every call is disturbed here, whatever other scenes do
    ends: str = "READY"
    engine: str = "extractive"
    inline: int = 4096  # so many bytes of an artifact lie in its row
    long_only: bool = False
    dead: int = 0  # workers that are not heard of again in the story itself


def nothing(_: Stage) -> None:
    pass


def capture_page(stage: Stage) -> None:
    _captured(stage, url=stage.site.url)


def capture_text(stage: Stage) -> None:
    _captured(stage, content=CHINESE, title="租约与栅栏令牌", intent_text="想让我们的任务队列不怕工作进程突然死掉")


def capture_long_text(stage: Stage) -> None:
    """Too long for a row beside the item: it is in the bucket."""
    _captured(stage, content="\n\n".join([CHINESE] * 12))


def _captured(stage: Stage, **body: Any) -> None:
    stage.client("POST", "/capture", {**INTENT, **body})


def of_item(stage: Stage, verb: str) -> str:
    return f"/items/{stage.item()['id']}/{verb}"


def ready(stage: Stage) -> None:
    capture_text(stage)
    stage.calm()


def export(stage: Stage) -> None:
    stage.client("POST", of_item(stage, "export"), {"export_key": EXPORT_KEY, "formats": FORMATS})


def take_out(stage: Stage) -> None:
    stage.client("GET", "/export-all")


def regenerate(stage: Stage) -> None:
    stage.client("POST", of_item(stage, "process"), {"mode": "REGENERATE"}, AGAIN_KEY)


def vanish(stage: Stage, room: str) -> None:
    """The next worker in this room is not heard of again."""

    def instead(_handler: Any, _event: Any) -> Any:
        del stage.made.instead[room]
        raise LeaseLost

    stage.made.instead[room] = instead


def take_long(stage: Stage, room: str, seconds: int) -> None:
    """The lease that it renews ends so much later than the one that was taken, however slow this machine is."""

    def instead(handler: Callable[..., Any], event: Any) -> Any:
        del stage.made.instead[room]
        stage.ahead += seconds
        return handler(event)

    stage.made.instead[room] = instead


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
    """One file of the export cannot be drawn, once."""

    def instead(handler: Callable[..., Any], event: dict[str, Any]) -> Any:
        del stage.made.instead["export"]
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

    stage.made.instead["export"] = instead
    export(stage)


def lost_but_taken_out(stage: Stage) -> None:
    """Its backup is sent, and all else of the item is gone."""
    ready(stage)
    take_out(stage)
    stage.calm()
    backup = next(row for row in stage.rows() if row["sk"].startswith(keys.BACKUP_PREFIX))
    body = stage.file(backup["file"]["at"])
    offer = stage.client("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)})
    files.put_once(f"restores/{stage.made.owner}/{offer.json['restore']['id']}.zip", body, "application/zip")
    stage.made.table.delete_all(Key(row["pk"], row["sk"]) for row in stage.of_item())
    for key in stage.files():
        if key.startswith(("content/", "artifacts/", "exports/", "backups/")):
            files.remove(key)


def bring_back(stage: Stage) -> None:
    offered = next(row for row in stage.rows() if row["sk"].startswith(keys.RESTORE_PREFIX))
    stage.client("POST", f"/restores/{offered['id']}/start")


def take_out_dead(stage: Stage) -> None:
    ready(stage)
    vanish(stage, "backup")
    take_out(stage)


def not_enqueued(stage: Stage) -> None:
    """The function died between the capture and its start: as it is one write without the other, it is made so."""
    _captured(stage, content=CHINESE, process=False)
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
    stage.put_late_file(f"artifacts/{stage.made.owner}/{stage.item()['id']}/late/summary.json")


BEAT = frozenset({HEARTBEAT})
RECORD = frozenset({HEARTBEAT, "record_failure"})
SCENES = (
    Scene("read", nothing, capture_page, PROCESS_ROOMS | {"http_api capture"}, engine="openai"),
    Scene("pasted", nothing, capture_text, PROCESS_ROOMS | {"http_api capture"}),
    Scene("pasted-long", nothing, capture_long_text, frozenset({"extract", "http_api capture"})),
    Scene("exported", ready, export, frozenset({"http_api export", "export"}), "SHIPPED"),
    Scene("again", ready, regenerate, PROCESS_ROOMS | {"http_api process"}),
    Scene("taken-out", ready, take_out, frozenset({"http_api get", "backup"})),
    Scene("brought-back", lost_but_taken_out, bring_back, frozenset({"http_api start", "restore"})),
    Scene("taken-out-dead", take_out_dead, nothing, BEAT, dead=1),
    Scene("page-refused", nothing, refused_page, RECORD),
    Scene("model-silent", nothing, silent_model, RECORD, engine="openai"),
    Scene("undrawn", ready, undrawn, RECORD, "SHIPPED"),
    Scene("not-enqueued", not_enqueued, nothing, BEAT),
    Scene("not-started", not_started, nothing, BEAT),
    Scene("worker-dead", dead_worker, nothing, BEAT, dead=1),
    Scene("given-up", dead_three_times, nothing, BEAT, "FAILED_EXTRACTION", dead=3),
    Scene("export-dead", dead_export, nothing, BEAT, "SHIPPED", dead=1),
    Scene("export-given-up", export_dead_three_times, nothing, BEAT, "FAILED_EXPORT", dead=3),
    Scene("let-be", failed_then_archived, nothing, BEAT, "ARCHIVED"),
    Scene("buried", deleted_in_the_queue, nothing, BEAT, ""),
    # Every artifact in the bucket: what few texts do, and each step can.
    Scene("large", nothing, capture_and_export, PROCESS_ROOMS | {"export"}, "SHIPPED", inline=0, long_only=True),
)
IN_SHORT = tuple(scene for scene in SCENES if not scene.long_only)
