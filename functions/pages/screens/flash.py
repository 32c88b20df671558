"""Messages after a form: the result, shown once on the next page, with an undo action."""

import re
from typing import Any

from readdo.web.path_params import is_item_id
from screens.page_request import PageRequest

# action → the action that undoes it
UNDO = {"archive": "unarchive", "unarchive": "archive"}


def flash(visit: PageRequest) -> dict[str, Any] | None:
    """The message in the query. Unknown names are ignored, because anybody can craft a URL."""
    done, of = visit.query.get("done", ""), visit.query.get("of", "")
    if not visit.words.knows(f"done.{done}"):
        return None
    item = of if is_item_id(of) else ""
    return {"name": done, "item": item, "undo": UNDO.get(done, "") if item else ""}


def flash_link(path: str, done: str, item: str = "") -> str:
    """A path with the result of an action in its query."""
    bare = re.sub(r"[?&](done|of)=[^&]*", "", path)
    bare = bare if "?" in bare or "&" not in bare else bare.replace("&", "?", 1)
    return f"{bare}{'&' if '?' in bare else '?'}done={done}" + (f"&of={item}" if item else "")
