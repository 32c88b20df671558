"""Tab completion of ids: items, tasks and tokens. One try with a short timeout."""

from click.shell_completion import CompletionItem

from terminal.desk import words as of_desk
from terminal.session import Session
from terminal.text import cut
from terminal.words import short, title_of

SECONDS, OFFERED = 0.7, 50


def items(session: Session, prefix: str) -> list[CompletionItem]:
    """Return completions, or none on any error: an error message would break the user's prompt."""
    try:
        rows = session.connect(tries=1, seconds=SECONDS).get("/items", {"sort": "created_desc", "limit": OFFERED})
        return [item for row in rows.data["items"] if (item := _completion(str(row["id"]), title_of(row), prefix))]
    except Exception:
        return []


def tasks(session: Session, prefix: str) -> list[CompletionItem]:
    """Return completions for open tasks only."""
    typed = prefix.lower()
    try:
        api = session.connect(tries=1, seconds=SECONDS)
        rows = api.get("/tasks", {"status": of_desk.OPEN, "limit": OFFERED}).data["tasks"]
        names = {
            (of_desk.short(name), name): cut(of_desk.title_of(row), 50) for row in rows if (name := str(row["id"]))
        }
        return [
            CompletionItem(name if name.startswith(typed) else task_id, help=title)
            for (name, task_id), title in names.items()
            if task_id.startswith(typed)
        ]
    except Exception:
        return []


def tokens(session: Session, prefix: str) -> list[CompletionItem]:
    try:
        rows = session.connect(tries=1, seconds=SECONDS).get("/tokens").data["tokens"]
        named = [(str(row["id"]), cut(str(row.get("name", "")), 50)) for row in rows]
        return [CompletionItem(token_id, help=name) for token_id, name in named if token_id.startswith(prefix)]
    except Exception:
        return []


def _completion(item_id: str, title: str, prefix: str) -> CompletionItem | None:
    typed = prefix.upper()
    for name in (short(item_id), item_id):
        if name.startswith(typed):
            return CompletionItem(name, help=cut(title, 50))
    return None


OFFERS = {"item": items, "task": tasks}
