"""One card that can be posted as it is."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .cues import gives_orders
from .fit import clean, cut
from .language import Language, output_language
from .pads import is_pad, long_enough
from .phrases import site_free, tags
from .quotes import mended
from .topic import said

_HEADLINE = 90
_CAPTION = 600
_OUTPUT = frozenset({"WRITE", "BUILD", "SHARE", "DECIDE"})
_HEIGHT = {"CARD_4x5_V1": 1350, "CARD_1x1_V1": 1080}
_DULL = re.compile(
    r"(?:home(?: ?page)?|index|untitled|document|article|blog|post|首页|无标题|文章|正文|http\S*|www\.\S*)\W*\Z", re.I
)
_ETA_ZH = {
    "10m": "10 分钟",
    "20m": "20 分钟",
    "30m": "30 分钟",
    "45m": "45 分钟",
    "1h": "1 小时",
    "2h": "2 小时",
    "3h+": "3 小时以上",
}


def card(
    *,
    intent: str,
    summary: Mapping[str, Any],
    score: Mapping[str, Any],
    todos: Mapping[str, Any],
    title: str = "",
    language: str = "",
    theme: str = "LIGHT",
    layout: str = "CARD_4x5_V1",
) -> dict[str, Any]:
    tongue = output_language(language, intent)
    content = {
        "headline": headline(title, intent, tongue),
        "points": [long_enough(mended(cut(bullet, 159)), 8, tongue) for bullet in summary["bullets"]],
        "insight": long_enough(mended(cut(summary["insight"], 219)), 12, tongue),
        "action": action(todos["todos"], tongue),
    }
    own = [bullet for bullet in summary["bullets"] if not is_pad(bullet)]
    hashtags = [_joined(tag) for tag in tags(intent, title, own, 5)]
    quotes = [*summary["evidence"], *({"quote": one["quote"]} for one in score["evidence"])]
    evidence = list({one["quote"]: dict(one) for one in reversed(quotes)}.values())[::-1]
    return {
        **content,
        "hashtags": hashtags,
        "caption": caption(content, hashtags),
        "render_spec": {
            "format": "HTML_V1",
            "width": 1080,
            "height": _HEIGHT[layout],
            "theme": theme,
            "payload": {
                "brand": {"watermark": "Read→Do"},
                "layout": {"variant": layout, "padding": 64},
                "content": {**content, "points": list(content["points"])},
            },
        },
        "evidence": evidence[:4],
    }


def _joined(tag: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in tag.split()) if " " in tag else tag


def headline(title: str, intent: str, language: Language) -> str:
    """The title; without a good one, what the card holds: a point in its place would be read twice."""
    name = site_free(title)
    telling = any(char.isalpha() for char in name) and not _DULL.match(name) and not gives_orders(name)
    if telling and len(name) >= 10:
        return cut(name, _HEADLINE)
    if telling and len(name) >= 2:
        return f"{name}：三个要点，一件要做的事" if language == "zh" else f"{name}: three points and one thing to do"
    wanted = said(intent, language, 70)
    return f"为{wanted}摘出的三个要点" if language == "zh" else f"Three points for {wanted}"


def action(tasks: Sequence[Mapping[str, Any]], language: Language) -> str:
    task = next((one for one in tasks if one["type"] in _OUTPUT), tasks[0])
    time = f"（{_ETA_ZH[task['eta']]}）" if language == "zh" else f" ({task['eta']})"
    return cut(task["title"], 180) + time


def caption(content: Mapping[str, Any], hashtags: Sequence[str]) -> str:
    tail = "\n\n" + " ".join(f"#{tag}" for tag in hashtags) if hashtags else ""
    head, rest = content["headline"], _CAPTION - len(tail)
    shown = [point for point in content["points"] if not is_pad(point) and clean(point) != clean(head)]
    body = "\n".join(f"• {point}" for point in shown)
    for middle in (f"\n\n{body}\n\n{content['insight']}", f"\n\n{body}", f"\n\n{content['insight']}"):
        if len(head) + len(middle) <= rest:
            return f"{head}{middle}{tail}"
    return f"{head}{tail}"
