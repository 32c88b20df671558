"""Render a call on the page: parameters, body, responses and errors."""

import json
from typing import Any

from .html import Html, joined, prose, tag
from .schema_types import Schema, kind
from .tables import fields, parameters, table

Document = dict[str, Any]
Part = dict[str, Any]


def article(document: Document, path: str, method: str) -> Html:
    call = document["paths"][path][method]
    name = call["operationId"]
    title = tag("h3", tag("b", method.upper(), class_=f"m {method}"), _breakable(path))
    here = tag("a", title, href=f"#{name}", class_="here")
    is_open = tag("p", "Needs no token.", class_="open") if call.get("security") == [] else None
    does = tag("p", prose(call["summary"]), class_="does")
    more = tag("p", prose(call["description"])) if "description" in call else None
    parts = (_parameters(call), _body(document, call), _answers(document, call), _refusals(document, call))
    return tag("article", here, does, more, is_open, *parts, class_="call", id=name)


def _breakable(path: str) -> Html:
    parts = path.split("/")
    return tag("code", *(joined("/", tag("wbr"), part) for part in parts[1:]))


def _parameters(call: Part) -> Html | None:
    return joined(tag("h4", "Parameters"), parameters(call["parameters"])) if "parameters" in call else None


def _body(document: Document, call: Part) -> Html | None:
    if "requestBody" not in call:
        return None
    content = call["requestBody"]["content"]["application/json"]
    schema = resolved(document, content["schema"])
    optional = None if call["requestBody"]["required"] else tag("small", "optional")
    heads = tag("h4", "Body ", optional)
    return joined(heads, _about(schema), fields(schema, sent=True), _examples(content, "Request"))


def _about(schema: Schema) -> Html | None:
    either = [f"`{s['required'][0]}`" for s in schema.get("anyOf", ()) if "required" in s]
    return tag("p", prose(f"At least one of {' and '.join(either)}.")) if either else None


def _answers(document: Document, call: Part) -> Html:
    answers = {s: resolved(document, r) for s, r in call["responses"].items() if int(s) < 400}
    return joined(tag("h4", "Responses"), *(_answer(document, status, answer) for status, answer in answers.items()))


def _answer(document: Document, status: str, answer: Part) -> Html:
    content = answer.get("content", {}).get("application/json", {})
    is_shape = "$ref" in content.get("schema", {})
    model = joined(" ", kind(content["schema"])) if is_shape else None
    headers = [
        joined(" ", tag("span", "with ", tag("code", name), class_="carries")) for name in answer.get("headers", {})
    ]
    line = tag(
        "p", tag("b", status, class_="status ok"), " ", prose(answer["description"]), model, *headers, class_="answer"
    )
    shape = fields(resolved(document, content["schema"])) if is_shape else None
    return tag("div", line, shape, _examples(content, "Response"), class_="one")


def _refusals(document: Document, call: Part) -> Html:
    errors = {s: resolved(document, r) for s, r in call["responses"].items() if int(s) >= 400}
    rows = [row for status, answer in errors.items() for row in _refusal(status, answer)]
    inside = table(("status", "code", "example"), rows)
    return tag("details", tag("summary", f"Errors ({', '.join(errors)})"), inside)


def _refusal(status: str, answer: Part) -> list[tuple[Html, Html, Html]]:
    rows = []
    for name, example in answer["content"]["application/json"]["examples"].items():
        error = example["value"].get("error", example["value"])
        code = tag("code", name) if "error" in example["value"] else tag("span", "gateway")
        rows.append((tag("b", status, class_="status no"), code, prose(error["message"])))
    return rows


def _examples(content: Part, what: str) -> Html | None:
    if "examples" not in content:
        return None
    return joined(*(_example(f"{what}: {name}", of["value"]) for name, of in content["examples"].items()))


def _example(name: str, value: Any) -> Html:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return tag("details", tag("summary", name), tag("pre", tag("code", text), tabindex="0"))


def resolved(document: Document, part: Part) -> Part:
    target: Any = document
    if "$ref" not in part:
        return part
    for step in part["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return dict(target)
