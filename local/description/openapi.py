"""Generate the OpenAPI 3.1 document from the calls, the models and the schemas."""

import json
from http import HTTPStatus
from typing import Any

from readdo.api.registry import CALLS
from readdo.web.call_spec import SEEN, Call

from . import error_examples, error_table, links, parameters, words
from .components import BODIES, ref, shapes
from .fields import TAG
from .samples import ANSWERS, REQUESTS

Part = dict[str, Any]
_AUTHENTICATION = (
    "Create tokens with `POST /tokens`. The operator creates the first one (`make run` writes it to .local/token)."
)


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
        "servers": [{"url": "./", "description": "The URL of this description."}],
        "security": [{"token": []}],
        "tags": [{"name": topic.name, "description": topic.words} for topic in words.TOPICS],
        "paths": _paths(),
        "components": {
            "schemas": shapes(),
            "responses": _shared_responses(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _AUTHENTICATION}},
        },
    }


def _paths() -> Part:
    paths: Part = {}
    for call in CALLS:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call)
    return paths


def _operation(call: Call) -> Part:
    operation: Part = {"operationId": call.name, "tags": [words.topic_of(call.name).name], "summary": call.does}
    operation |= {"description": call.more} if call.more else {}
    operation |= {"parameters": listed} if (listed := parameters.of_call(call)) else {}
    operation |= {"requestBody": _body(call)} if call.takes else {}
    operation |= {"security": []} if call.is_open else {}
    return operation | {"responses": _responses(call)}


def _body(call: Call) -> Part:
    schema = next((model for model in BODIES if model.__name__ == call.takes), None)
    required = schema is None or not _may_be_empty(schema)
    content = {"schema": ref(call.takes), "examples": _named(REQUESTS[call.name])}
    return {"required": required, "content": {"application/json": content}}


def _may_be_empty(model: Any) -> bool:
    try:
        model.model_validate({})
    except ValueError:
        return False
    return True


def _named(examples: Part) -> Part:
    return {name: {"value": value} for name, value in examples.items()}


def _responses(call: Call) -> Part:
    responses = {str(status): _answer(call, status, model) for status, model in call.answers.items()}
    errors = error_table.of_call(call)
    for status in dict.fromkeys(error.status for error in errors):
        of_status = [error for error in errors if error.status == status]
        is_shared = of_status[0].code in error_table.ALIKE
        shared = {"$ref": f"#/components/responses/{of_status[0].shape}"}
        responses[str(status)] = shared if is_shared else _refusal(call, of_status)
    responses["429"] = {"$ref": "#/components/responses/TooMany"}
    return dict(sorted(responses.items()))


def _answer(call: Call, status: int, model: str) -> Part:
    response: Part = {"description": _WORDS.get((call.name, status)) or _WORDS_OF.get(status, "Done.")}
    response |= {"headers": headers} if (headers := _headers(call, status)) else {}
    response |= {"links": onward} if (onward := links.of_answer(call, status)) else {}
    if model == "Page":
        return {**response, "content": {"text/html": {"schema": {"type": "string"}}}}
    if model == "Description":
        return {**response, "content": {"application/json": {"schema": {"type": "object"}}}}
    if model:
        content = {"schema": ref(model), "examples": _named(ANSWERS[call.name, status])}
        return {**response, "content": {"application/json": content}}
    return response


def _headers(call: Call, status: int) -> Part:
    tag = {"description": "The version, for If-None-Match.", "schema": {"type": "string", "pattern": TAG}}
    headers = {"ETag": {**tag, "required": True}} if SEEN in call.headers else {}
    if (call.name, status) in _LOCATIONS:
        place = {"description": _LOCATIONS[call.name, status], "schema": {"type": "string", "minLength": 1}}
        headers["Location"] = {**place, "required": True}
    return headers


_LOCATIONS = {
    ("capture", 200): "Path of the item, relative to the URL of the API.",
    ("capture", 201): "Path of the item, relative to the URL of the API.",
    ("importFile", 202): "Path of the import, relative to the URL of the API.",
    ("exportItem", 202): "Path of the export's status, relative to the URL of the API.",
    ("getExport", 202): "Path of the export's status, relative to the URL of the API.",
    ("getFile", 302): "URL of the file, valid for 15 minutes.",
    ("getEvidence", 302): "URL of the file, valid for 15 minutes.",
    ("addTask", 201): "Path of the task, relative to the URL of the API.",
    ("addTask", 200): "Path of the task, relative to the URL of the API.",
    ("acceptTodo", 201): "Path of the task, relative to the URL of the API.",
    ("acceptTodo", 200): "Path of the task, relative to the URL of the API.",
}
_WORDS_OF = {204: "Done. The response has no body.", 304: "Not modified."}
_WORDS = {
    ("capture", 201): "A new item.",
    ("capture", 200): "The existing item: of the same key, or (`joined`) of the same page.",
    ("listItems", 200): "A page of items.",
    ("getItem", 200): "The item.",
    ("processItem", 202): "The item is queued. Poll its status.",
    ("batch", 200): "The result of each item. Check each `ok`.",
    ("editArtifact", 201): "Your version. The item shows it from now on.",
    ("exportItem", 200): "The export is DONE or FAILED.",
    ("exportItem", 202): "The export is in progress. Poll `Location`.",
    ("getExport", 200): "The export is DONE or FAILED.",
    ("getExport", 202): "The export is in progress. Poll again.",
    ("getFile", 302): "A redirect to the file. Follow it without the Authorization header.",
    ("addTask", 201): "A new task.",
    ("addTask", 200): "The existing task of the same id or key.",
    ("claimTask", 200): "The claimed task and its run.",
    ("claimTask", 204): "No task is waiting.",
    ("acceptTodo", 201): "A new task.",
    ("acceptTodo", 200): "The existing task of this todo.",
    ("getEvidence", 302): "A redirect to the file. Follow it without the Authorization header.",
    ("importFile", 202): "A new import. Upload the file, then start it.",
    ("startImport", 200): "The import has started to read the file.",
    ("makeToken", 201): "A new token with its secret.",
    ("makeToken", 200): "The existing token of the same key, without its secret.",
}


def _shared_responses() -> Part:
    responses = {
        error.shape: _refusal(CALLS[0], [error]) for error in error_table.ERRORS if error.code in error_table.ALIKE
    }
    return {**responses, "MethodNotAllowed": _method_not_allowed(), "TooMany": _too_many()}


def _refusal(call: Call, errors: list[error_table.ErrorRow]) -> Part:
    schemas = [ref(error.shape) for error in errors]
    examples = {error.code: {"value": error_examples.example(call, error.code)} for error in errors}
    schema = schemas[0] if len(schemas) == 1 else {"oneOf": schemas}
    if errors[0].status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:  # the gateway rejects much larger bodies first
        schema = {"anyOf": [schema, ref("GatewayMessage")]}
    content = {"application/json": {"schema": schema, "examples": examples}}
    return {"description": " ".join(f"`{error.code}`: {error.when}" for error in errors), "content": content}


def _too_many() -> Part:
    example = {"too many requests": {"value": {"message": "Too Many Requests"}}}
    content = {"application/json": {"schema": ref("GatewayMessage"), "examples": example}}
    return {"description": "Too many requests; from the gateway. Retry after a moment.", "content": content}


def _method_not_allowed() -> Part:
    allow = {"description": "The supported methods.", "schema": {"type": "string"}, "required": True}
    return {**_refusal(CALLS[0], [error_table.BY_CODE["METHOD_NOT_ALLOWED"]]), "headers": {"Allow": allow}}


def as_text(document: Part) -> str:
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"
