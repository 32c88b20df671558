"""What every route needs of the request."""

import json
from typing import Any
from urllib.parse import parse_qs

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import transactions
from readdo.lifecycle.advance import living
from readdo.lifecycle.write import Key
from readdo.store.table import DynamoTable
from readdo.store.tokens import Bearer
from readdo.web import versions
from readdo.web.body_validation import Model, parse
from readdo.web.calls import queries_of
from readdo.web.errors import invalid, not_found
from readdo.web.requests import KEY_PATTERN, Body

QUERY_MAX = 50
_KEY_WORDS = "must be 1 to 128 letters, digits or . _ ~ : @ = + -"


class RequestContext:
    def __init__(self, router: APIGatewayHttpRouter) -> None:
        self._event = router.current_event
        self.table: DynamoTable = router.context["table"]
        self.bearer: Bearer = router.context["bearer"]
        self.owner = self.bearer.owner

    @property
    def text(self) -> str | None:
        return self._event.body

    def body(self, model: type[Model]) -> Model:
        return parse(model, self._event.body)

    def if_match(self, *, of_item: bool = True) -> str:
        return versions.if_match(self._event.headers.get("if-match", ""), of_item=of_item)

    def has_seen(self, tag: str) -> bool:
        return versions.is_known(tag, self._event.headers.get("if-none-match", ""))

    def key(self, given: str = "", field: str = "") -> str:
        """The caller's key for this request: the body's field, else the header."""
        sent = self._event.headers.get("idempotency-key")
        value, name = (given, field) if given or sent is None else (sent, "Idempotency-Key")
        if (value or sent is not None) and not KEY_PATTERN.fullmatch(value):
            raise invalid(f"{name} {_KEY_WORDS}.", {name: _KEY_WORDS})
        return value

    def of_do(
        self, name: str, body: Body | None = None, *, keyed: bool = True, **of: str
    ) -> transactions.CommandContext:
        """What the Do desk is asked; `keyed`: whether the caller's key is a promise about this body."""
        said = body.model_dump(mode="json") if body else {}
        key = self.key() if body is not None else ""
        return transactions.CommandContext(
            self.table, self.owner, name, clock.now(), key if keyed else "", {**of, **said}
        )

    def refuse_unknown_queries(self) -> None:
        """A filter with a typo must not show everything."""
        known = queries_of("GET", self._event.path)
        unknown = [name[:80] for name in self._found() if name not in known]
        if unknown:
            words = f"is not known here; this call takes {', '.join(known)}"
            raise invalid(f"{unknown[0]} {words}.", dict.fromkeys(unknown[:20], words))

    def says_yes(self, name: str) -> bool:
        value = self.query(name) or "false"
        if value not in ("true", "false", "1", "0"):
            raise invalid(f"{name} must be true or false.", {name: "must be true or false"})
        return value in ("true", "1")

    def query(self, name: str) -> str | None:
        values = self.queries(name)
        return values[-1] if values else None

    def queries(self, name: str) -> list[str]:
        """Every value of a repeated parameter; a comma between values does as well."""
        return [part for value in self._values(name) for part in value.split(",") if part]

    def whole(self, name: str) -> list[str]:
        """Every value of a repeated parameter that is free text: a comma is part of it."""
        return self._values(name)

    def words(self, name: str) -> str:
        """A text of the query, whose commas are its own."""
        return " ".join(self._values(name))

    def _values(self, name: str) -> list[str]:
        return self._found().get(name, [])

    def _found(self) -> dict[str, list[str]]:
        try:
            return parse_qs(self._event.raw_event.get("rawQueryString", ""), max_num_fields=QUERY_MAX)
        except ValueError as error:
            raise invalid(f"The query has more than {QUERY_MAX} parts. Ask for less at once.") from error


def living_item(table: DynamoTable, key: Key) -> dict[str, Any]:
    found = living(table.get(key))
    if found is None:
        raise not_found()
    return found


def seen_already(tag: str) -> Response[str]:
    return Response(304, "application/json", "", headers={"ETag": tag})


def empty() -> Response[str]:
    return Response(204, "application/json", "")


def reply(status: int, body: Any, **headers: str) -> Response[str]:
    return Response(status, "application/json", json.dumps(body, ensure_ascii=False), headers=headers)
