"""Cookies, and the result of a form, shown once on the next page, with an undo action."""

import re
from typing import Any
from urllib.parse import urlsplit

from aws_lambda_powertools.shared.cookies import Cookie, SameSite

from readdo.runtime import setting
from readdo.web.path_params import is_item_id
from screens.page_request import HOME, PageRequest

# action → the action that undoes it
UNDO = {"archive": "unarchive", "unarchive": "archive"}
_LOOPBACK = ("127.0.0.1", "localhost")


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


def cookie(visit: PageRequest, name: str, value: str, seconds: int) -> Cookie:
    return Cookie(
        name,
        value,
        path=f"{visit.base}{HOME}",
        secure=not _is_local(visit),
        http_only=True,
        max_age=seconds,
        same_site=SameSite.STRICT_MODE,
    )


def _is_local(visit: PageRequest) -> bool:
    """True in the local stack, which has no TLS. Safari stores no Secure cookies for such addresses.

    Only the local stack sets READDO_PUBLIC_URL to such a URL. The Host header alone can be forged.
    """
    public = urlsplit(setting("READDO_PUBLIC_URL", ""))
    host = visit.headers.get("host", "").partition(":")[0]
    return public.scheme == "http" and public.hostname in _LOOPBACK and host in _LOOPBACK
