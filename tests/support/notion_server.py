"""Local Notion server: databases with columns, pages with values, and Notion's errors.

    with notion_server(title="名称") as notion:
        ... call notion.url; then check notion.pages and notion.asked

It validates values against the database's columns and Notion's limits, as Notion does.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

from support.serving import serving

DATABASE, TOKEN = "0f0e0d0c0b0a09080706050403020100", "ntn_secret-of-a-test"
Answer = tuple[int, dict[str, Any], dict[str, str]]
Trick = Callable[["NotionServer", str, str], Answer | None]
_GONE = "Could not find page or database. Make sure it is shared with your integration."
_PLACE = re.compile(r"/v1/(pages|databases)(?:/([0-9a-z-]+))?(/query)?")


@dataclass
class NotionServer:
    columns: dict[str, dict[str, Any]]
    port: int = 0
    token: str = TOKEN
    shared: bool = True
    pages: dict[str, dict[str, Any]] = field(default_factory=dict)  # id → its properties
    archived: set[str] = field(default_factory=set)
    asked: list[tuple[str, str]] = field(default_factory=list)
    tricks: list[Trick] = field(default_factory=list)  # each is called once, in this order
    refuses: Callable[[dict[str, Any]], bool] = field(default=lambda _properties: False)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def writes(self) -> int:
        return sum(method != "GET" and not path.endswith("/query") for method, path in self.asked)

    def text(self, name: str, column: str) -> str:
        """Return the text in a column of the only page with this id."""
        (page,) = self.of(name)
        return column_text(page[column])

    def of(self, name: str) -> list[dict[str, Any]]:
        return [page for page in self.pages.values() if column_text(page["Id"]) == name]

    def answer(self, method: str, path: str, headers: dict[str, str], body: Any) -> Answer:
        self.asked.append((method, path))
        if self.tricks and (response := self.tricks.pop(0)(self, method, path)):
            return response
        if headers.get("authorization") != f"Bearer {self.token}":
            return refusal(401, "unauthorized", "API token is invalid.")
        if headers.get("notion-version") != "2022-06-28":
            return refusal(400, "missing_version", "Notion-Version header should be defined.")
        place = _PLACE.fullmatch(path)
        if place is None or (place[1] == "databases" and place[2] != DATABASE) or not self.shared:
            return refusal(404, "object_not_found", _GONE)
        return self._on[(method, place[1], bool(place[3]))](self, place[2], body)

    def _database(self, _: str, __: Any) -> Answer:
        return 200, {"object": "database", "id": DATABASE, "properties": self.columns}, {}

    def _change(self, _: str, body: Any) -> Answer:
        for name, column in body["properties"].items():
            (kind,) = column
            self.columns[name] = {"type": kind, kind: {}}
        return self._database("", None)

    def _query(self, _: str, body: Any) -> Answer:
        expected = body["filter"]["rich_text"]["equals"]
        matches = [key for key, page in self.pages.items() if column_text(page[body["filter"]["property"]]) == expected]
        return 200, {"results": [{"object": "page", "id": key} for key in matches if key not in self.archived]}, {}

    def _make(self, _: str, body: Any) -> Answer:
        if body["parent"] != {"database_id": DATABASE}:
            return refusal(404, "object_not_found", _GONE)
        if error := self._find_error(body["properties"]):
            return refusal(400, "validation_error", error)
        key = f"page-{len(self.pages) + 1}"
        self.pages[key] = body["properties"]
        return 200, {"object": "page", "id": key}, {}

    def _update(self, key: str, body: Any) -> Answer:
        if key not in self.pages:
            return refusal(404, "object_not_found", _GONE)
        if key in self.archived:
            return refusal(400, "validation_error", "Can't edit block that is archived. You must unarchive it first.")
        if error := self._find_error(body["properties"]):
            return refusal(400, "validation_error", error)
        self.pages[key] |= body["properties"]
        return 200, {"object": "page", "id": key}, {}

    def _find_error(self, properties: dict[str, Any]) -> str:
        for name, value in properties.items():
            if name not in self.columns:
                return f"{name} is not a property that exists."
            (kind,) = value
            if kind != self.columns[name]["type"]:
                return f"{name} is expected to be {self.columns[name]['type']}."
            if any(len(part["text"]["content"].encode("utf-16-le")) > 4000 for part in _texts(value)):
                return f"body.properties.{name} should be at most 2000 signs."
            if any("," in option["name"] or len(option["name"]) > 100 for option in _options(value)):
                return f"{name}: an option's name holds a comma, or is too long."
        return "body failed validation." if self.refuses(properties) else ""

    _on: ClassVar = {
        ("GET", "databases", False): _database,
        ("PATCH", "databases", False): _change,
        ("POST", "databases", True): _query,
        ("POST", "pages", False): _make,
        ("PATCH", "pages", False): _update,
    }


def column_text(value: dict[str, Any]) -> str:
    """Return a value as a user sees it."""
    words = [part["text"]["content"] for part in _texts(value)] + [option["name"] for option in _options(value)]
    plain = [value[kind] for kind in ("number", "date") if value.get(kind) is not None]
    return ", ".join([*words, *(str(one["start"] if isinstance(one, dict) else one) for one in plain)])


def _texts(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [*value.get("title", ()), *value.get("rich_text", ())]


def _options(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [*value.get("multi_select", ()), *([value["select"]] if value.get("select") else [])]


def refusal(status: int, code: str, message: str, **headers: str) -> Answer:
    error = {"object": "error", "status": status, "code": code, "message": message}
    return status, error, {name.replace("_", "-"): value for name, value in headers.items()}


@contextmanager
def notion_server(title: str = "Name", **columns: str) -> Iterator[NotionServer]:
    properties = {name: {"type": kind, kind: {}} for name, kind in {title: "title", **columns}.items()}
    notion = NotionServer(properties)

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, payload, more = notion.answer(self.command, self.path, headers, json.loads(raw or b"null"))
            if not status:  # the connection broke
                self.close_connection = True
                return
            body = json.dumps(payload).encode()
            self.send_response(status)
            for name, value in {**more, "Content-Type": "application/json", "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PATCH = answer  # noqa: N815 - so the server calls them

        def log_message(self, *_: object) -> None:
            pass

    with serving(Handler) as port:
        notion.port = port
        yield notion
