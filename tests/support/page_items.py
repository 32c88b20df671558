"""Create items in each state through the product's own calls."""

from collections.abc import Callable
from typing import Any

from readdo.errors import StepFailed
from support.world import TEXT, World

CHINESE = (
    "租约让两个工作进程不会同时处理同一个任务。进程把自己的名字和到期时间写到记录上，只有记录仍然空闲时写入才会成功。"
    "人们最容易忘记的是栅栏令牌：之后的每一次写入都必须带上租约的编号。我们用一万条历史比较了三种设计，"
    "只有检查编号的方案没有放过任何过期写入。第一步是列出所有写入，第二步是给每个写入加上条件。"
)
TEXTS = {"en": {"content": TEXT, "title": "Fencing tokens"}, "zh": {"content": CHINESE, "title": "栅栏令牌"}}
INTENTS = {"en": "make our job queue safe", "zh": "让我们的任务队列不怕过期的进程"}
AI_FAILED = StepFailed("AI_SCHEMA_INVALID", "The summary did not have the form it must have.", retryable=False)
RENDER_FAILED = StepFailed("EXPORT_RENDER_FAILED", "The png file could not be made.", retryable=False)


def captured_item(world: World, **more: Any) -> str:
    return world.capture(process=False, **more)


def ready_item(world: World, language: str = "en", **more: Any) -> str:
    item_id = world.capture(**{**TEXTS[language], "intent_text": INTENTS[language], **more})
    assert world.settled(item_id)["status"] == "READY"
    return item_id


def run_with_failing_step(world: World, step: str, error: Exception, action: Callable[[], Any]) -> Any:
    def stop(_handler: Any, _event: Any) -> Any:
        raise error

    world.instead[step] = stop
    try:
        result = action()
        world.settle()
    finally:
        del world.instead[step]
    return result


def item_in_failed_ai(world: World) -> str:
    return str(run_with_failing_step(world, "summarize", AI_FAILED, lambda: world.capture(**TEXTS["en"])))


def item_in_failed_extraction(world: World) -> str:
    item_id = world.capture(content="Too short a text.")
    world.settle()
    return item_id


def item_in_failed_export(world: World) -> str:
    item_id = ready_item(world)
    body = {"export_key": f"k-{item_id}", "formats": ["png", "md"]}
    run_with_failing_step(world, "export", RENDER_FAILED, lambda: world.api("POST", f"/items/{item_id}/export", body))
    return item_id


def shipped_item(world: World) -> str:
    item_id = ready_item(world)
    world.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["md"]})
    world.settle()
    return item_id


def archived_item(world: World) -> str:
    item_id = ready_item(world)
    world.api("POST", f"/items/{item_id}/archive", {})
    return item_id


ITEM_BUILDERS: dict[str, Callable[[World], str]] = {
    "CAPTURED": captured_item,
    "READY": ready_item,
    "FAILED_EXTRACTION": item_in_failed_extraction,
    "FAILED_AI": item_in_failed_ai,
    "FAILED_EXPORT": item_in_failed_export,
    "SHIPPED": shipped_item,
    "ARCHIVED": archived_item,
}


def item_in(world: World, status: str) -> str:
    item_id = ITEM_BUILDERS[status](world)
    assert world.item(item_id)["status"] == status
    return item_id
