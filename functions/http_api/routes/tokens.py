"""Tokens of the caller's own: made, listed, revoked. None can be given more than the token that asks has."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.lifecycle.advance import advance_all
from readdo.lifecycle.write import Busy, WriteRefused
from readdo.store import idempotency, tokens
from readdo.web import token_policy
from readdo.web.errors import ApiError, not_found
from readdo.web.requests import NewToken
from routes.request_context import RequestContext, empty, reply

router = APIGatewayHttpRouter()
OPERATION = "token"


@router.get("/tokens")
def get_tokens() -> Response[str]:
    asked = RequestContext(router)
    found = tokens.list_tokens(asked.table, asked.owner, clock.now())
    return reply(200, {"tokens": [{**token, "current": token["id"] == asked.bearer.token_id} for token in found]})


@router.post("/tokens")
def post_token() -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(NewToken)
    token_policy.within(asked.bearer, body.scopes)
    key, print_ = asked.key(), idempotency.fingerprint(body.model_dump())
    return _known(asked, key, print_) or _made(asked, body, key, print_)


def _made(asked: RequestContext, body: NewToken, key: str, print_: str) -> Response[str]:
    now = clock.now()
    token_policy.allow(asked.table, asked.bearer, body.scopes, now)
    made = tokens.new(asked.owner, body.name, body.scopes, body.days)
    record = [idempotency.record(asked.owner, OPERATION, key, print_, made.shown, now)] if key else []
    try:
        advance_all(asked.table, *record, *made.writes)
    except WriteRefused as refused:
        if known := _known(asked, key, print_):
            return known
        raise Busy("token") from refused
    return reply(201, {"token": {**made.shown, "secret": made.secret}})


def _known(asked: RequestContext, key: str, print_: str) -> Response[str] | None:
    """The first answer but for the secret, which was shown once and is kept nowhere."""
    first: dict[str, Any] | None = None
    if key:
        first = idempotency.first_answer(asked.table, asked.owner, OPERATION, key, print_, clock.now())
    if first is None:
        return None
    if not tokens.is_there(asked.table, asked.owner, first["id"]):
        words = "The token of this key was revoked, or is past its end. Make another with a new key."
        raise ApiError(409, "STATE_CONFLICT", words)
    return reply(200, {"token": first})


@router.delete("/tokens/<given>")
def delete_token(given: str) -> Response[str]:
    asked = RequestContext(router)
    if not tokens.ID.fullmatch(given) or not tokens.revoke(asked.table, asked.owner, given):
        raise not_found("token")
    return empty()
