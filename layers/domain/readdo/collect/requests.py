"""Request models of the Collect desk.

Assignments and outputs have checks of their own, which name every fault.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from readdo.collect.assignment_creation import ASSIGNMENTS_MAX
from readdo.collect.assignment_validation import REASON_MAX, TYPES
from readdo.collect.field_checks import TITLE_MAX, URL_MAX
from readdo.collect.output_validation import STATUSES
from readdo.lifecycle.assignment import ASSIGNMENT
from readdo.web.request_body import AnyJson, Body, Line

Schema = dict[str, Any]
_ID: Schema = {"type": ["string", "integer"], "description": 'Your id: 1 and "1" are the same.'}


def _text(words: str, most: int = URL_MAX) -> Schema:
    return {"type": "string", "maxLength": most, "description": words}


_WORDS: Schema = {"type": ["string", "null"]}
CLAIMS = ("completion_rate", "created_count", "target_count", "missing_items")
_PATHS: Schema = {"type": "array", "items": _text("A path."), "description": "Documents, by their paths."}
ASSIGNMENT_SCHEMA: Schema = {
    "type": "object",
    "description": "An assignment. Other fields are kept in `extra`.",
    "properties": {
        "id": {**_ID, "description": f"{_ID['description']} Without one, it gets an id."},
        "type": {"enum": list(TYPES), "description": "The type of the assignment."},
        "title": _text("A title.", TITLE_MAX),
        "priority": {"type": "integer", "minimum": 1, "maximum": 5, "description": "1 comes first."},
        "status": {"enum": list(ASSIGNMENT.states), "description": "`skipped` with `requires_permission`."},
        "requires_permission": {"type": "boolean", "description": "It waits for a permission."},
        "reason": _text("Which permission is needed.", REASON_MAX),
        "resumes": {**_ID, "description": "The skipped assignment that can be done now."},
        "target_files": _PATHS,
        "target_file": _text("One document."),
        "resource_list": {"type": ["string", "array"], "description": "A list in the library, or the resources."},
        "document_list": {
            "type": "array",
            "description": "Documents to create.",
            "items": {
                "type": "object",
                "properties": {"title": _text("Its title.", TITLE_MAX), "file": _text("Its path.")},
            },
        },
        "target_count": {"type": "integer", "minimum": 1, "description": "How many documents."},
        "schedule_url": _text("A schedule that lists what to collect."),
        "search_keywords": {"type": ["string", "array"], "description": "Words to search for."},
        "url": _text("The page to read."),
        "extract_fields": {"type": ["string", "array"], "description": "What to look for."},
        "max_results": {"type": "integer", "minimum": 1, "maximum": 100, "description": "How many results."},
        "description": _text("What is wanted.", 4000),
    },
}


def _or_null(schema: Schema) -> Schema:
    """A field that is null counts as missing."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return {**schema, "type": [*kinds, "null"]}


ASSIGNMENT_SCHEMA["properties"] = {name: _or_null(schema) for name, schema in ASSIGNMENT_SCHEMA["properties"].items()}


class NewAssignments(AnyJson):
    """An assignment, or a list of up to 1,000."""

    @classmethod
    def __get_pydantic_json_schema__(cls, _: CoreSchema, __: GetJsonSchemaHandler) -> Schema:
        many = {"type": "array", "items": ASSIGNMENT_SCHEMA, "minItems": 1, "maxItems": ASSIGNMENTS_MAX}
        return {"description": "An assignment, or a list of up to 1,000.", "anyOf": [ASSIGNMENT_SCHEMA, many]}


class AssignmentsToValidate(AnyJson):
    """Any JSON: the answer tells what is wrong with it."""

    @classmethod
    def __get_pydantic_json_schema__(cls, _: CoreSchema, __: GetJsonSchemaHandler) -> Schema:
        return {"description": "An assignment, or a list of up to 1,000. It need not be valid."}


OUTPUT_SCHEMA: Schema = {
    "type": "object",
    "description": "The output of a worker: a result for each assignment of the batch.",
    "required": ["batch_name", "processed_at", "results", "summary"],
    "properties": {
        "batch_name": _text("The name of the batch."),
        "processed_at": {"type": "string", "description": "A time in ISO 8601."},
        "results": {
            "type": "array",
            "description": "A result for each assignment.",
            "items": {
                "type": "object",
                "required": ["id", "status", "result"],
                "properties": {
                    "id": {**_ID, "description": "The id of the assignment."},
                    "status": {"enum": list(STATUSES), "description": "What became of it."},
                    "result": {
                        "type": "object",
                        "description": "What was done.",
                        "properties": {
                            **{name: {"description": "Kept as a claim."} for name in CLAIMS},
                            "documents": {
                                "type": ["array", "null"],
                                "items": {"type": "string"},
                                "description": "Their paths.",
                            },
                        },
                    },
                    "reason": {**_WORDS, "description": "Required for `skipped`: which permission is needed."},
                    "error": {**_WORDS, "description": "For `failed`: what went wrong."},
                },
            },
        },
        "summary": {
            "type": "object",
            "description": "Numbers that match the results.",
            "required": ["total", *STATUSES],
            "properties": {
                name: {"type": "integer", "minimum": 0, "description": f"Results: {name}."}
                for name in ("total", *STATUSES)
            },
        },
    },
}
INPUT_SCHEMA: Schema = {
    "type": "object",
    "description": "The input of a worker: the assignments of a batch, in order.",
    "required": ["batch_name", "created_at", "tasks"],
    "properties": {
        "batch_name": _text("The name of the batch."),
        "created_at": {"type": "string", "description": "When it was picked."},
        "tasks": {"type": "array", "items": ASSIGNMENT_SCHEMA, "description": "Its assignments, in order."},
    },
}


class BatchOutput(AnyJson):
    """The output of a worker."""

    @classmethod
    def __get_pydantic_json_schema__(cls, _: CoreSchema, __: GetJsonSchemaHandler) -> Schema:
        return OUTPUT_SCHEMA


class SkipAssignment(Body):
    reason: Annotated[str, Field(min_length=1, max_length=REASON_MAX, description="Which permission is needed."), Line]


class NewBatch(Body):
    worker: Annotated[
        Literal["file", "own"],
        Field(description="`file`: any program that reads the input and sends the output. `own`: Read→Do does it."),
    ] = "file"


class ExpandSchedule(Body):
    schedule_url: Annotated[str, Field(min_length=1, max_length=URL_MAX, description="The page of a schedule.")]


class PutDocument(Body):
    content: Annotated[str, Field(description="The document as Markdown; at most 1 MB.")]


_DIALECT = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
# Also in schemas/collect.
FILE_SCHEMAS: dict[str, Schema] = {
    "batch_input.json": {**_DIALECT, **INPUT_SCHEMA},
    "batch_output.json": {**_DIALECT, **OUTPUT_SCHEMA},
}
