"""Turn a proposed todo into a task. The task id is derived from the todo, so repeating is idempotent."""

import uuid
from collections.abc import Mapping
from typing import Any

from readdo.do import task_creation, views
from readdo.do.rows import TaskRow
from readdo.do.task_requests import TaskRequest
from readdo.do.task_rows import task_row
from readdo.errors import Rejected, VersionMismatch
from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, move
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.write import VERSION_SEEN, Busy, WriteRefused
from readdo.read import artifacts, item_keys
from readdo.read import views as of_item
from readdo.read.item_keys import item_row
from readdo.read.rows import ItemRow
from readdo.store.commands import Answer, CommandContext

TASKS_MAX = 100  # of one item
_TODOS = uuid.UUID("3b0e2c8a-5f3e-4c55-8a55-0f1d0c4f9e21")
_TRIES = 32


class NoSuchTodo(Rejected):
    """The todos of this version have no such number."""

    key = "rejected.todo_missing"
    code = "NOT_FOUND"


class TooManyTasks(Rejected):
    """The item has reached the limit of tasks."""

    key = "rejected.tasks_full"


def id_of(owner: str, item_id: str, version: int, number: int) -> str:
    """The id of the task of this todo. It depends on the item, the version of its todos, and the number."""
    return str(uuid.uuid5(_TODOS, f"{owner}\x1f{item_id}\x1f{version}\x1f{number}"))


def accept(context: CommandContext, item_id: str, number: int, version: int, priority: str) -> tuple[Answer, bool]:
    """The task and its item, and whether the task is new."""
    task_id = id_of(context.owner, item_id, version, number)
    for _ in range(_TRIES):
        item = item_row(context.table, context.owner, item_id)
        if item is None:
            raise NotFound(ITEM, "accept", None)
        context.remembered()
        existing = task_row(context.table, context.owner, task_id)
        if existing is not None:
            return _answer(item, existing), False
        request = _task_request(item, task_id, _todo(context, item, number, version), priority)
        if len(_with(item, task_id)) > TASKS_MAX:
            raise TooManyTasks(limit=TASKS_MAX)
        try:
            added = task_creation.add(
                context.table,
                context.owner,
                request,
                context.at,
                *context.record(task_id),
                _item_move(item, task_id, context.at),
            )
        except (WriteRefused, Conflict):
            continue  # the item changed meanwhile: read it again
        return _answer({**item, "tasks": _with(item, task_id)}, added.task), added.new
    raise Busy("accept")


def _answer(item: ItemRow, task: TaskRow) -> Answer:
    return {"task": views.task(task), "item": of_item.item(item)}


def _with(item: ItemRow, task_id: str) -> list[str]:
    """The item's task ids with this one. An id stays in the list after its task was deleted."""
    return list(dict.fromkeys([*item.get("tasks", ()), task_id]))


def _todo(context: CommandContext, item: ItemRow, number: int, version: int) -> dict[str, Any]:
    if item["status"] not in ITEM.sources("accept"):
        raise Forbidden(ITEM, "accept", item)
    artifact = artifacts.current_artifacts(context.table, item, ("todos",)).get("todos")
    if artifact is None or artifact["version"] != version:
        raise VersionMismatch("todos", str(version), artifact["version"] if artifact else 0)
    todos = artifact["payload"]["todos"]
    if not 1 <= number <= len(todos):
        raise NoSuchTodo(number=number, count=len(todos))
    return dict(todos[number - 1])


def _task_request(item: ItemRow, task_id: str, todo: Mapping[str, Any], priority: str) -> TaskRequest:
    about = {name: item[name] for name in ("url", "title", "intent_text") if item.get(name)}
    return TaskRequest(
        intent=todo["type"].lower(),
        id=task_id,
        title=todo["title"],
        source="readdo",
        payload={"item_id": item["id"], "todo": dict(todo), **about},
        priority=priority or todo.get("priority", "P2"),
        tags=tuple(todo.get("tags", ())),
        of_item=item["id"],
    )


def _item_move(item: ItemRow, task_id: str, at: str) -> Any:
    """The move that adds the task's id to the item, in the same transaction."""
    change = Change({"tasks": _with(item, task_id)}, condition=VERSION_SEEN, params={"seen_version": item["version"]})
    return move(ITEM, "accept", item_keys.item(item["owner"], item["id"]), who=USER, at=at, change=change)
