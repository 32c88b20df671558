"""API description: valid, complete, and without entries for anything that does not exist."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

import generate
from contracts.description_parts import ANSWERS, ERRORS, OPERATIONS, REQUESTS, statuses
from description import overview, words
from http_api import app
from readdo.api.registry import CALLS, request_models
from readdo.read import errors as read_errors
from readdo.web import errors
from readdo.web.call_spec import IF_MATCH, KEY, SEEN
from routes.all_routes import MODULES, include_routes
from support.api_description import check, check_request, description, validator
from support.template import ROOT

DOCUMENT = description()
every_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)


def test_generated_files_are_up_to_date() -> None:
    assert list(generate.drifted()) == [], "run: make generate"


def test_description_is_valid_openapi() -> None:
    validate(DOCUMENT)
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_route_of_the_app_is_described_and_every_call_has_a_route() -> None:
    for part in MODULES:
        include_routes(app, f"/{part}")
    routes = [*app._static_routes, *app._dynamic_routes]
    route_paths = {(method, place(route.path)) for route in routes for method in methods(route)}
    assert route_paths == {(call.method, place(call.path)) for call in CALLS}
    assert {(m.upper(), p) for p, m, _ in OPERATIONS} == {(call.method, call.path) for call in CALLS}


def methods(route: Any) -> list[str]:
    return [route.method] if isinstance(route.method, str) else list(route.method)


def place(path: str) -> str:
    """Return the path with its placeholders, but without their names. `.+` may have slashes."""
    return "/".join("…" if part[:1] in ("{", "<") or part == ".+" else part for part in path.split("/"))


@every_call
def test_call_describes_all_its_answers_and_errors(call: Any) -> None:
    described = DOCUMENT["paths"][call.path][call.method.lower()]
    codes = {code for status in described["responses"] for code in codes_of(described, status)}
    always = {"INTERNAL_ERROR"} | (set() if call.is_open else {"UNAUTHENTICATED", "FORBIDDEN"})
    always |= {"TOO_LARGE"} if call.takes else set()
    assert codes == {*call.refuses, *always}
    assert {int(s) for s in described["responses"] if int(s) < 400} == set(call.answers)
    assert "429" in described["responses"]
    assert described.get("security", DOCUMENT["security"]) == ([] if call.is_open else [{"token": []}])


def codes_of(operation: dict[str, Any], status: str) -> set[str]:
    if int(status) < 400:
        return set()
    of = statuses(operation)[status]["content"]["application/json"]["examples"].values()
    return {example["value"]["error"]["code"] for example in of if "error" in example["value"]}


@every_call
def test_call_describes_its_headers_and_their_errors(call: Any) -> None:
    parameters = DOCUMENT["paths"][call.path][call.method.lower()].get("parameters", [])
    headers = {p["name"]: p["required"] for p in parameters if p["in"] == "header"}
    assert headers == {name.removesuffix("?"): name == IF_MATCH for name in call.headers}
    assert KEY not in headers or {errors.invalid("").code, "IDEMPOTENCY_KEY_REUSED"} <= set(call.refuses)
    assert (SEEN in headers) == (304 in call.answers)
    in_the_body = "version" in getattr(request_models().get(call.takes), "model_fields", ())
    assert (IF_MATCH in headers or in_the_body) == ("VERSION_MISMATCH" in call.refuses)


def test_description_has_exactly_the_errors_of_errors_py() -> None:
    codes = {word for line in (errors.__doc__ or "").splitlines() for word in line.split()[1:2] if word.isupper()}
    codes |= set(read_errors._NOT_ALLOWED.values())
    assert set(ERRORS) == codes


@pytest.mark.parametrize("examples", [REQUESTS, ANSWERS], ids=["requests", "answers"])
def test_examples_match_their_schemas(examples: list[tuple[str, dict[str, Any], Any]]) -> None:
    wrong = [
        f"{name}: {error.json_path}: {error.message}"
        for name, schema, value in examples
        for error in validator(json.dumps(schema)).iter_errors(value)
    ]
    assert wrong == []


@every_call
def test_request_example_is_accepted_by_its_model(call: Any) -> None:
    if not call.takes or call.takes == "EditablePayload":
        return
    model = request_models()[call.takes]
    content = DOCUMENT["paths"][call.path][call.method.lower()]["requestBody"]["content"]["application/json"]
    for example in content["examples"].values():
        model.model_validate(example["value"])


def test_every_call_has_an_example_of_each_body() -> None:
    bare = [name for name, _, examples in bodies() if not examples]
    assert bare == []


def bodies() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for _, _, operation in OPERATIONS:
        parts = [*statuses(operation).values(), operation.get("requestBody", {})]
        for part in parts:
            content = part.get("content", {}).get("application/json", {"schema": {}})
            if "$ref" in content["schema"]:
                yield operation["operationId"], content["schema"], content.get("examples", {})


def test_every_schema_is_used_and_every_reference_resolves() -> None:
    referenced = {name.rpartition("/")[2] for name in references(DOCUMENT) if name.startswith("#/components/schemas/")}
    assert referenced == set(DOCUMENT["components"]["schemas"])


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (part["$ref"],) if isinstance(part.get("$ref"), str) else ()
        part = list(part.values())
    for inner in part if isinstance(part, list) else ():
        yield from references(inner)


def test_every_field_has_a_description() -> None:
    ours = DOCUMENT["components"]["schemas"].items()
    shapes = [(name, schema) for name, schema in ours if not name.endswith(("Payload", "CardEdit"))]
    undescribed = {
        f"{n}.{f}" for n, s in shapes for f, of in s.get("properties", {}).items() if "description" not in of
    }
    assert undescribed - {f"{name}.error" for name, _ in shapes} - {"ErrorWords.details"} == set()


def test_response_schemas_allow_no_additional_properties() -> None:
    for name in ("Item", "DetailAnswer", "Failure", "Meta", "ExportArtifact", "ValidationError", "SummaryPayload"):
        assert DOCUMENT["components"]["schemas"][name]["additionalProperties"] is False, name


def test_every_call_belongs_to_one_topic() -> None:
    listed = [name for topic in words.TOPICS for name in topic.calls]
    assert sorted(listed) == sorted(call.name for call in CALLS)


@pytest.mark.parametrize("name", ["openapi.json", "docs.html"])
def test_public_files_hold_no_secret(name: str) -> None:
    text = (ROOT / "schemas/api" / name).read_text(encoding="utf-8")
    assert "rdo_" not in text.replace("rdo_" + "x" * 43, "").replace("^rdo_[A-Za-z0-9_-]{43}$", "")
    assert [word for word in ("AKIA", "amazonaws", "arn:aws", str(ROOT), str(Path.home())) if word in text] == []


def test_overview_replaces_only_its_block_of_a_page() -> None:
    page = f"before\n{overview.START}\nold\n{overview.END}\nafter\n"
    updated = overview.put_into(page)
    assert updated.startswith(f"before\n{overview.START}\n")
    assert updated.endswith(f"{overview.END}\nafter\n")
    assert overview.put_into(updated) == updated
    assert all(f"`{call.method} {call.path}`" in updated for call in CALLS)
    with pytest.raises(ValueError, match="never closed"):
        overview.put_into(f"{overview.START} old")


PAGE = (ROOT / "schemas/api/docs.html").read_text(encoding="utf-8")


def test_page_loads_no_external_resource() -> None:
    """The served page has a policy that forbids it; a page opened from a file does not."""
    assert set(re.findall(r' href="([^"#][^"]*)"', PAGE)) == {"openapi.json"}
    assert re.findall(r"fetch\(([^)]*)\)", PAGE) == ['"openapi.json"']
    assert [word for word in ("<img", "<link", " src=", " style=", "@import", "url(", "http://") if word in PAGE] == []
    assert re.findall(r"<[^>]* on[a-z]+=", PAGE) == []


def test_page_never_parses_a_text_as_html() -> None:
    """Texts of the description are inserted as text nodes."""
    parsing = ("innerHTML", "outerHTML", "insertAdjacentHTML", "setHTML", "document.write", "DOMParser", "Fragment(")
    assert [word for word in (*parsing, "eval(", "Function(", "srcdoc") if word in PAGE] == []


def test_page_has_a_chinese_example_and_the_description_every_code() -> None:
    assert "栅栏令牌" in PAGE
    described = {
        code for _, _, operation in OPERATIONS for s in operation["responses"] for code in codes_of(operation, s)
    }
    assert set(ERRORS) - described == {"METHOD_NOT_ALLOWED"}, "the page names the status of these codes itself"


ITEM = dict(next(value for name, _, value in ANSWERS if name.startswith("shipItem 200")))
WRONG: dict[str, tuple[Any, ...]] = {
    "a field that is not described": (200, {}, {**ITEM, "more": 1}),
    "a field too many, deep inside": (200, {}, {"item": {**ITEM["item"], "owner": "me"}}),
    "a field that is missing": (200, {}, {}),
    "a status that is not described": (201, {}, ITEM),
    "an error that this call does not have": (409, {}, {"error": {**ERRORS["EXPORT_NOT_ALLOWED"]}}),
}


@pytest.mark.parametrize("case", WRONG)
def test_check_rejects_an_undescribed_answer(case: str) -> None:
    path = f"/items/{ITEM['item']['id']}/ship"
    check("POST", path, 200, {}, ITEM)
    with pytest.raises(AssertionError, match=re.escape(path)):
        check("POST", path, *WRONG[case])


def test_check_rejects_a_missing_header_and_an_invalid_request() -> None:
    with pytest.raises(AssertionError, match="ETag"):
        check("GET", "/items", 200, {}, {"items": [], "next_cursor": None})
    check_request("POST", "/capture", {"intent_text": "为什么要读", "url": "https://example.com/"})
    with pytest.raises(AssertionError, match="is not as it is described"):
        check_request("POST", "/capture", {"intent_text": "neither link nor text"})
