"""Authenticate browsers by a cookie, and accept writes only from our own pages (CSRF)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.web import auth, request_body
from readdo.web.errors import ApiError
from screens import html_response
from screens.error_texts import LocalizedError
from screens.page_request import HOME, SESSION, PageRequest

ENTER, LEAVE = f"{HOME}/enter", f"{HOME}/leave"
WITH_FILES = (f"{HOME}/imports", f"{HOME}/restores", f"{HOME}/proof")
OPEN_BODY_MAX = 8192  # bytes, without authentication
_OPEN = (ENTER, LEAVE, f"{HOME}/static/", f"{HOME}/manifest.webmanifest")


def authenticate(app: APIGatewayHttpResolver, next_middleware: NextMiddleware) -> Response[Any]:
    event = app.current_event.raw_event
    visit = PageRequest(event)
    app.append_context(visit=visit)
    if visit.method != "GET" and not _is_same_origin(visit.headers):
        raise LocalizedError(403, "FORBIDDEN", visit.words("enter.foreign"))
    if visit.brings_files and visit.path not in WITH_FILES:
        raise LocalizedError(415, "UNSUPPORTED_MEDIA_TYPE", visit.words("error.no_file_here"))
    if visit.path == "/" or visit.path.startswith(_OPEN):
        if len(event.get("body") or "") > OPEN_BODY_MAX:
            raise LocalizedError(413, "TOO_LARGE", visit.words("error.form_large"))
        _read_body(visit)
        return next_middleware(app)
    secret = visit.cookies.get(SESSION, "")
    if not secret and visit.method == "GET" and visit.headers.get("sec-fetch-site") == "cross-site":
        # Browsers send no strict cookie for a link on another site. The bounce page loads the same URL again.
        return html_response.page(visit, "bounce.html")
    try:
        visit.bearer = auth.bearer(visit.table, {"authorization": f"Bearer {secret}"}, *_scopes(visit))
    except ApiError as error:
        if error.status != 401:
            raise LocalizedError(error.status, error.code, visit.words("enter.lesser")) from error
        if visit.method != "GET":
            raise LocalizedError(401, error.code, visit.words("enter.lost")) from error
        target = html_response.here(visit)
        return html_response.go_to(visit, f"{ENTER}?next={quote(target, safe='')}" if target != HOME else ENTER)
    if not visit.brings_files:  # the screens for uploads read these bodies
        _read_body(visit)
    return next_middleware(app)


def _read_body(visit: PageRequest) -> None:
    visit.event["body"], visit.event["isBase64Encoded"] = request_body.text_of(visit.event), False


def visit_of(router: APIGatewayHttpRouter) -> PageRequest:
    visit: PageRequest = router.context["visit"]
    return visit


def _scopes(visit: PageRequest) -> tuple[str, ...]:
    """The scopes that the API requires, and `read`, because every page shows titles and texts."""
    return ("read", *auth.scopes_of(visit.method, visit.path.removeprefix(f"{HOME}/settings")))


def _is_same_origin(headers: Mapping[str, str]) -> bool:
    """Check the form's origin. Browsers send Origin or Sec-Fetch-Site with every form."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    if origin and origin != "null":
        return bool(host) and origin.partition("://")[2].lower() == host.lower()
    return headers.get("sec-fetch-site") == "same-origin"
