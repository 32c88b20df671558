"""Explain: the summary, and the score with every reason and what it rests on."""

from collections.abc import Mapping
from typing import Any

from terminal import words
from terminal.screen import Screen

_SIGNALS = {"intent_match": "intent", "content_signal": "content", "novelty": "novelty", "effort_fit": "effort"}
_BAR = 12


def summary(screen: Screen, payload: Mapping[str, Any], note: str = "") -> None:
    screen.heading("Summary", note)
    for bullet in payload["bullets"]:
        screen.paragraph(bullet, first=("  • ", "cyan"))
    screen.paragraph(payload["insight"], "bold", first=("  → ", "cyan"))


def score(screen: Screen, payload: Mapping[str, Any], note: str = "") -> None:
    sure = payload.get("confidence")
    priority = words.PRIORITIES.get(str(payload.get("priority")), "")
    notes = [f"{payload['match_score']:.1f}", priority, f"{sure:.0%} sure" if sure is not None else "", note]
    screen.heading("Score", " · ".join(part for part in notes if part))
    _signals(screen, payload.get("signals", {}))
    evidence = payload.get("evidence", [])
    for number, reason in enumerate(payload["reasons"], 1):
        screen.paragraph(reason, first=(f"  {number}. ", "cyan"))
        for quoted in evidence:
            if quoted.get("supports") == f"reason#{number}":
                _quote(screen, quoted)


def _quote(screen: Screen, quoted: Mapping[str, Any]) -> None:
    hint = f" ({quoted['source_hint']})" if quoted.get("source_hint") else ""
    screen.paragraph(f"“{quoted['quote']}”{hint}", "dim", first="     ")


def _signals(screen: Screen, signals: Mapping[str, float]) -> None:
    """Two bars a line; in a pipe, numbers."""
    known = [(label, signals[name]) for name, label in _SIGNALS.items() if name in signals]
    if not screen.live:
        if known:
            screen.line("  " + ", ".join(f"{label} {value:g}" for label, value in known))
        return
    for pair in (known[:2], known[2:]):
        screen.line(*[part for label, value in pair for part in _bar(label, value)])


def _bar(label: str, value: float) -> tuple[str | tuple[str, str], ...]:
    full = max(0, min(_BAR, round(value / 100 * _BAR)))
    return (f"  {label:8}", ("━" * full, "cyan"), ("━" * (_BAR - full), "dim"), f" {value:5.1f}   ")
