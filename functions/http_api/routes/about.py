"""The API about itself: its description, the page of it, and what to do with a call that there is not."""

from pathlib import Path

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.runtime import setting
from readdo.web import versions
from readdo.web.calls import CALLS, methods_of
from readdo.web.errors import ApiError

router = APIGatewayHttpRouter()
OPEN = frozenset(call.path for call in CALLS if call.is_open)  # they say nothing of anybody
_PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


@router.get("/openapi.json")
def get_description() -> Response[str]:
    return _file("openapi.json", "application/json")


@router.get("/docs")
def get_docs() -> Response[str]:
    return _file("docs.html", "text/html; charset=utf-8", **{"Content-Security-Policy": _PAGE_POLICY})


def no_such_call(method: str, path: str) -> ApiError:
    allowed = methods_of(path)
    if not allowed or method in allowed:  # or the path's places hold what no name can
        return ApiError(404, "NOT_FOUND", f"There is no call {method} {path[:200]}. GET /docs shows those there are.")
    words = f"{path[:200]} cannot be asked with {method}, only with {', '.join(allowed)}."
    return ApiError(405, "METHOD_NOT_ALLOWED", words, headers={"Allow": ", ".join(allowed)})


def _file(name: str, content_type: str, **headers: str) -> Response[str]:
    body = (Path(setting("SCHEMAS_DIR")) / "api" / name).read_text(encoding="utf-8")
    tag = versions.tag_of_text(body)
    if versions.is_known(tag, router.current_event.headers.get("if-none-match", "")):
        return Response(304, content_type, "", headers={"ETag": tag})
    return Response(200, content_type, body, headers={"ETag": tag, **headers})
