"""Sample cards: typical ones, and the limits of the schema."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

Fit = Callable[[dict[str, Any]], dict[str, float]]
SCHEMA = Path(__file__).parents[3] / "schemas" / "artifacts" / "card.json"
LAYOUTS = {"CARD_4x5_V1": (1080, 1350), "CARD_1x1_V1": (1080, 1080)}
URL = "https://example.com/a/very/long/path/without-any-spaces/and?query=parameters&more=1234567890"


@cache
def schema() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(SCHEMA.read_text("utf-8"))
    return loaded


def card(headline: str, points: list[str], insight: str, action: str, **options: Any) -> dict[str, Any]:
    content = {"headline": headline, "points": points, "insight": insight, "action": action}
    layout = {"variant": options.get("layout", "CARD_4x5_V1"), "padding": options.get("padding", 64)}
    payload = {"brand": {"watermark": options.get("watermark", "Read→Do")}, "layout": layout, "content": content}
    spec = {
        "format": "HTML_V1",
        "width": 1080,
        "height": 1350,
        "theme": options.get("theme", "LIGHT"),
        "payload": payload,
    }
    tags, caption = options.get("hashtags", ["queues", "读后即行"]), options.get("caption", "")
    return {**content, "hashtags": tags, "caption": caption, "evidence": [], "render_spec": spec}


def english(**options: Any) -> dict[str, Any]:
    points = [
        "An unbounded queue hides overload until every request in it has timed out.",
        "Little’s law gives the bound: the rate you serve times the wait users accept.",
        "Shed load at the door with a clear 429, and retry with jitter.",
    ]
    insight = "A queue’s length is a promise about waiting time, not a number for memory."
    action = "List every queue in our order service and write down its bound."
    return card("Queues turn overload into latency: bound them", points, insight, action, **options)


def chinese(**options: Any) -> dict[str, Any]:
    points = [
        "无界队列会把过载藏起来，等你看到报警时，请求早就超时了。",
        "用 Little 定律算上限：到达率乘以用户愿意等待的时间。",
        "在门口用 429 明确拒绝，并让重试带上抖动。",
    ]
    insight = "队列长度不是内存参数，而是对等待时间的承诺。"
    action = "列出订单服务里的所有队列，写下各自的上限。"
    return card("没有上限的队列，只是把过载变成了等待", points, insight, action, **options)


def mixed(**options: Any) -> dict[str, Any]:
    points = [
        "Lease 过期后，旧 worker 可能还停在 GC pause 里，醒来照样会写。",
        "每次 acquire 让 epoch +1，写入时带上 WHERE epoch = :mine。",
        "Redlock alone is not enough: the storage must refuse the old token.",
    ]
    insight = "锁只能说“现在轮到谁”，fencing token 才能说“不再轮到谁”。"
    action = "给 jobs 表加一列 epoch，让 UPDATE 都检查它。"
    return card("Fencing token：让旧的 worker 写不进去", points, insight, action, **options)


def fullest(unit: str, **options: Any) -> dict[str, Any]:
    """Card with every text at its maximum length, made of one repeated unit."""

    def fill(length: int) -> str:
        return (unit * length)[: length - 1].rstrip() + "一" if unit[0] > "\u2e80" else (unit * length)[:length]

    options = {"watermark": fill(40), **options}
    return card(fill(90), [fill(160)] * 3, fill(220), fill(200), **options)


def shortest(**options: Any) -> dict[str, Any]:
    return card("Read to do", ["Act once"] * 3, "Do less well", "Ship a fix", watermark="", **options)
