"""Render the tables of the page: fields of objects and parameters of calls."""

from collections.abc import Iterable, Sequence
from typing import Any

from .html import Html, Inside, joined, prose, tag
from .schema_types import Schema, kind, limits

Row = Sequence[Inside]


def table(heads: Sequence[str], rows: Iterable[Row]) -> Html:
    """A table. Each cell has the name of its column, which a narrow page shows beside the cell."""
    head = tag("tr", *(tag("th", name, scope="col") for name in heads))
    body = [tag("tr", *(tag("td", cell, data_label=h) for h, cell in zip(heads, row, strict=True))) for row in rows]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body)), class_="wide")


def fields(schema: Schema, *, sent: bool = False) -> Html:
    """The fields of an object, or the type of another schema.

    `sent`: mark the required fields of a request instead of the optional fields of a response.
    """
    if "properties" not in schema:
        plain = not schema.keys() - {"type", "description", "additionalProperties"}
        return tag("p", tag("em", "An empty object.") if plain else kind(schema), class_="is")
    if not schema["properties"]:
        return tag("p", tag("em", "An empty object."), class_="is")
    return table(("field", "type", "description"), [_field(*pair, schema, sent=sent) for pair in _inner(schema)])


def _inner(schema: Schema) -> list[tuple[str, Schema]]:
    return list(schema["properties"].items())


def _field(name: str, schema: Schema, of: Schema, *, sent: bool) -> Row:
    must = name in of.get("required", ())
    mark = tag("span", "required" if sent else "optional", class_="must" if sent else "place")
    return (joined(tag("code", name), " ", mark if must == sent else None), _type(schema), _words(schema, sent=sent))


def _type(schema: Schema) -> Html:
    bounds = limits(schema)
    return joined(kind(schema), tag("small", prose(bounds)) if bounds else None)


def _words(schema: Schema, *, sent: bool) -> Html:
    """The description, with the fields of a nested object that has no name."""
    objects = (of for of in (schema, schema.get("items", {})) if of.get("properties"))
    return joined(prose(schema.get("description", "")), *(fields(of, sent=sent) for of in objects))


def parameters(listed: Sequence[dict[str, Any]]) -> Html:
    rows = [_parameter(parameter) for parameter in listed]
    return table(("name", "type", "description"), rows)


def _parameter(parameter: dict[str, Any]) -> Row:
    mark = tag("span", "required", class_="must") if parameter["required"] and parameter["in"] != "path" else None
    place = tag("span", parameter["in"], class_="place")
    name = joined(tag("code", parameter["name"]), " ", mark, place)
    return (name, _type(parameter["schema"]), prose(parameter["description"]))
