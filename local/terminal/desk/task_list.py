"""Print the list of tasks, or one task in full."""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal.api import at
from terminal.desk import detail, names, tables
from terminal.session import Session, put_json
from terminal.text import clean_json


def show(session: Session, parameters: Mapping[str, Sequence[str]], limit: int, *, whole: bool) -> None:
    page = _fetch(session, {**parameters, "limit": names.PAGE if whole else limit}, whole)
    if session.json:
        put_json(page)
        return
    tables.tasks(session.screen, clean_json(page["tasks"]), session.outside.now())
    if page["tasks"]:
        if page["next_cursor"]:
            session.note("More tasks: readdo task list --all")
    elif any(parameters[name] for name in parameters if name != "status"):
        session.note("No tasks match.")
    else:
        session.note('No open tasks. Add one: readdo task add write --title "…"')


def _fetch(session: Session, query: dict[str, Any], whole: bool) -> dict[str, Any]:
    """Fetch pages up to the limit and merge them into one response. A short page may have a next one."""
    result: dict[str, Any] = session.api.get("/tasks", query).raw
    while result.get("next_cursor") and (whole or len(result["tasks"]) < query["limit"]):
        remaining = query["limit"] if whole else query["limit"] - len(result["tasks"])
        more = session.api.get("/tasks", {**query, "limit": remaining, "cursor": result["next_cursor"]}).raw
        result = {"tasks": [*result["tasks"], *more["tasks"]], "next_cursor": more.get("next_cursor")}
    return result


def one(session: Session, name: str) -> None:
    response = session.api.get(at("tasks", names.find(session.api, name)))
    evidence = detail.evidence_of(session.api, response.raw["runs"])
    if session.json:
        put_json({**response.raw, "evidence": evidence})
    else:
        payload = response.raw["task"].get("payload")
        detail.show(session.screen, response.data, clean_json(evidence), payload, session.outside.now())
