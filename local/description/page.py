"""Render the description as a web page: one file without scripts and external resources."""

from pathlib import Path
from typing import Any

from . import words
from .calls import article
from .components import SENT, ref
from .error_table import ERRORS, ErrorRow, NoDetails
from .html import Html, joined, prose, tag
from .quick_start import quick_start
from .schema_types import Schema, kind
from .tables import Row, fields, table

_STYLE = Path(__file__).parent / "page.css"


def page(document: dict[str, Any]) -> str:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{words.TITLE} API"),
        tag("style", Html(_STYLE.read_text(encoding="utf-8"))),
    )
    body = tag("body", _skip(), _top(document), tag("div", _navigation(document), _main(document), class_="frame"))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _skip() -> Html:
    return tag("a", "Skip to the calls", href="#first", class_="skip")


def _top(document: dict[str, Any]) -> Html:
    info = document["info"]
    title = tag("h1", "Read", tag("span", "→", class_="arrow"), "Do", tag("small", "API reference"))
    version = tag(
        "p",
        f"Version {info['version']} · OpenAPI {document['openapi']}: ",
        tag("a", "openapi.json", href="openapi.json"),
        class_="version",
    )
    return tag("header", tag("div", title, tag("p", info["summary"], class_="lead"), version))


def _navigation(document: dict[str, Any]) -> Html:
    start = _links("Start", "first", [("Quick start", "first"), ("Conventions", "common")])
    topics = [
        _links(topic.name, topic.anchor, [(_short(document, name), name) for name in topic.calls])
        for topic in words.TOPICS
    ]
    end = [_links("Errors", "errors", []), _links("Objects", "shapes", [])]
    return tag("nav", start, *topics, *end, aria_label="Contents")


def _short(document: dict[str, Any], name: str) -> Html:
    path, method = _places(document)[name]
    return joined(tag("b", method.upper(), class_=f"m {method}"), tag("span", path))


def _links(title: str, anchor: str, links: list[tuple[Html | str, str]]) -> Html:
    """A group of links. A narrow page shows only the title, so the title is a link too."""
    entries = [tag("li", tag("a", text, href=f"#{to}")) for text, to in links]
    return joined(tag("h2", tag("a", title, href=f"#{anchor}")), tag("ul", *entries) if entries else None)


def _main(document: dict[str, Any]) -> Html:
    return tag("main", quick_start(), _common(), *_topics(document), _errors(), _shapes(document))


def _common() -> Html:
    rules = [tag("div", tag("h3", rule.title), tag("p", prose(rule.words))) for rule in words.COMMON]
    return tag("section", tag("h2", "Conventions"), tag("div", *rules, class_="rules"), id="common")


def _topics(document: dict[str, Any]) -> list[Html]:
    sections = []
    for topic in words.TOPICS:
        calls = [article(document, *_places(document)[name]) for name in topic.calls]
        sections.append(tag("section", tag("h2", topic.name), tag("p", prose(topic.words)), *calls, id=topic.anchor))
    return sections


def _places(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """operationId → path and method."""
    paths = document["paths"].items()
    return {operation["operationId"]: (path, method) for path, of in paths for method, operation in of.items()}


def _errors() -> Html:
    rows: list[tuple[int, Row]] = [(m.status, (tag("code", m.code), prose(m.when), _details(m))) for m in ERRORS]
    gateway = "Too many requests. The body is from the gateway and has only `message`. Retry after a moment."
    rows.append((429, ("", prose(gateway), "")))
    cells = [(str(status), *row) for status, row in sorted(rows, key=lambda pair: pair[0])]
    heads = ("status", "code", "when", "details")
    return tag("section", tag("h2", "Errors"), table(heads, cells), id="errors")


def _details(error: ErrorRow) -> Html:
    return joined() if error.details is NoDetails else kind(ref(error.details.__name__))


def _shapes(document: dict[str, Any]) -> Html:
    """All schemas except those of errors, which the table of errors describes."""
    errors = {error.shape for error in ERRORS} | {NoDetails.__name__}
    schemas = document["components"]["schemas"].items()
    articles = [_shape(name, schema) for name, schema in schemas if name not in errors]
    lead = "All objects of requests and responses, with all their fields."
    return tag("section", tag("h2", "Objects"), tag("p", lead), *articles, id="shapes")


def _shape(name: str, schema: Schema) -> Html:
    about = tag("p", prose(schema["description"])) if "description" in schema else None
    return tag("article", tag("h3", name), about, fields(schema, sent=name in SENT), class_="shape", id=f"shape-{name}")
