"""A template and what it says → an answer: escaped, with headers that let nothing foreign run or load."""

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
def _templates() -> Environment:
    folder = Path(__file__).parents[1] / "templates"
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["part"] = lambda text: quote(str(text), safe="")
    made.filters["size"] = sized
    return made


def sized(count: int) -> str:
    """Of a file, as its reader's own computer would say it."""
    unit, name = next((one for one in _UNITS if count >= one[0]), _UNITS[-1])
    return f"{count / unit:,.1f} {name}"


@cache
def _place_of(_bucket: str) -> str:
    """Where the bucket's presigned links lead: the one other place for pictures, and for files that are brought in."""
    return files.origin()


def headers() -> dict[str, str]:
    own = "style-src 'self'; script-src 'self'; manifest-src 'self'; form-action 'self'"
    bucket = _place_of(os.environ["BUCKET_NAME"])
    ways = f"img-src 'self' {bucket}; connect-src 'self' {bucket}"
    policy = f"default-src 'none'; {own}; {ways}; base-uri 'none'; frame-ancestors 'none'"
    return {
        "Content-Security-Policy": policy,
        "Referrer-Policy": "same-origin",  # `no-referrer` would make a form's Origin null, which we look at
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, no-cache",
    }


def html(visit: PageRequest, template: str, told: Mapping[str, Any]) -> str:
    own = {
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
    return _templates().get_template(template).render({**own, **told})


def page(
    visit: PageRequest, template: str, status: int = 200, cookies: list[Cookie] | None = None, **told: Any
) -> Response[str]:
    """A page that was seen already, and is as it was, is not sent again."""
    text = html(visit, template, told)
    tag = tag_of_text(text)
    if status == 200 and not cookies and is_known(tag, visit.headers.get("if-none-match", "")):
        return Response(304, HTML, "", headers={"ETag": tag, **headers()})
    return Response(status, HTML, text, headers={"ETag": tag, **headers()}, cookies=cookies, compress=True)


def go_to(visit: PageRequest, path: str, cookies: list[Cookie] | None = None) -> Response[str]:
    """After a form: the page, by a look of its own, so that a reload sends nothing twice."""
    return Response(303, HTML, "", headers={"Location": visit.base + path, **headers()}, cookies=cookies)


def here(visit: PageRequest) -> str:
    query = visit.event.get("rawQueryString", "")
    return visit.path + (f"?{query}" if query and visit.method == "GET" else "")
