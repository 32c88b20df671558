"""Sign in with a token, and sign out. The token is stored in an HttpOnly cookie."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.web import auth
from readdo.web.errors import ApiError
from screens import html_response
from screens.flash import cookie
from screens.page_auth import ENTER, LEAVE, visit_of
from screens.page_request import HOME, SESSION, PageRequest, is_ours

router = APIGatewayHttpRouter()
SESSION_MAX = 90 * 86_400


@router.get("/")
def get_root() -> Response[str]:
    return html_response.go_to(visit_of(router), HOME)


@router.get(ENTER)
def get_enter() -> Response[str]:
    """Sign in by a link with a token. A link from another site must be confirmed by a form."""
    visit = visit_of(router)
    token, target = visit.query.get("token", ""), visit.query.get("next", "")
    if token and visit.headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return _sign_in(visit, token, target)
    return html_response.page(visit, "enter.html", given=token, next=target, wrong="")


@router.post(ENTER)
def post_enter() -> Response[str]:
    visit = visit_of(router)
    return _sign_in(visit, visit.form.get("token", ""), visit.form.get("next", ""))


@router.post(LEAVE)
def post_leave() -> Response[str]:
    visit = visit_of(router)
    return html_response.go_to(visit, ENTER, cookies=[cookie(visit, SESSION, "", 0)])


def _sign_in(visit: PageRequest, secret: str, target: str) -> Response[str]:
    try:
        bearer = auth.bearer(visit.table, {"authorization": f"Bearer {secret.strip()}"}, "read")
    except ApiError as error:
        wrong = visit.words("enter.unknown" if error.status == 401 else "enter.lesser")
        return html_response.page(visit, "enter.html", 401, given="", next=target, wrong=wrong)
    seconds_left = int(clock.seconds_between(clock.now(), bearer.expires_at))
    session_cookie = cookie(visit, SESSION, secret.strip(), max(1, min(SESSION_MAX, seconds_left)))
    return html_response.go_to(visit, target if is_ours(target) else HOME, cookies=[session_cookie])
