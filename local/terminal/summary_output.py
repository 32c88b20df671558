"""Print the Explain part of an item: summary, and score with reasons and evidence."""

from collections.abc import Mapping
from typing import Any

from terminal import words
from terminal.screen import Screen

_SIGNALS = {"intent_match": "relevance", "content_signal": "depth", "novelty": "novelty", "effort_fit": "effort"}
_BAR = 12


def summary(screen: Screen, payload: Mapping[str, Any], note: str = "") -> None:
    screen.heading("Summary", note)
    for bullet in payload["bullets"]:
        screen.paragraph(bullet, first=("  • ", "cyan"))
    screen.paragraph(payload["insight"], "bold", first=("  → ", "cyan"))


def score(screen: Screen, payload: Mapping[str, Any], note: str = "") -> None:
    confidence = payload.get("confidence")
    priority = words.PRIORITIES.get(str(payload.get("priority")), "")
    notes = [
        f"{payload['match_score']:.1f}",
        priority,
        f"{confidence:.0%} sure" if confidence is not None else "",
        note,
    ]
    screen.heading("Score", " · ".join(part for part in notes if part))
    _signals(screen, payload.get("signals", {}))
    evidence = payload.get("evidence", [])
    for number, reason in enumerate(payload["reasons"], 1):
        screen.paragraph(reason, first=(f"  {number}. ", "cyan"))
        for quote in evidence:
            if quote.get("supports") == f"reason#{number}":
                _quote(screen, quote)


def _quote(screen: Screen, quote: Mapping[str, Any]) -> None:
    hint = f" ({quote['source_hint']})" if quote.get("source_hint") else ""
    screen.paragraph(f"“{quote['quote']}”{hint}", "dim", first="     ")


def _signals(screen: Screen, signals: Mapping[str, float]) -> None:
    """Print the signals as bars, two per line; in a pipe, as numbers."""
    values = [(label, signals[name]) for name, label in _SIGNALS.items() if name in signals]
    if not screen.live:
        if values:
            screen.line("  " + ", ".join(f"{label} {value:g}" for label, value in values))
        return
    for pair in (values[:2], values[2:]):
        screen.line(*[part for label, value in pair for part in _bar(label, value)])


def _bar(label: str, value: float) -> tuple[str | tuple[str, str], ...]:
    full = max(0, min(_BAR, round(value / 100 * _BAR)))
    return (f"  {label:9}", ("━" * full, "cyan"), ("━" * (_BAR - full), "dim"), f" {value:5.1f}   ")
