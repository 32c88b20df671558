"""The description as a page to read: one file, no script, nothing from elsewhere."""

from pathlib import Path
from typing import Any

from . import words
from .calls import article
from .components import SENT, ref
from .error_table import MISTAKES, Mistake, NoDetails
from .first import first_five_minutes
from .html import Html, joined, prose, tag
from .kinds import Schema, kind
from .tables import Row, fields, table

_STYLE = Path(__file__).parent / "page.css"


def page(document: dict[str, Any]) -> str:
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{words.TITLE}: the API"),
        tag("style", Html(_STYLE.read_text(encoding="utf-8"))),
    )
    body = tag("body", _skip(), _top(document), tag("div", _navigation(document), _main(document), class_="frame"))
    return f"<!doctype html>\n{tag('html', head, body, lang='en')}\n"


def _skip() -> Html:
    return tag("a", "To the calls", href="#first", class_="skip")


def _top(document: dict[str, Any]) -> Html:
    info = document["info"]
    title = tag("h1", "Read", tag("span", "→", class_="arrow"), "Do", tag("small", "the API"))
    version = tag(
        "p",
        f"Version {info['version']} · OpenAPI {document['openapi']}, as ",
        tag("a", "openapi.json", href="openapi.json"),
        class_="version",
    )
    return tag("header", tag("div", title, tag("p", info["summary"], class_="lead"), version))


def _navigation(document: dict[str, Any]) -> Html:
    start = _links("Start", "first", [("First five minutes", "first"), ("What holds for every call", "common")])
    topics = [
        _links(topic.name, topic.anchor, [(_short(document, name), name) for name in topic.calls])
        for topic in words.TOPICS
    ]
    end = [_links("Errors", "errors", []), _links("Shapes", "shapes", [])]
    return tag("nav", start, *topics, *end, aria_label="The calls")


def _short(document: dict[str, Any], name: str) -> Html:
    path, method = _places(document)[name]
    return joined(tag("b", method.upper(), class_=f"m {method}"), tag("span", path))


def _links(title: str, place: str, links: list[tuple[Html | str, str]]) -> Html:
    """On a narrow page only the title is there to go by."""
    listed = [tag("li", tag("a", text, href=f"#{to}")) for text, to in links]
    return joined(tag("h2", tag("a", title, href=f"#{place}")), tag("ul", *listed) if listed else None)


def _main(document: dict[str, Any]) -> Html:
    return tag("main", first_five_minutes(), _common(), *_topics(document), _errors(), _shapes(document))


def _common() -> Html:
    rules = [tag("div", tag("h3", rule.title), tag("p", prose(rule.words))) for rule in words.COMMON]
    return tag("section", tag("h2", "What holds for every call"), tag("div", *rules, class_="rules"), id="common")


def _topics(document: dict[str, Any]) -> list[Html]:
    found = []
    for topic in words.TOPICS:
        calls = [article(document, *_places(document)[name]) for name in topic.calls]
        found.append(tag("section", tag("h2", topic.name), tag("p", prose(topic.words)), *calls, id=topic.anchor))
    return found


def _places(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """The call's name → its path and method."""
    paths = document["paths"].items()
    return {operation["operationId"]: (path, method) for path, of in paths for method, operation in of.items()}


def _errors() -> Html:
    rows: list[tuple[int, Row]] = [(m.status, (tag("code", m.code), prose(m.when), _details(m))) for m in MISTAKES]
    gateway = "Too many calls at once: the gateway's own body, `message` alone. Wait a moment."
    rows.append((429, ("", prose(gateway), "")))
    shown = [(str(status), *row) for status, row in sorted(rows, key=lambda pair: pair[0])]
    heads = ("status", "code", "when", "details")
    return tag("section", tag("h2", "Errors"), table(heads, shown), id="errors")


def _details(mistake: Mistake) -> Html:
    return joined() if mistake.details is NoDetails else kind(ref(mistake.details.__name__))


def _shapes(document: dict[str, Any]) -> Html:
    """The errors are told above, by what is different in them."""
    told = {mistake.shape for mistake in MISTAKES} | {NoDetails.__name__}
    schemas = document["components"]["schemas"].items()
    shown = [_shape(name, schema) for name, schema in schemas if name not in told]
    lead = "Every object that is sent or answered. A field that is not named here does not occur."
    return tag("section", tag("h2", "Shapes"), tag("p", lead), *shown, id="shapes")


def _shape(name: str, schema: Schema) -> Html:
    said = tag("p", prose(schema["description"])) if "description" in schema else None
    return tag("article", tag("h3", name), said, fields(schema, sent=name in SENT), class_="shape", id=f"shape-{name}")
