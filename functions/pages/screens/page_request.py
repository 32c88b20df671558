"""A browser's request: the caller, the preferences, and the submitted form."""

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
SESSION, PREFERENCES = "readdo", "readdo-likes"
THEMES = ("auto", "light", "dark")
PROFILES = ("engineer", "creator", "manager")
HOME = "/my"
ITEM = f"{HOME}/items/<raw_id>"


class PageRequest:
    def __init__(self, event: dict[str, Any]) -> None:
        self.event = event
        self.headers: Mapping[str, str] = {k.lower(): v for k, v in (event.get("headers") or {}).items()}
        self.path: str = event["rawPath"]
        self.method: str = event["requestContext"]["http"]["method"]
        self.bearer: Bearer | None = None
        self.table = store.open_table()

    @property
    def caller(self) -> Bearer:
        if self.bearer is None:  # page_auth sets the bearer before any protected screen
            raise LookupError("nobody came in")
        return self.bearer

    @property
    def owner(self) -> str:
        return self.caller.owner

    @cached_property
    def base(self) -> str:
        """The prefix of all paths: empty on AWS, the gateway's path in the local stack."""
        return urlsplit(setting("READDO_PUBLIC_URL", "")).path.rstrip("/")

    @property
    def address(self) -> str:
        host = self.headers.get("host", "")
        return setting("READDO_PUBLIC_URL", "") or f"https://{host}"

    @cached_property
    def cookies(self) -> dict[str, str]:
        cookies = self.event.get("cookies") or self.headers.get("cookie", "").split(";")
        pairs = (cookie.strip().partition("=") for cookie in cookies)
        return {name: value for name, _, value in pairs if name}

    @cached_property
    def likes(self) -> dict[str, str]:
        """The preferences in the browser's cookie. Unknown values are replaced by defaults."""
        values = {k: v[-1] for k, v in _parse_form(self.cookies.get(PREFERENCES, "").replace("~", "&")).items()}
        return {
            "language": values.get("language", "") if values.get("language") in LANGUAGES else "",
            "theme": values.get("theme", "") if values.get("theme") in THEMES else "auto",
            "profile": values.get("profile", "") if values.get("profile") in PROFILES else "engineer",
        }

    @cached_property
    def words(self) -> Words:
        return language_of(self.likes["language"], self.headers.get("accept-language", ""))

    @cached_property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in _parse_form(self.event.get("rawQueryString", "")).items()}

    @cached_property
    def form(self) -> dict[str, str]:
        return {name: "\n".join(values) for name, values in self.form_lists.items()}

    @cached_property
    def form_lists(self) -> dict[str, list[str]]:
        """All values of each form field."""
        if self.brings_files:
            return self._multipart.fields
        return _parse_form(self.event.get("body") or "")

    @property
    def brings_files(self) -> bool:
        return multipart_form.is_multipart(self.headers)

    @cached_property
    def _multipart(self) -> multipart_form.SubmittedForm:
        return multipart_form.parse(self.event, self.headers)

    @property
    def file(self) -> SentFile | None:
        return self._multipart.file if self.brings_files else None

    def back_link(self, otherwise: str) -> str:
        """The path of the page with the form, if it is one of our pages."""
        back = self.form.get("back", "")
        return back if is_ours(back) else otherwise


def is_ours(path: str) -> bool:
    return path == HOME or (path.startswith((f"{HOME}/", f"{HOME}?")) and "\\" not in path and path.isprintable())


# A Chinese character is nine characters of a form, and parse_qs makes an object of each: 80 times the size.
_BEYOND_ASCII = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")


def _decode_letters(run: re.Match[str]) -> str:
    return bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "replace")


def _parse_form(text: str) -> dict[str, list[str]]:
    text = _BEYOND_ASCII.sub(_decode_letters, text)
    try:
        return parse_qs(text, keep_blank_values=True, max_num_fields=FIELDS_MAX)
    except ValueError as error:
        raise invalid(f"The form has more than {FIELDS_MAX} fields. Send it as the page has it.") from error
