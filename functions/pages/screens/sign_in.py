"""In with a token, and out again. What the browser keeps is the token itself, where no script can read it."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.web import auth
from readdo.web.errors import ApiError
from screens import html_response
from screens.cookies import cookie
from screens.page_auth import ENTER, LEAVE, visit_of
from screens.page_request import HOME, SESSION, PageRequest, is_ours

router = APIGatewayHttpRouter()
LONGEST = 90 * 86_400


@router.get("/")
def get_root() -> Response[str]:
    return html_response.go_to(visit_of(router), HOME)


@router.get(ENTER)
def get_enter() -> Response[str]:
    """A link with a token enters at once if the reader opened it; another site's link must be confirmed."""
    visit = visit_of(router)
    given, to = visit.query.get("token", ""), visit.query.get("next", "")
    if given and visit.headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return _enter(visit, given, to)
    return html_response.page(visit, "enter.html", given=given, next=to, wrong="")


@router.post(ENTER)
def post_enter() -> Response[str]:
    visit = visit_of(router)
    return _enter(visit, visit.form.get("token", ""), visit.form.get("next", ""))


@router.post(LEAVE)
def post_leave() -> Response[str]:
    visit = visit_of(router)
    return html_response.go_to(visit, ENTER, cookies=[cookie(visit, SESSION, "", 0)])


def _enter(visit: PageRequest, secret: str, to: str) -> Response[str]:
    try:
        bearer = auth.bearer(visit.table, {"authorization": f"Bearer {secret.strip()}"}, "read")
    except ApiError as error:
        wrong = visit.words("enter.unknown" if error.status == 401 else "enter.lesser")
        return html_response.page(visit, "enter.html", 401, given="", next=to, wrong=wrong)
    lives = int(clock.seconds_between(clock.now(), bearer.expires_at))
    kept = cookie(visit, SESSION, secret.strip(), max(1, min(LONGEST, lives)))
    return html_response.go_to(visit, to if is_ours(to) else HOME, cookies=[kept])
