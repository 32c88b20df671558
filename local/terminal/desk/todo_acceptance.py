"""Accept an item's todos as tasks."""

from typing import Any

from terminal import api, names
from terminal.desk.words import short, title_of
from terminal.failures import missing
from terminal.session import Session, put_json


def accept(session: Session, name: str, numbers: tuple[int, ...], priority: str | None) -> int:
    """Accept todos one by one. The version makes the API reject todos that have changed in the meantime."""
    item_id = names.find(session.api, name)
    todos = session.api.get(api.item(item_id)).data.get("artifacts", {}).get("todos")
    if todos is None:
        raise missing("This item has no todos yet.", f"Show the item: readdo show {name}")
    body = {"version": todos["version"], **({"priority": priority} if priority else {})}
    results: list[dict[str, Any]] = []
    for number in dict.fromkeys(numbers):
        response = session.api.post(api.item(item_id, "todos", str(number), "accept"), body)
        results.append(response.raw)
        if not session.json:
            _tell(session, response)
    if session.json:
        put_json(results[0] if len(results) == 1 else {"results": results})
    return 0


def _tell(session: Session, response: api.ApiResponse) -> None:
    task, screen = response.data["task"], session.screen
    if not screen.live:
        screen.line(str(task["id"]))
        return
    note = "" if response.status == 201 else ", already a task"
    screen.paragraph(title_of(task), first=("✓ ", "green"))
    screen.line((f"  {short(task['id'])}  ", "bold"), (f"{task['intent']}, {task['priority']}{note}", "dim"))
