"""Helpers for routes: the authorized request, and JSON responses."""

import json
from collections.abc import Sequence
from typing import Any, cast
from urllib.parse import parse_qs, unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.api.registry import CALLS
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Key
from readdo.read.rows import ItemRow
from readdo.store import commands
from readdo.store.table import DynamoTable
from readdo.store.tokens import Bearer
from readdo.web import versions
from readdo.web.errors import ApiError, invalid, not_found
from readdo.web.request_body import KEY_PATTERN, Body, Model, parse

OPEN_PATHS = frozenset(call.path for call in CALLS if call.is_open)  # need no token: they have no user's data
QUERY_MAX = 50
_KEY_WORDS = "must be 1 to 128 letters, digits or . _ ~ : @ = + -"
LIMIT_MAX = 100


class RequestContext:
    def __init__(self, router: APIGatewayHttpRouter) -> None:
        self._event = router.current_event
        self.table: DynamoTable = router.context["table"]
        self.bearer: Bearer = router.context["bearer"]
        self.owner = self.bearer.owner

    @property
    def text(self) -> str | None:
        return self._event.body

    @property
    def path(self) -> str:
        return str(self._event.path)

    def header(self, name: str) -> str:
        return str(self._event.headers.get(name, ""))

    def body(self, model: type[Model]) -> Model:
        return parse(model, self._event.body)

    def if_match(self, *, of_item: bool = True) -> str:
        return versions.if_match(self._event.headers.get("if-match", ""), of_item=of_item)

    def matches_etag(self, tag: str) -> bool:
        return versions.is_known(tag, self._event.headers.get("if-none-match", ""))

    def key(self, field_value: str = "", field: str = "") -> str:
        """The idempotency key: the body's field, else the header."""
        header = self._event.headers.get("idempotency-key")
        value, name = (field_value, field) if field_value or header is None else (header, "Idempotency-Key")
        if (value or header is not None) and not KEY_PATTERN.fullmatch(value):
            raise invalid(f"{name} {_KEY_WORDS}.", {name: _KEY_WORDS})
        return value

    def command_context(
        self, name: str, body: Body | None = None, *, keyed: bool = True, operation: str = "do", **ids: str
    ) -> commands.CommandContext:
        """The context of a command. `keyed`: the idempotency key covers this body."""
        fields = body.model_dump(mode="json") if body else {}
        key = self.key() if body is not None else ""
        return commands.CommandContext(
            self.table, self.owner, name, clock.now(), key if keyed else "", {**ids, **fields}, operation
        )

    def refuse_unknown_queries(self) -> None:
        """Reject unknown parameters: a filter with a typo must not show everything."""
        allowed = queries_of(self._event.http_method, self._event.path)
        unknown = [name[:80] for name in self._parse_query() if name not in allowed]
        if unknown:
            problem = f"is not known here; this call takes {', '.join(allowed) or 'no parameters'}"
            raise invalid(f"{unknown[0]} {problem}.", dict.fromkeys(unknown[:20], problem))

    def says_yes(self, name: str) -> bool:
        value = self.query(name) or "false"
        if value not in ("true", "false", "1", "0"):
            raise invalid(f"{name} must be true or false.", {name: "must be true or false"})
        return value in ("true", "1")

    def query(self, name: str) -> str | None:
        values = self.queries(name)
        return values[-1] if values else None

    def queries(self, name: str) -> list[str]:
        """All values of a parameter, repeated or separated by commas."""
        return [part for value in self._values(name) for part in value.split(",") if part]

    def free_text_values(self, name: str) -> list[str]:
        """All values of a repeated free-text parameter. Commas are part of a value."""
        return self._values(name)

    def free_text(self, name: str) -> str:
        """A free-text parameter. Commas are part of the text."""
        return " ".join(self._values(name))

    def _values(self, name: str) -> list[str]:
        return self._parse_query().get(name, [])

    def _parse_query(self) -> dict[str, list[str]]:
        try:
            return parse_qs(self._event.raw_event.get("rawQueryString", ""), max_num_fields=QUERY_MAX)
        except ValueError as error:
            raise invalid(f"The query has more than {QUERY_MAX} parts. Ask for less at once.") from error


def living_item(table: DynamoTable, key: Key) -> ItemRow:
    item = living(table.get(key))
    if item is None:
        raise not_found()
    return cast("ItemRow", item)


def not_modified(tag: str) -> Response[str]:
    return Response(304, "application/json", "", headers={"ETag": tag})


def empty() -> Response[str]:
    return Response(204, "application/json", "")


def reply(status: int, body: Any, **headers: str) -> Response[str]:
    return Response(status, "application/json", json.dumps(body, ensure_ascii=False), headers=headers)


def one_of(name: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise invalid(f"{name} must be one of {', '.join(allowed)}.", {name: f"must be one of {', '.join(allowed)}"})
    return value


def limit_of(text: str | None, most: int = LIMIT_MAX, default: int = 20) -> int:
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:4]) <= most and len(text) <= 3):
        raise invalid(f"limit must be a number from 1 to {most}.", {"limit": f"must be from 1 to {most}"})
    return int(text)


def queries_of(method: str, path: str) -> tuple[str, ...]:
    """The query parameters of a call."""
    return next((call.query for call in CALLS if call.method == method and call.pattern.fullmatch(path)), ())


def methods_of(path: str) -> tuple[str, ...]:
    """The methods of a path."""
    exact = {call.method for call in CALLS if call.path == path}
    methods = exact or {call.method for call in CALLS if call.pattern.fullmatch(path)}
    return tuple(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def check_call(method: str, path: str) -> None:
    """Raise an error for an unknown call. The router would read /items/batch as an item's id."""
    if method not in methods_of(path):
        raise no_such_call(method, path)


def no_such_call(method: str, path: str) -> ApiError:
    allowed, path = methods_of(path), unquote(path)
    if not allowed or method in allowed:  # or a path parameter has invalid characters
        return ApiError(404, "NOT_FOUND", f"There is no call {method} {path[:200]}. GET /docs shows those there are.")
    text = f"{path[:200]} does not accept {method}, only {', '.join(allowed)}."
    return ApiError(405, "METHOD_NOT_ALLOWED", text, headers={"Allow": ", ".join(allowed)})
