"""Routes for the caller's tokens. A new token cannot have more scopes than the caller's token."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.account import token_policy
from readdo.account.requests import NewToken
from readdo.lifecycle.advance import advance_all
from readdo.lifecycle.write import Busy, WriteRefused
from readdo.store import idempotency, tokens
from readdo.web.errors import ApiError, not_found
from routes.request_context import RequestContext, empty, reply

router = APIGatewayHttpRouter()
OPERATION = "token"


@router.get("/tokens")
def get_tokens() -> Response[str]:
    context = RequestContext(router)
    rows = tokens.list_tokens(context.table, context.owner, clock.now())
    return reply(200, {"tokens": [{**token, "current": token["id"] == context.bearer.token_id} for token in rows]})


@router.post("/tokens")
def post_token() -> Response[str]:
    context = RequestContext(router)
    body = context.body(NewToken)
    token_policy.within(context.bearer, body.scopes)
    key, fingerprint = context.key(), idempotency.fingerprint(body.model_dump())
    return _replay(context, key, fingerprint) or _create(context, body, key, fingerprint)


def _create(context: RequestContext, body: NewToken, key: str, fingerprint: str) -> Response[str]:
    now = clock.now()
    token_policy.allow(context.table, context.bearer, body.scopes, now)
    token = tokens.new(context.owner, body.name, body.scopes, body.days)
    record = [idempotency.record(context.owner, OPERATION, key, fingerprint, token.shown, now)] if key else []
    try:
        advance_all(context.table, *record, *token.writes)
    except WriteRefused as refused:
        if response := _replay(context, key, fingerprint):
            return response
        raise Busy("token") from refused
    return reply(201, {"token": {**token.shown, "secret": token.secret}})


def _replay(context: RequestContext, key: str, fingerprint: str) -> Response[str] | None:
    """The stored response of an idempotency key, without the secret, which is never stored."""
    stored: dict[str, Any] | None = None
    if key:
        stored = idempotency.first_answer(context.table, context.owner, OPERATION, key, fingerprint, clock.now())
    if stored is None:
        return None
    if not tokens.exists(context.table, context.owner, stored["id"]):
        text = "The token of this key was revoked, or is past its end. Make another with a new key."
        raise ApiError(409, "STATE_CONFLICT", text)
    return reply(200, {"token": stored})


@router.delete("/tokens/<raw_id>")
def delete_token(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    if not tokens.ID.fullmatch(raw_id) or not tokens.revoke(context.table, context.owner, raw_id):
        raise not_found("token")
    return empty()
