"""WSGI application of the world's API: converts each request into the event of the HTTP API."""

import base64
import importlib
from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import urlsplit

from support.world import context

StartResponse = Callable[[str, list[tuple[str, str]]], Any]
_OWN_NAMES = {"CONTENT_TYPE": "content-type", "CONTENT_LENGTH": "content-length"}


def app(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
    answer = importlib.import_module("http_api").handler(_event(environ), context("http_api"))
    headers = [(name, str(value)) for name, value in answer.get("headers", {}).items()]
    start_response(f"{answer['statusCode']} answer", headers)
    return [(answer.get("body") or "").encode()]


def _event(environ: dict[str, Any]) -> dict[str, Any]:
    url = urlsplit(environ.get("REQUEST_URI") or environ["PATH_INFO"])
    path = "/" + url.path.removeprefix("/")
    headers = {name[5:].lower().replace("_", "-"): text for name, text in environ.items() if name.startswith("HTTP_")}
    headers |= {name: environ[wsgi_name] for wsgi_name, name in _OWN_NAMES.items() if environ.get(wsgi_name)}
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "rawQueryString": environ.get("QUERY_STRING", ""),
        "headers": headers,
        "requestContext": {
            "http": {"method": environ["REQUEST_METHOD"], "path": path},
            "requestId": "r",
            "stage": "$default",
            "domainName": "",
        },
        **_body(body, headers.get("content-type", "")),
    }


def _body(body: bytes, content_type: str) -> dict[str, Any]:
    """Return the body as the gateway does: JSON as text, unreadable bytes as base64."""
    if content_type.startswith(("application/json", "text/")):
        try:
            return {"body": body.decode() or None, "isBase64Encoded": False}
        except UnicodeDecodeError:
            pass
    return {"body": base64.b64encode(body).decode() or None, "isBase64Encoded": bool(body)}
