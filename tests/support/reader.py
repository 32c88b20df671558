"""User with a browser without scripts: follows links and redirects, fills in forms and sends them."""

import base64
import importlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import lxml.html
from lxml.html import FormElement, HtmlElement

from support.world import World, context

HOST = "readdo.example"
OURS = {"origin": f"https://{HOST}"}


@dataclass
class Page:
    status: int
    headers: dict[str, str]
    cookies: list[str]
    text: str
    path: str

    @property
    def tree(self) -> HtmlElement:
        return lxml.html.fromstring(self.text)

    def words(self, css: str = "main") -> str:
        return " ".join(" ".join(element.text_content().split()) for element in self.tree.cssselect(css))

    def form(self, ending: str) -> FormElement:
        """Return the only form whose action ends like this."""
        matches = [form for form in self.tree.forms if _action(form).endswith(ending)]
        assert matches, f"no form {ending} in {[_action(form) for form in self.tree.forms]}"
        return matches[0]

    def has(self, ending: str) -> bool:
        return any(_action(form).endswith(ending) for form in self.tree.forms)

    def link(self, ending: str) -> str:
        return next(str(a.get("href")) for a in self.tree.cssselect("a") if a.get("href").endswith(ending))


def _action(form: FormElement) -> str:
    return form.get("action") or ""


class Reader:
    def __init__(self, world: World, *, token: str | None = None, language: str = "en") -> None:
        self.world, self.language = world, language
        self.cookies = {"readdo": world.token if token is None else token}

    def ask(self, method: str, path: str, body: str | bytes = "", **headers: str) -> Page:
        bare, _, query = path.partition("?")
        bare = bare.partition("#")[0]
        request_headers = {
            "host": HOST,
            "accept-language": self.language,
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        event = {
            "version": "2.0",
            "rawPath": bare,
            "rawQueryString": query.partition("#")[0],
            "headers": request_headers,
            "cookies": [f"{name}={value}" for name, value in self.cookies.items() if value],
            "requestContext": {"http": {"method": method, "path": bare}, "domainName": HOST, "stage": "$default"},
            "body": base64.b64encode(body.encode() if isinstance(body, str) else body).decode(),
            "isBase64Encoded": True,
        }
        answer = importlib.import_module("pages").handler(event, context("pages"))
        response_headers = {k.lower(): v for k, v in answer.get("headers", {}).items()}
        text = answer.get("body") or ""
        if answer.get("isBase64Encoded"):
            text = base64.b64decode(text).decode("utf-8", "replace")
        for cookie in answer.get("cookies", []):
            name, _, rest = cookie.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        return Page(answer["statusCode"], response_headers, answer.get("cookies", []), text, path)

    def look(self, path: str, **headers: str) -> Page:
        page = self.ask("GET", path, **headers)
        while page.status == 303:
            page = self.ask("GET", page.headers["location"], **headers)
        return page

    def send(self, form: FormElement, **fields: Any) -> Page:
        """Send the form with these fields changed.

        A list gives all values of a field, None removes the field.
        """
        pairs = [(name, value) for name, value in form.form_values() if name not in fields]
        for name, value in fields.items():
            pairs += [(name, one) for one in (value if isinstance(value, list) else [] if value is None else [value])]
        page = self.ask("POST", form.get("action"), urlencode(pairs), **OURS)
        return self.look(page.headers["location"]) if page.status == 303 else page

    def bring(self, form: FormElement, name: str, file: bytes, **fields: str) -> Page:
        """Send a form with a file, as a browser does."""
        values = {**dict(form.form_values()), **fields}
        head = "--line\r\nContent-Disposition: form-data; name="
        parts = "".join(f'{head}"{of}"\r\n\r\n{value}\r\n' for of, value in values.items())
        parts += f'{head}"file"; filename="{name}"\r\nContent-Type: application/octet-stream\r\n\r\n'
        kind = {**OURS, "content-type": "multipart/form-data; boundary=line"}
        page = self.ask("POST", form.get("action"), parts.encode() + file + b"\r\n--line--\r\n", **kind)
        return self.look(page.headers["location"]) if page.status == 303 else page

    def item(self, item_id: str, query: str = "") -> Page:
        return self.look(f"/my/items/{item_id}{query}")
