"""The list of tasks, and one of them whole."""

from collections.abc import Mapping, Sequence
from typing import Any

from terminal.api import at
from terminal.desk import detail, names, tables
from terminal.session import Session, put_json
from terminal.text import cleaned


def show(session: Session, asked: Mapping[str, Sequence[str]], limit: int, *, whole: bool) -> None:
    found = _ask(session, {**asked, "limit": names.PAGE if whole else limit}, whole)
    if session.json:
        put_json(found)
        return
    tables.tasks(session.screen, cleaned(found["tasks"]), session.outside.now())
    if found["tasks"]:
        if found["next_cursor"]:
            session.note("There is more: readdo task list --all")
    elif any(asked[name] for name in asked if name != "status"):
        session.note("No task is like that.")
    else:
        session.note('Nothing to do. Add something: readdo task add write --title "…"')


def _ask(session: Session, query: dict[str, Any], whole: bool) -> dict[str, Any]:
    """The answer; of many pages, one answer of the same form. A page may be short, and more come after it."""
    found: dict[str, Any] = session.api.get("/tasks", query).raw
    while found.get("next_cursor") and (whole or len(found["tasks"]) < query["limit"]):
        left = query["limit"] if whole else query["limit"] - len(found["tasks"])
        more = session.api.get("/tasks", {**query, "limit": left, "cursor": found["next_cursor"]}).raw
        found = {"tasks": [*found["tasks"], *more["tasks"]], "next_cursor": more.get("next_cursor")}
    return found


def one(session: Session, name: str) -> None:
    answer = session.api.get(at("tasks", names.find(session.api, name)))
    evidence = detail.evidence_of(session.api, answer.raw["runs"])
    if session.json:
        put_json({**answer.raw, "evidence": evidence})
    else:
        payload = answer.raw["task"].get("payload")
        detail.show(session.screen, answer.data, cleaned(evidence), payload, session.outside.now())
