"""One look at a page: who looks, in which language and light, and what was sent along."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import parse_qs, urlsplit

from readdo import store
from readdo.runtime import setting
from readdo.store.tokens import Bearer
from readdo.web.errors import invalid
from screens import multipart_form
from screens.i18n import LANGUAGES, Words, language_of
from screens.multipart_form import SentFile

FIELDS_MAX = 120
SESSION, LIKING = "readdo", "readdo-likes"
THEMES = ("auto", "light", "dark")
PROFILES = ("engineer", "creator", "manager")
HOME = "/my"
ITEM = f"{HOME}/items/<given>"


class PageRequest:
    def __init__(self, event: dict[str, Any]) -> None:
        self.event = event
        self.headers: Mapping[str, str] = {k.lower(): v for k, v in (event.get("headers") or {}).items()}
        self.path: str = event["rawPath"]
        self.method: str = event["requestContext"]["http"]["method"]
        self.bearer: Bearer | None = None
        self.table = store.open_table()

    @property
    def comer(self) -> Bearer:
        if self.bearer is None:  # the door lets nobody past without one
            raise LookupError("nobody came in")
        return self.bearer

    @property
    def owner(self) -> str:
        return self.comer.owner

    @cached_property
    def base(self) -> str:
        """What stands before every path of ours: nothing on AWS, the gateway's own path on one's machine."""
        return urlsplit(setting("READDO_PUBLIC_URL", "")).path.rstrip("/")

    @property
    def address(self) -> str:
        host = self.headers.get("host", "")
        return setting("READDO_PUBLIC_URL", "") or f"https://{host}"

    @cached_property
    def cookies(self) -> dict[str, str]:
        sent = self.event.get("cookies") or self.headers.get("cookie", "").split(";")
        pairs = (cookie.strip().partition("=") for cookie in sent)
        return {name: value for name, _, value in pairs if name}

    @cached_property
    def likes(self) -> dict[str, str]:
        """What this browser was told to look like; what is no choice of ours is none."""
        said = {k: v[-1] for k, v in _parts(self.cookies.get(LIKING, "").replace("~", "&")).items()}
        return {
            "language": said.get("language", "") if said.get("language") in LANGUAGES else "",
            "theme": said.get("theme", "") if said.get("theme") in THEMES else "auto",
            "profile": said.get("profile", "") if said.get("profile") in PROFILES else "engineer",
        }

    @cached_property
    def words(self) -> Words:
        return language_of(self.likes["language"], self.headers.get("accept-language", ""))

    @cached_property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in _parts(self.event.get("rawQueryString", "")).items()}

    @cached_property
    def form(self) -> dict[str, str]:
        return {name: "\n".join(values) for name, values in self.sent.items()}

    @cached_property
    def sent(self) -> dict[str, list[str]]:
        """Every value of a field that is there more than once."""
        if self.brings_files:
            return self._in_parts.fields
        return _parts(self.event.get("body") or "")

    @property
    def brings_files(self) -> bool:
        return multipart_form.is_in_parts(self.headers)

    @cached_property
    def _in_parts(self) -> multipart_form.SubmittedForm:
        return multipart_form.parse(self.event, self.headers)

    @property
    def file(self) -> SentFile | None:
        return self._in_parts.file if self.brings_files else None

    def way_back(self, otherwise: str) -> str:
        """Where the form was; only to a page of ours."""
        back = self.form.get("back", "")
        return back if is_ours(back) else otherwise


def is_ours(path: str) -> bool:
    return path == HOME or (path.startswith((f"{HOME}/", f"{HOME}?")) and "\\" not in path and path.isprintable())


# Chinese text is nine characters a letter in a form, and parse_qs makes objects of each: 80 times what was sent.
_BEYOND_ASCII = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")


def _decode_letters(run: re.Match[str]) -> str:
    return bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "replace")


def _parts(text: str) -> dict[str, list[str]]:
    text = _BEYOND_ASCII.sub(_decode_letters, text)
    try:
        return parse_qs(text, keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError as error:
        raise invalid(f"The form has more than {FIELDS_MAX} fields. Send it as the page has it.") from error
