"""The card, complete and ready to post."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.engine.render_spec import render_spec

from .cues import gives_orders
from .field_text import clean, cut
from .filler_lines import is_pad, long_enough
from .headline import headline
from .instructions import orders
from .language import Language, output_language
from .punctuation import widen_punctuation
from .quotes import repair_quotes
from .rank import repeats
from .sentences import plain
from .standalone import standalone
from .steps import is_steps, split_steps
from .tags import joined, tags

_CAPTION = 600
_OUTPUT = frozenset({"WRITE", "BUILD", "SHARE", "DECIDE"})
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
        "points": [long_enough(repair_quotes(cut(bullet, 159)), 8, tongue) for bullet in summary["bullets"]],
        "insight": long_enough(repair_quotes(cut(summary["insight"], 219)), 12, tongue),
        "action": action(todos["todos"], tongue),
    }
    quotes = [*summary["evidence"], *({"quote": one["quote"]} for one in score["evidence"])]
    head = headline(title, intent, summary["bullets"], _others(quotes, summary), summary["insight"], tongue)
    content = {"headline": head, **content}
    own = [bullet for bullet in summary["bullets"] if not is_pad(bullet)]
    hashtags = [joined(tag) for tag in tags(intent, title, own, 5)]
    evidence = list({one["quote"]: dict(one) for one in reversed(quotes)}.values())[::-1]
    return {
        **content,
        "hashtags": hashtags,
        "caption": caption(content, hashtags),
        "render_spec": render_spec(content, theme, layout),
        "evidence": evidence[:4],
    }


def _others(quotes: Sequence[Mapping[str, Any]], summary: Mapping[str, Any]) -> list[str]:
    """Complete sentences of the text that are not among the points."""
    lines = [plain(widen_punctuation(one["quote"])) for one in quotes]
    whole = [line for line in lines if line.endswith((".", "。")) and not gives_orders(line)]
    points = [
        *summary["bullets"],
        *(step for line in summary["bullets"] if is_steps(line) for step in split_steps(line)),
    ]
    return [line for line in whole if not repeats(standalone(line), points) and not orders(line)]


def action(tasks: Sequence[Mapping[str, Any]], language: Language) -> str:
    task = next((one for one in tasks if one["type"] in _OUTPUT), tasks[0])
    time = f"（{_ETA_ZH[task['eta']]}）" if language == "zh" else f" ({task['eta']})"
    return cut(task["title"], 180) + time


def caption(content: Mapping[str, Any], hashtags: Sequence[str]) -> str:
    tail = "\n\n" + " ".join(f"#{tag}" for tag in hashtags) if hashtags else ""
    head, rest = content["headline"], _CAPTION - len(tail)
    points = [point for point in content["points"] if not is_pad(point) and clean(point) != clean(head)]
    body = "\n".join(f"• {point}" for point in points)
    for middle in (f"\n\n{body}\n\n{content['insight']}", f"\n\n{body}", f"\n\n{content['insight']}"):
        if len(head) + len(middle) <= rest:
            return f"{head}{middle}{tail}"
    return f"{head}{tail}"
