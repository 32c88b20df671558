"""Print an item's history and the versions of its artifacts."""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal import time_format
from terminal.screen import Screen
from terminal.text import cut, pad

_MOVE, _STATE = 19, 17


def history(screen: Screen, entries: Sequence[Mapping[str, Any]]) -> None:
    screen.heading("History")
    for entry in entries:
        cells = [time_format.clock(entry.get("at")), str(entry.get("trigger", "")), str(entry.get("to", ""))]
        if screen.columns is None:
            screen.line("  " + "  ".join([*cells, str(entry.get("by", ""))]))
            continue
        by_width = screen.columns - 2 - 19 - 2 - _MOVE - 2 - _STATE - 2
        screen.line(
            (f"  {cells[0]}  ", "dim"),
            pad(cut(cells[1], _MOVE), _MOVE) + "  " + pad(cut(cells[2], _STATE), _STATE) + "  ",
            (cut(str(entry.get("by", "")).removeprefix("system:"), by_width), "dim"),
        )


def versions(screen: Screen, artifacts: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
    screen.heading("Versions", "✓ marks the current one")
    for name, artifact_versions in artifacts.items():
        for version in artifact_versions:
            mark = "✓" if version.get("shown") else " "
            author = "yours" if version.get("created_by") == "user" else "system"
            engine = str((version.get("meta") or {}).get("engine_version", ""))
            time = time_format.clock(version.get("created_at"))
            screen.line(
                (f"  {mark} ", "green"),
                f"{name:10} {version.get('version', ''):>3}  {author:6}  {time}  ",
                (cut(engine, 24) if screen.live else engine, "dim"),
            )
