"""A proposed todo becomes a task. Its id is made from the item, the todos' version and its number: twice is once."""

import uuid
from collections.abc import Mapping
from typing import Any

from readdo.do import task_creation, views
from readdo.do.task_requests import TaskRequest
from readdo.do.transactions import Answer, CommandContext
from readdo.errors import VersionMismatch
from readdo.lifecycle.advance import Change, Conflict, Forbidden, NotFound, living, move
from readdo.lifecycle.conditions import VERSION_SEEN
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.machine import USER
from readdo.lifecycle.write import Busy, WriteRefused
from readdo.read import views as of_item
from readdo.store import artifacts, keys

TASKS_MAX = 100  # of one item
_TODOS = uuid.UUID("3b0e2c8a-5f3e-4c55-8a55-0f1d0c4f9e21")
_TRIES = 32


class NoSuchTodo(LookupError):
    """The todos of this version have no such number."""

    def __init__(self, there: int, number: int) -> None:
        super().__init__(f"There are {there} todos; number {number} is none of them. Accept one of 1 to {there}.")
        self.there, self.number = there, number


class TooManyTasks(Exception):
    """The item has become as many tasks as it may."""


def id_of(owner: str, item_id: str, version: int, number: int) -> str:
    """Of the task that this todo becomes, or has become."""
    return str(uuid.uuid5(_TODOS, f"{owner}\x1f{item_id}\x1f{version}\x1f{number}"))


def accept(asked: CommandContext, item_id: str, number: int, version: int, priority: str) -> tuple[Answer, bool]:
    """The task and its item, and whether the task is new."""
    task_id = id_of(asked.owner, item_id, version, number)
    for _ in range(_TRIES):
        item = living(asked.table.get(keys.item(asked.owner, item_id)))
        if item is None:
            raise NotFound(ITEM, "accept", None)
        asked.remembered()
        known = living(asked.table.get(keys.task(asked.owner, task_id)))
        if known is not None:
            return _told(item, known), False
        wish = _wish(item, task_id, _todo(asked, item, number, version), priority)
        if len(_with(item, task_id)) > TASKS_MAX:
            raise TooManyTasks
        try:
            added = task_creation.add(
                asked.table, asked.owner, wish, asked.at, *asked.record(task_id), _noted(item, task_id, asked.at)
            )
        except (WriteRefused, Conflict):
            continue  # the item was changed meanwhile: look again
        return _told({**item, "tasks": _with(item, task_id)}, added.task), added.new
    raise Busy("accept")


def _told(item: Mapping[str, Any], task: Mapping[str, Any]) -> Answer:
    return {"task": views.task(task), "item": of_item.item(item)}


def _with(item: Mapping[str, Any], task_id: str) -> list[str]:
    """One that was accepted before, and is gone since, keeps its place."""
    return list(dict.fromkeys([*item.get("tasks", ()), task_id]))


def _todo(asked: CommandContext, item: dict[str, Any], number: int, version: int) -> dict[str, Any]:
    if item["status"] not in ITEM.sources("accept"):
        raise Forbidden(ITEM, "accept", item)
    shown = artifacts.shown(asked.table, item, ("todos",)).get("todos")
    if shown is None or shown["version"] != version:
        raise VersionMismatch("todos", str(version), shown["version"] if shown else 0)
    todos = shown["payload"]["todos"]
    if not 1 <= number <= len(todos):
        raise NoSuchTodo(len(todos), number)
    return dict(todos[number - 1])


def _wish(item: Mapping[str, Any], task_id: str, todo: Mapping[str, Any], priority: str) -> TaskRequest:
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


def _noted(item: Mapping[str, Any], task_id: str, at: str) -> Any:
    """The item knows what became of it, in the same transaction."""
    change = Change({"tasks": _with(item, task_id)}, condition=VERSION_SEEN, params={"seen_version": item["version"]})
    return move(ITEM, "accept", keys.item(item["owner"], item["id"]), who=USER, at=at, change=change)
