"""What was: each move of an item, and each version of what was made of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal import moments
from terminal.screen import Screen
from terminal.text import cut, pad

_MOVE, _STATE = 19, 17


def history(screen: Screen, entries: Sequence[Mapping[str, Any]]) -> None:
    screen.heading("History")
    for entry in entries:
        shown = [moments.clock(entry.get("at")), str(entry.get("trigger", "")), str(entry.get("to", ""))]
        if screen.columns is None:
            screen.line("  " + "  ".join([*shown, str(entry.get("by", ""))]))
            continue
        left = screen.columns - 2 - 19 - 2 - _MOVE - 2 - _STATE - 2
        screen.line(
            (f"  {shown[0]}  ", "dim"),
            pad(cut(shown[1], _MOVE), _MOVE) + "  " + pad(cut(shown[2], _STATE), _STATE) + "  ",
            (cut(str(entry.get("by", "")).removeprefix("system:"), left), "dim"),
        )


def versions(screen: Screen, found: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    screen.heading("Versions", "the one that is shown has a mark")
    for name, editions in found.items():
        for edition in editions:
            mark = "✓" if edition.get("shown") else " "
            whose = "yours" if edition.get("created_by") == "user" else "system"
            engine = str((edition.get("meta") or {}).get("engine_version", ""))
            screen.line(
                (f"  {mark} ", "green"),
                f"{name:10} {edition.get('version', ''):>3}  {whose:6}  {moments.clock(edition.get('created_at'))}  ",
                (cut(engine, 24) if screen.live else engine, "dim"),
            )
