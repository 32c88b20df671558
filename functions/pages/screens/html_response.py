"""Render templates to responses, with security headers that block foreign content."""

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.shared.cookies import Cookie
from jinja2 import Environment, FileSystemLoader

from readdo import files
from readdo.web.versions import is_known, tag_of_text
from screens import assets, failures
from screens.page_request import PageRequest

HTML = "text/html; charset=utf-8"
_UNITS = ((1000**3, "GB"), (1000**2, "MB"), (1000, "kB"))


@cache
def templates() -> Environment:
    folder = Path(__file__).parents[1] / "templates"
    environment = Environment(
        loader=FileSystemLoader([folder, *sorted(path for path in folder.iterdir() if path.is_dir())]),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["part"] = lambda text: quote(str(text), safe="")
    environment.filters["path"] = lambda text: quote(str(text), safe="/")
    environment.filters["json"] = lambda value: json.dumps(value, ensure_ascii=False, indent=2)
    environment.filters["size"] = format_size
    return environment


def format_size(count: int) -> str:
    """A file size in decimal units."""
    unit, name = next((candidate for candidate in _UNITS if count >= candidate[0]), _UNITS[-1])
    return f"{count / unit:,.1f} {name}"


@cache
def _bucket_origin(_bucket: str) -> str:
    """The origin of the bucket's presigned links, the only other source of images and target of uploads."""
    return files.origin()


def headers() -> dict[str, str]:
    sources = "style-src 'self'; script-src 'self'; manifest-src 'self'; form-action 'self'"
    bucket = _bucket_origin(os.environ["BUCKET_NAME"])
    origins = f"img-src 'self' {bucket}; connect-src 'self' {bucket}"
    policy = f"default-src 'none'; {sources}; {origins}; base-uri 'none'; frame-ancestors 'none'"
    return {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",  # with `no-referrer`, forms have "Origin: null", which page_auth rejects
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache",
    }


def html(visit: PageRequest, template: str, values: Mapping[str, Any]) -> str:
    defaults = {
        "t": visit.words,
        "lang": visit.words.tag,
        "likes": visit.likes,
        "base": visit.base,
        "here": here(visit),
        "asset": assets.address,
        "failed": failures.failure_text,
        "warned": failures.warning_text,
        "message_text": failures.message_text,
        "entered": visit.bearer is not None,
        "moving": False,
        "done": None,
    }
    return templates().get_template(template).render({**defaults, **values})


def page(
    visit: PageRequest, template: str, status: int = 200, cookies: list[Cookie] | None = None, **values: Any
) -> Response[str]:
    """Render a page, or respond 304 if the browser has the same version."""
    text = html(visit, template, values)
    tag = tag_of_text(text)
    if status == 200 and not cookies and is_known(tag, visit.headers.get("if-none-match", "")):
        return Response(304, HTML, "", headers={"ETag": tag, **headers()})
    return Response(status, HTML, text, headers={"ETag": tag, **headers()}, cookies=cookies, compress=True)


def go_to(visit: PageRequest, path: str, cookies: list[Cookie] | None = None) -> Response[str]:
    """Redirect after a form, so that a reload does not submit it again."""
    return Response(303, HTML, "", headers={"Location": visit.base + path, **headers()}, cookies=cookies)


def here(visit: PageRequest) -> str:
    query = visit.event.get("rawQueryString", "")
    return visit.path + (f"?{query}" if query and visit.method == "GET" else "")
