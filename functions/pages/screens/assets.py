"""Styles, script and icons: sent once, since their address changes with what they say."""

import base64
from functools import cache
from pathlib import Path

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.ids import digest
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
def _kept() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in _FOLDER.iterdir() if path.suffix in _KINDS}


@cache
def address(name: str) -> str:
    mark = digest(base64.b64encode(_kept()[name]).decode())[:10]
    return f"/my/static/{mark}/{name}"


@router.get("/my/static/<mark>/<name>")
def get_asset(mark: str, name: str) -> Response[bytes]:  # noqa: ARG001 - the mark only makes the address new
    if name not in _kept():
        raise not_found("file")
    kind = _KINDS[Path(name).suffix]
    headers = {"Cache-Control": _FOREVER, "X-Content-Type-Options": "nosniff"}
    return Response(200, kind, _kept()[name], headers=headers, compress=not kind.startswith("image/png"))
