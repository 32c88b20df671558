"""Todos of an item that become tasks."""

from typing import Any

from terminal import api, names
from terminal.desk.words import short, title_of
from terminal.failures import missing
from terminal.session import Session, put_json


def accept(session: Session, name: str, numbers: tuple[int, ...], priority: str | None) -> int:
    """One after another, as they were seen: todos that have changed since are refused."""
    item_id = names.find(session.api, name)
    todos = session.api.get(api.item(item_id)).data.get("artifacts", {}).get("todos")
    if todos is None:
        raise missing("This item has no todos yet.", f"How far it is: readdo show {name}")
    body = {"version": todos["version"], **({"priority": priority} if priority else {})}
    results: list[dict[str, Any]] = []
    for number in dict.fromkeys(numbers):
        answer = session.api.post(api.item(item_id, "todos", str(number), "accept"), body)
        results.append(answer.raw)
        if not session.json:
            _tell(session, answer)
    if session.json:
        put_json(results[0] if len(results) == 1 else {"results": results})
    return 0


def _tell(session: Session, answer: api.ApiResponse) -> None:
    task, screen = answer.data["task"], session.screen
    if not screen.live:
        screen.line(str(task["id"]))
        return
    known = "" if answer.status == 201 else ", as before"
    screen.paragraph(title_of(task), first=("✓ ", "green"))
    screen.line((f"  {short(task['id'])}  ", "bold"), (f"{task['intent']}, {task['priority']}{known}", "dim"))
