"""Print the tasks of an item's accepted todos."""

from collections.abc import Mapping
from typing import Any

from terminal.desk.words import COLOURS, short, title_of
from terminal.screen import Screen


def show(screen: Screen, tasks: Mapping[str, Any]) -> None:
    screen.heading("Tasks", "all done" if tasks["all_done"] else f"{tasks['done']} of {tasks['total']} done")
    for task in tasks["tasks"]:
        state = str(task["status"])
        screen.paragraph(title_of(task), first=(f"  {short(task['id'])}  {state:9}  ", COLOURS.get(state, "")))
