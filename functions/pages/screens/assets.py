"""Static files, cached forever: the URL has a digest of the content."""

import base64
from functools import cache
from pathlib import Path

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.clock import digest
from readdo.web.errors import not_found

router = APIGatewayHttpRouter()
_FOLDER = Path(__file__).parents[1] / "static"
_KINDS = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
}
_FOREVER = "public, max-age=31536000, immutable"


@cache
def _files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in _FOLDER.iterdir() if path.suffix in _KINDS}


@cache
def address(name: str) -> str:
    content_digest = digest(base64.b64encode(_files()[name]).decode())[:10]
    return f"/my/static/{content_digest}/{name}"


@router.get("/my/static/<mark>/<name>")
def get_asset(mark: str, name: str) -> Response[bytes]:  # noqa: ARG001 - the digest only makes the URL unique
    if name not in _files():
        raise not_found("file")
    kind = _KINDS[Path(name).suffix]
    headers = {"Cache-Control": _FOREVER, "X-Content-Type-Options": "nosniff"}
    return Response(200, kind, _files()[name], headers=headers, compress=not kind.startswith("image/png"))
