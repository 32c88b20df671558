"""Routes for the API's description."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.runtime import setting
from readdo.web import versions

router = APIGatewayHttpRouter()
_SERVER_URL = '"url": "./"'  # replaced by the absolute URL in the response
_INLINE = re.compile(r"<(style|script)>(.*?)</\1>", re.DOTALL)


@router.get("/openapi.json")
def get_description() -> Response[str]:
    host = router.current_event.raw_event["requestContext"].get("domainName", "")
    address = setting("READDO_PUBLIC_URL", f"https://{host}" if host else "")
    text = _text("openapi.json")
    if address:
        text = text.replace(_SERVER_URL, f'"url": "{quote(address, safe=":/")}"', 1)
    return _answer(text, "application/json")


@router.get("/docs")
def get_docs() -> Response[str]:
    page = _text("docs.html")
    return _answer(page, "text/html; charset=utf-8", {"Content-Security-Policy": page_policy(page)})


def page_policy(page: str) -> str:
    """Allow the page only its own style and script, by their hashes, and to fetch the description."""
    hashes = [(tag, b64encode(sha256(text.encode()).digest()).decode()) for tag, text in _INLINE.findall(page)]
    own = "; ".join(f"{tag}-src 'sha256-{digest}'" for tag, digest in hashes)
    return f"default-src 'none'; {own}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def _text(name: str) -> str:
    return (Path(setting("SCHEMAS_DIR")) / "api" / name).read_text(encoding="utf-8")


def _answer(body: str, content_type: str, headers: dict[str, str] | None = None) -> Response[str]:
    tag = versions.tag_of_text(body)
    if versions.is_known(tag, router.current_event.headers.get("if-none-match", "")):
        return Response(304, content_type, "", headers={"ETag": tag})
    return Response(200, content_type, body, headers={"ETag": tag, **(headers or {})})
