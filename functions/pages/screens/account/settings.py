"""The settings page: preferences of the browser, tokens, and the state of the engine."""

import os
from typing import Any
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.account import token_policy
from readdo.account.requests import NewToken
from readdo.api.registry import to_api_error
from readdo.engine import budget
from readdo.lifecycle.advance import advance_all
from readdo.runtime import setting
from readdo.store import keys, tokens
from readdo.web import errors
from readdo.web.request_body import validate
from screens import error_texts, html_response
from screens.flash import cookie, flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PREFERENCES, PROFILES, THEMES, PageRequest
from screens.read.shared_links import bookmarklet

router = APIGatewayHttpRouter()
NAVIGATION = ((50, "settings", f"{HOME}/settings"),)
SETTINGS = f"{HOME}/settings"
_YEAR = 365 * 86_400


@router.get(SETTINGS)
def get_settings() -> Response[str]:
    return _page(visit_of(router))


@router.post(SETTINGS)
def post_settings() -> Response[str]:
    """Store preferences in this browser's cookie. Missing fields keep their value."""
    visit = visit_of(router)
    preferences = {**visit.likes, **{name: visit.form[name] for name in visit.likes if name in visit.form}}
    preferences_cookie = cookie(visit, PREFERENCES, urlencode(preferences).replace("&", "~"), _YEAR)
    return html_response.go_to(visit, flash_link(visit.back_link(SETTINGS), "settings"), cookies=[preferences_cookie])


@router.post(f"{SETTINGS}/tokens")
def post_token() -> Response[str]:
    """Create a token. Only this response shows its secret."""
    visit = visit_of(router)
    days = visit.form.get("days", "365")
    fields = {
        "name": visit.form.get("name", ""),
        "scopes": visit.form_lists.get("scopes", []),
        "days": int(days) if days.isdecimal() and len(days) < 6 else days,
    }
    try:
        form = validate(NewToken, fields)
        token_policy.allow(visit.table, visit.caller, form.scopes, clock.now())
        token = tokens.new(visit.owner, form.name, form.scopes, form.days)
        advance_all(visit.table, *token.writes)
    except Exception as error:
        refused = to_api_error(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=error_texts.sentence(error, visit.words))
    return _page(visit, made=token)


@router.post(f"{SETTINGS}/tokens/<raw_id>/revoke")
def post_revoke(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    if not tokens.ID.fullmatch(raw_id) or not tokens.revoke(visit.table, visit.owner, raw_id):
        raise errors.not_found("token")
    return html_response.go_to(visit, flash_link(SETTINGS, "revoke"))


def _page(visit: PageRequest, status: int = 200, **overrides: Any) -> Response[str]:
    scopes = visit.caller.scopes
    rows = tokens.list_tokens(visit.table, visit.owner, clock.now()) if "tokens" in scopes else None
    return html_response.page(
        visit,
        "settings.html",
        status,
        tokens=rows,
        current=visit.caller.token_id,
        scopes=[scope for scope in tokens.SCOPES if scope in scopes],
        engine=_engine_state(visit),
        themes=THEMES,
        profiles=PROFILES,
        address=visit.address,
        bookmarklet=bookmarklet(visit.address),
        done=flash(visit),
        **{"made": None, "wrong": "", **overrides},
    )


def _engine_state(visit: PageRequest) -> dict[str, Any]:
    """The engine; for a model also its provider's health and today's token budget."""
    name = setting("ENGINE", "extractive")
    if name == "extractive":
        return {"name": name}
    limit = int(setting("DAILY_TOKENS", "0"))
    provider = visit.table.get(keys.provider(name), consistent=False)
    return {
        "name": name,
        "model": os.environ.get("MODEL_NAME", ""),
        "health": provider["status"] if provider else "WELL",
        "again_at": provider.get("again_at", "") if provider else "",
        "used": budget.used_today(visit.table, visit.owner),
        "limit": limit,
    }
