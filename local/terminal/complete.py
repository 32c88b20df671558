"""What the tab key offers for an ID: the newest items, the tasks or the tokens, quickly or not at all."""

from click.shell_completion import CompletionItem

from terminal.desk import words as of_desk
from terminal.session import Session
from terminal.text import cut
from terminal.words import short, title_of

SECONDS, OFFERED = 0.7, 50


def items(session: Session, begun: str) -> list[CompletionItem]:
    """Whatever goes wrong, a prompt is no place to say so."""
    try:
        rows = session.connect(tries=1, seconds=SECONDS).get("/items", {"sort": "created_desc", "limit": OFFERED})
        return [item for row in rows.data["items"] if (item := _offer(str(row["id"]), title_of(row), begun))]
    except Exception:
        return []


def tasks(session: Session, begun: str) -> list[CompletionItem]:
    """The open ones: what is done is seldom asked for."""
    asked = begun.lower()
    try:
        api = session.connect(tries=1, seconds=SECONDS)
        rows = api.get("/tasks", {"status": of_desk.OPEN, "limit": OFFERED}).data["tasks"]
        names = {
            (of_desk.short(name), name): cut(of_desk.title_of(row), 50) for row in rows if (name := str(row["id"]))
        }
        return [
            CompletionItem(name if name.startswith(asked) else whole, help=title)
            for (name, whole), title in names.items()
            if whole.startswith(asked)
        ]
    except Exception:
        return []


def tokens(session: Session, begun: str) -> list[CompletionItem]:
    try:
        rows = session.connect(tries=1, seconds=SECONDS).get("/tokens").data["tokens"]
        named = [(str(row["id"]), cut(str(row.get("name", "")), 50)) for row in rows]
        return [CompletionItem(token_id, help=name) for token_id, name in named if token_id.startswith(begun)]
    except Exception:
        return []


def _offer(item_id: str, title: str, begun: str) -> CompletionItem | None:
    asked = begun.upper()
    for name in (short(item_id), item_id):
        if name.startswith(asked):
            return CompletionItem(name, help=cut(title, 50))
    return None


OFFERS = {"item": items, "task": tasks}
