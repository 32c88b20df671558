"""The description, OpenAPI 3.1: one document from the calls, the models, the schemas and the product's own words."""

import json
from http import HTTPStatus
from typing import Any

from readdo.web.call import SEEN, Call
from readdo.web.calls import CALLS

from . import error_table, links, parameters, refusals, words
from .components import BODIES, ref, shapes
from .fields import TAG
from .samples import ANSWERS, REQUESTS

Part = dict[str, Any]
_WHENCE = "Made by `POST /tokens`; the first one by whoever runs the service (`make run` writes it to .local/token)."


def document() -> Part:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": words.TITLE,
            "version": words.VERSION,
            "summary": words.SUMMARY,
            "description": words.description(),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "./", "description": "Where this description was found."}],
        "security": [{"token": []}],
        "tags": [{"name": topic.name, "description": topic.words} for topic in words.TOPICS],
        "paths": _paths(),
        "components": {
            "schemas": shapes(),
            "responses": _said_alike(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _WHENCE}},
        },
    }


def _paths() -> Part:
    found: Part = {}
    for call in CALLS:
        found.setdefault(call.path, {})[call.method.lower()] = _operation(call)
    return found


def _operation(call: Call) -> Part:
    found: Part = {"operationId": call.name, "tags": [words.topic_of(call.name).name], "summary": call.does}
    found |= {"description": call.more} if call.more else {}
    found |= {"parameters": given} if (given := parameters.of_call(call)) else {}
    found |= {"requestBody": _body(call)} if call.takes else {}
    found |= {"security": []} if call.is_open else {}
    return found | {"responses": _responses(call)}


def _body(call: Call) -> Part:
    schema = next((model for model in BODIES if model.__name__ == call.takes), None)
    required = schema is None or not _takes_nothing(schema)
    content = {"schema": ref(call.takes), "examples": _named(REQUESTS[call.name])}
    return {"required": required, "content": {"application/json": content}}


def _takes_nothing(model: Any) -> bool:
    try:
        model.model_validate({})
    except ValueError:
        return False
    return True


def _named(examples: Part) -> Part:
    return {name: {"value": value} for name, value in examples.items()}


def _responses(call: Call) -> Part:
    found = {str(status): _answer(call, status, model) for status, model in call.answers.items()}
    told = error_table.of_call(call)
    for status in dict.fromkeys(mistake.status for mistake in told):
        of_status = [mistake for mistake in told if mistake.status == status]
        alike = of_status[0].code in error_table.ALIKE
        shared = {"$ref": f"#/components/responses/{of_status[0].shape}"}
        found[str(status)] = shared if alike else _refusal(call, of_status)
    found["429"] = {"$ref": "#/components/responses/TooMany"}
    return dict(sorted(found.items()))


def _answer(call: Call, status: int, model: str) -> Part:
    found: Part = {"description": _SAID.get((call.name, status)) or _SAID_OF.get(status, "Done.")}
    found |= {"headers": headers} if (headers := _headers(call, status)) else {}
    found |= {"links": leading} if (leading := links.of_answer(call, status)) else {}
    if model == "Page":
        return {**found, "content": {"text/html": {"schema": {"type": "string"}}}}
    if model == "Description":
        return {**found, "content": {"application/json": {"schema": {"type": "object"}}}}
    if model:
        content = {"schema": ref(model), "examples": _named(ANSWERS[call.name, status])}
        return {**found, "content": {"application/json": content}}
    return found


def _headers(call: Call, status: int) -> Part:
    tag = {"description": "What was seen, for If-None-Match.", "schema": {"type": "string", "pattern": TAG}}
    found = {"ETag": {**tag, "required": True}} if SEEN in call.headers else {}
    if (call.name, status) in _LOCATIONS:
        place = {"description": _LOCATIONS[call.name, status], "schema": {"type": "string", "minLength": 1}}
        found["Location"] = {**place, "required": True}
    return found


_LOCATIONS = {
    ("capture", 200): "The item, below the API's address.",
    ("capture", 201): "The item, below the API's address.",
    ("importFile", 202): "The import, below the API's address.",
    ("exportItem", 202): "Where to ask how the export stands, below the API's address.",
    ("getExport", 202): "Where to ask again, below the API's address.",
    ("getFile", 302): "The file itself, for 15 minutes.",
    ("getEvidence", 302): "The file itself, for 15 minutes.",
    ("addTask", 201): "The task, below the API's address.",
    ("addTask", 200): "The task, below the API's address.",
    ("acceptTodo", 201): "The task, below the API's address.",
    ("acceptTodo", 200): "The task, below the API's address.",
}
_SAID_OF = {204: "Done; there is nothing to say.", 304: "Nothing has changed since."}
_SAID = {
    ("capture", 201): "A new item.",
    ("capture", 200): "The item that there was: of the same key, or (`joined`) of the same page.",
    ("listItems", 200): "One page.",
    ("getItem", 200): "The item.",
    ("processItem", 202): "It is queued; watch its status.",
    ("batch", 200): "Each item's own answer; look at every `ok`.",
    ("editArtifact", 201): "Your version, which is shown from now on.",
    ("exportItem", 200): "It is DONE, or FAILED.",
    ("exportItem", 202): "It runs: ask again at `Location`.",
    ("getExport", 200): "It is DONE, or FAILED.",
    ("getExport", 202): "It runs: ask again.",
    ("getFile", 302): "Follow it without the Authorization header.",
    ("addTask", 201): "A new task.",
    ("addTask", 200): "The task that there was, of the same id or key.",
    ("claimTask", 200): "A task to work on, and your run of it.",
    ("claimTask", 204): "There is nothing to do now.",
    ("acceptTodo", 201): "A new task.",
    ("acceptTodo", 200): "The task that this todo has become before.",
    ("getEvidence", 302): "Follow it without the Authorization header.",
    ("importFile", 202): "A place for the file; send it, then start.",
    ("startImport", 200): "It reads the file.",
    ("makeToken", 201): "A new token, with its secret.",
    ("makeToken", 200): "The token of this key, without its secret.",
}


def _said_alike() -> Part:
    found = {
        mistake.shape: _refusal(CALLS[0], [mistake])
        for mistake in error_table.MISTAKES
        if mistake.code in error_table.ALIKE
    }
    return {**found, "MethodNotAllowed": _not_with_this_method(), "TooMany": _too_many()}


def _refusal(call: Call, told: list[error_table.Mistake]) -> Part:
    schemas = [ref(mistake.shape) for mistake in told]
    examples = {mistake.code: {"value": refusals.example(call, mistake.code)} for mistake in told}
    schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
    if told[0].status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:  # far above our limit the gateway is faster
        schema = {"anyOf": [schema, ref("GatewayMessage")]}
    content = {"application/json": {"schema": schema, "examples": examples}}
    return {"description": " ".join(f"`{mistake.code}`: {mistake.when}" for mistake in told), "content": content}


def _too_many() -> Part:
    example = {"too many": {"value": {"message": "Too Many Requests"}}}
    content = {"application/json": {"schema": ref("GatewayMessage"), "examples": example}}
    return {"description": "Too many calls at once; the gateway says so. Wait a moment.", "content": content}


def _not_with_this_method() -> Part:
    allow = {"description": "The methods there are.", "schema": {"type": "string"}, "required": True}
    return {**_refusal(CALLS[0], [error_table.BY_CODE["METHOD_NOT_ALLOWED"]]), "headers": {"Allow": allow}}


def as_text(found: Part) -> str:
    return json.dumps(found, ensure_ascii=False, indent=2) + "\n"
