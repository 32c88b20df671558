"""What became of an item's todos."""

from collections.abc import Mapping
from typing import Any

from terminal.desk.words import COLOURS, short, title_of
from terminal.screen import Screen


def show(screen: Screen, told: Mapping[str, Any]) -> None:
    screen.heading("Tasks", "all done" if told["all_done"] else f"{told['done']} of {told['total']} done")
    for task in told["tasks"]:
        state = str(task["status"])
        screen.paragraph(title_of(task), first=(f"  {short(task['id'])}  {state:9}  ", COLOURS.get(state, "")))
