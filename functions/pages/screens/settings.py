"""Settings: how this browser shows things, who may come in, and how the one who reads is doing."""

import os
from typing import Any
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.engine import budget
from readdo.lifecycle.advance import advance_all
from readdo.runtime import setting
from readdo.store import keys, tokens
from readdo.web import errors, token_policy
from readdo.web.body_validation import validate
from readdo.web.requests import NewToken
from screens import error_texts, html_response
from screens.cookies import cookie
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, LIKING, PROFILES, THEMES, PageRequest
from screens.shared_links import bookmarklet

router = APIGatewayHttpRouter()
SETTINGS = f"{HOME}/settings"
_YEAR = 365 * 86_400


@router.get(SETTINGS)
def get_settings() -> Response[str]:
    return _page(visit_of(router))


@router.post(SETTINGS)
def post_settings() -> Response[str]:
    """Of this browser alone; what it cannot be told stays as it was."""
    visit = visit_of(router)
    said = {**visit.likes, **{name: visit.form[name] for name in visit.likes if name in visit.form}}
    kept = cookie(visit, LIKING, urlencode(said).replace("&", "~"), _YEAR)
    return html_response.go_to(visit, flash_link(visit.way_back(SETTINGS), "settings"), cookies=[kept])


@router.post(f"{SETTINGS}/tokens")
def post_token() -> Response[str]:
    """Its secret is on the answer itself and nowhere else: no page can show it again."""
    visit = visit_of(router)
    days = visit.form.get("days", "365")
    wish = {
        "name": visit.form.get("name", ""),
        "scopes": visit.sent.get("scopes", []),
        "days": int(days) if days.isdecimal() and len(days) < 6 else days,
    }
    try:
        asked = validate(NewToken, wish)
        token_policy.allow(visit.table, visit.comer, asked.scopes, clock.now())
        made = tokens.new(visit.owner, asked.name, asked.scopes, asked.days)
        advance_all(visit.table, *made.writes)
    except Exception as error:
        refused = errors.of(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=error_texts.sentence(error, visit.words))
    return _page(visit, made=made)


@router.post(f"{SETTINGS}/tokens/<given>/revoke")
def post_revoke(given: str) -> Response[str]:
    visit = visit_of(router)
    if not tokens.ID.fullmatch(given) or not tokens.revoke(visit.table, visit.owner, given):
        raise errors.not_found("token")
    return html_response.go_to(visit, flash_link(SETTINGS, "revoke"))


def _page(visit: PageRequest, status: int = 200, **more: Any) -> Response[str]:
    scopes = visit.comer.scopes
    listed = tokens.list_tokens(visit.table, visit.owner, clock.now()) if "tokens" in scopes else None
    return html_response.page(
        visit,
        "settings.html",
        status,
        tokens=listed,
        current=visit.comer.token_id,
        scopes=[scope for scope in tokens.SCOPES if scope in scopes],
        engine=_engine(visit),
        themes=THEMES,
        profiles=PROFILES,
        address=visit.address,
        bookmarklet=bookmarklet(visit.address),
        done=flash(visit),
        **{"made": None, "wrong": "", **more},
    )


def _engine(visit: PageRequest) -> dict[str, Any]:
    """Which one reads; for a model also whether its provider answers, and what is left of today."""
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
