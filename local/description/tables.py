"""Tables of the page: of a shape's fields, of a call's parameters."""

from collections.abc import Iterable, Sequence
from typing import Any

from .html import Html, Inside, joined, prose, tag
from .kinds import Schema, kind, limits

Row = Sequence[Inside]


def table(heads: Sequence[str], rows: Iterable[Row]) -> Html:
    """Each cell knows its column's name: a narrow page shows the names beside the cells."""
    head = tag("tr", *(tag("th", name, scope="col") for name in heads))
    body = [tag("tr", *(tag("td", cell, data_label=h) for h, cell in zip(heads, row, strict=True))) for row in rows]
    return tag("div", tag("table", tag("thead", head), tag("tbody", *body)), class_="wide")


def fields(schema: Schema, *, sent: bool = False) -> Html:
    """The fields of an object; of anything else what it is. Of what is sent one asks what must be there."""
    if "properties" not in schema:
        plain = not schema.keys() - {"type", "description", "additionalProperties"}
        return tag("p", tag("em", "An empty object.") if plain else kind(schema), class_="is")
    if not schema["properties"]:
        return tag("p", tag("em", "An empty object."), class_="is")
    return table(("field", "type", "what it is"), [_field(*pair, schema, sent=sent) for pair in _inner(schema)])


def _inner(schema: Schema) -> list[tuple[str, Schema]]:
    return list(schema["properties"].items())


def _field(name: str, schema: Schema, of: Schema, *, sent: bool) -> Row:
    must = name in of.get("required", ())
    mark = tag("span", "required" if sent else "may be missing", class_="must" if sent else "place")
    return (joined(tag("code", name), " ", mark if must == sent else None), _type(schema), _words(schema, sent=sent))


def _type(schema: Schema) -> Html:
    bounds = limits(schema)
    return joined(kind(schema), tag("small", prose(bounds)) if bounds else None)


def _words(schema: Schema, *, sent: bool) -> Html:
    """With the fields of an object that has no name of its own."""
    objects = (of for of in (schema, schema.get("items", {})) if of.get("properties"))
    return joined(prose(schema.get("description", "")), *(fields(of, sent=sent) for of in objects))


def parameters(given: Sequence[dict[str, Any]]) -> Html:
    rows = [_parameter(parameter) for parameter in given]
    return table(("name", "type", "what it is"), rows)


def _parameter(given: dict[str, Any]) -> Row:
    mark = tag("span", "required", class_="must") if given["required"] and given["in"] != "path" else None
    place = tag("span", f"in the {given['in']}", class_="place")
    return (joined(tag("code", given["name"]), " ", mark, place), _type(given["schema"]), prose(given["description"]))
