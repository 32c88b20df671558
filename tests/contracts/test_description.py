"""The description: it is valid, says everything that there is, and nothing that is not."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from description_parts import ANSWERS, ERRORS, OPERATIONS, REQUESTS, statuses
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

import generate
from description import html, overview, refusals, words
from http_api import app
from readdo.web import bodies as models
from readdo.web import errors
from readdo.web.call import IF_MATCH, KEY, SEEN
from readdo.web.calls import CALLS
from support.api_description import check, check_request, description, validator
from support.template import ROOT

DOCUMENT = description()
every_call = pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)


def test_what_is_generated_agrees_with_what_it_is_made_from() -> None:
    assert list(generate.drifted()) == [], "run: make generate"


def test_it_is_openapi() -> None:
    validate(DOCUMENT)
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_every_route_of_the_app_is_described_and_every_call_has_a_route() -> None:
    routes = [*app._static_routes, *app._dynamic_routes]
    there = {(method, place(route.path)) for route in routes for method in methods(route)}
    assert there == {(call.method, place(call.path)) for call in CALLS}
    assert {(m.upper(), p) for p, m, _ in OPERATIONS} == {(call.method, call.path) for call in CALLS}


def methods(route: Any) -> list[str]:
    return [route.method] if isinstance(route.method, str) else list(route.method)


def place(path: str) -> str:
    """Only where the places are, not what they are called."""
    return "/".join("…" if part[:1] in ("{", "<") else part for part in path.split("/"))


@every_call
def test_a_call_has_its_answers_and_errors(call: Any) -> None:
    found = DOCUMENT["paths"][call.path][call.method.lower()]
    codes = {code for status in found["responses"] for code in codes_of(found, status)}
    always = {"INTERNAL_ERROR"} | (set() if call.is_open else {"UNAUTHENTICATED", "FORBIDDEN"})
    always |= {"TOO_LARGE"} if call.takes else set()
    assert codes == {*call.refuses, *always}
    assert {int(s) for s in found["responses"] if int(s) < 400} == set(call.answers)
    assert "429" in found["responses"]
    assert found.get("security", DOCUMENT["security"]) == ([] if call.is_open else [{"token": []}])


def codes_of(operation: dict[str, Any], status: str) -> set[str]:
    if int(status) < 400:
        return set()
    of = statuses(operation)[status]["content"]["application/json"]["examples"].values()
    return {example["value"]["error"]["code"] for example in of if "error" in example["value"]}


@every_call
def test_a_call_that_takes_a_key_can_refuse_it_and_one_with_if_match_needs_it(call: Any) -> None:
    given = DOCUMENT["paths"][call.path][call.method.lower()].get("parameters", [])
    headers = {p["name"]: p["required"] for p in given if p["in"] == "header"}
    assert headers == {name: name == IF_MATCH for name in call.headers}
    assert KEY not in headers or {errors.invalid("").code, "IDEMPOTENCY_KEY_REUSED"} <= set(call.refuses)
    assert (SEEN in headers) == (304 in call.answers)
    in_the_body = "version" in getattr(models.NAMED.get(call.takes), "model_fields", ())
    assert (IF_MATCH in headers or in_the_body) == ("VERSION_MISMATCH" in call.refuses)


def test_every_error_that_errors_py_names_is_described_and_no_other() -> None:
    named = {word for line in (errors.__doc__ or "").splitlines() for word in line.split()[1:2] if word.isupper()}
    named |= set(errors._NOT_ALLOWED.values())
    assert set(ERRORS) == named


@pytest.mark.parametrize(
    ("name", "schema", "value"), [*REQUESTS, *ANSWERS], ids=lambda v: v if isinstance(v, str) else ""
)
def test_an_example_is_what_it_is_an_example_of(name: str, schema: dict[str, Any], value: Any) -> None:
    wrong = [f"{e.json_path}: {e.message}" for e in validator(json.dumps(schema)).iter_errors(value)]
    assert wrong == [], name


@every_call
def test_examples_of_a_body_are_taken_by_its_model(call: Any) -> None:
    if not call.takes or call.takes == "EditablePayload":
        return
    model = models.NAMED[call.takes]
    content = DOCUMENT["paths"][call.path][call.method.lower()]["requestBody"]["content"]["application/json"]
    for example in content["examples"].values():
        model.model_validate(example["value"])


def test_every_call_has_an_example_of_each_body_it_takes_and_of_each_it_answers() -> None:
    bare = [name for name, _, examples in bodies() if not examples]
    assert bare == []


def bodies() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    for _, _, operation in OPERATIONS:
        parts = [*statuses(operation).values(), operation.get("requestBody", {})]
        for part in parts:
            content = part.get("content", {}).get("application/json", {"schema": {}})
            if "$ref" in content["schema"]:
                yield operation["operationId"], content["schema"], content.get("examples", {})


def test_every_shape_is_used_and_every_reference_leads_somewhere() -> None:
    asked = {name.rpartition("/")[2] for name in references(DOCUMENT) if name.startswith("#/components/schemas/")}
    assert asked == set(DOCUMENT["components"]["schemas"])


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (part["$ref"],) if isinstance(part.get("$ref"), str) else ()
        part = list(part.values())
    for inner in part if isinstance(part, list) else ():
        yield from references(inner)


def test_every_field_is_said_in_words() -> None:
    ours = DOCUMENT["components"]["schemas"].items()
    shapes = [(name, schema) for name, schema in ours if not name.endswith(("Payload", "CardEdit"))]
    silent = {f"{n}.{f}" for n, s in shapes for f, of in s.get("properties", {}).items() if "description" not in of}
    assert silent - {f"{name}.error" for name, _ in shapes} - {"ErrorWords.details"} == set()


def test_every_object_that_we_answer_is_closed_so_that_a_field_too_many_is_seen() -> None:
    for name in ("Item", "DetailAnswer", "Failure", "Meta", "ExportArtifact", "ValidationError", "SummaryPayload"):
        assert DOCUMENT["components"]["schemas"][name]["additionalProperties"] is False, name


def test_words_that_are_said_beside_the_errors_are_still_said_there() -> None:
    said = refusals.example(next(c for c in CALLS if c.name == "makeToken"), "STATE_CONFLICT")["error"]["message"]
    place = (ROOT / "layers/domain/readdo/web/token_policy.py").read_text(encoding="utf-8")
    assert said.partition("tokens already. ")[2] in place


def test_every_call_belongs_to_one_topic() -> None:
    named = [name for topic in words.TOPICS for name in topic.calls]
    assert sorted(named) == sorted(call.name for call in CALLS)


@pytest.mark.parametrize("name", ["openapi.json", "docs.html"])
def test_what_is_open_to_everybody_holds_no_secret(name: str) -> None:
    text = (ROOT / "schemas/api" / name).read_text(encoding="utf-8")
    assert "rdo_" not in text.replace("rdo_" + "x" * 43, "").replace("^rdo_[A-Za-z0-9_-]{43}$", "")
    assert [word for word in ("AKIA", "amazonaws", "arn:aws", str(ROOT), str(Path.home())) if word in text] == []


def test_the_block_of_a_page_is_made_anew_and_nothing_around_it() -> None:
    page = f"before\n{overview.START}\nold\n{overview.END}\nafter\n"
    made = overview.put_into(page)
    assert made.startswith(f"before\n{overview.START}\n")
    assert made.endswith(f"{overview.END}\nafter\n")
    assert overview.put_into(made) == made
    assert all(f"`{call.method} {call.path}`" in made for call in CALLS)
    with pytest.raises(ValueError, match="never closed"):
        overview.put_into(f"{overview.START} old")


PAGE = (ROOT / "schemas/api/docs.html").read_text(encoding="utf-8")


def test_every_link_of_the_page_leads_somewhere() -> None:
    places = set(re.findall(r' id="([^"]+)"', PAGE))
    asked = re.findall(r' href="#([^"]+)"', PAGE)
    assert set(asked) - places == set()
    assert {call.name for call in CALLS} <= places & set(asked)


def test_the_page_needs_nothing_from_elsewhere_and_runs_nothing() -> None:
    """The policy that it is served under would refuse it; who reads it from a file has no such policy."""
    assert set(re.findall(r' href="([^"#][^"]*)"', PAGE)) == {"openapi.json"}
    assert [word for word in ("<script", "<img", "<link", " src=", " style=", "@import", "url(") if word in PAGE] == []
    assert re.findall(r"<[^>]* on[a-z]+=", PAGE) == []


def test_what_is_no_markup_of_ours_is_escaped_on_the_page() -> None:
    said = html.tag("p", "<b>&", html.prose("a `<i>`"), title='"')
    assert said == '<p title="&quot;">&lt;b&gt;&amp;a <code>&lt;i&gt;</code></p>'


def test_the_page_shows_every_code_and_a_chinese_example() -> None:
    assert [code for code in ERRORS if code not in PAGE] == []
    assert "栅栏令牌" in PAGE


ITEM = dict(next(value for name, _, value in ANSWERS if name.startswith("shipItem 200")))
WRONG: dict[str, tuple[Any, ...]] = {
    "a field that is not described": (200, {}, {**ITEM, "more": 1}),
    "a field too many, deep inside": (200, {}, {"item": {**ITEM["item"], "owner": "me"}}),
    "a field that is missing": (200, {}, {}),
    "a status that is not described": (201, {}, ITEM),
    "an error that this call does not have": (409, {}, {"error": {**ERRORS["EXPORT_NOT_ALLOWED"]}}),
}


@pytest.mark.parametrize("case", WRONG)
def test_an_answer_that_is_not_as_it_is_described_is_found(case: str) -> None:
    path = f"/items/{ITEM['item']['id']}/ship"
    check("POST", path, 200, {}, ITEM)
    with pytest.raises(AssertionError, match=re.escape(path)):
        check("POST", path, *WRONG[case])


def test_a_header_that_is_missing_and_a_body_that_may_not_be_sent_are_found() -> None:
    with pytest.raises(AssertionError, match="ETag"):
        check("GET", "/items", 200, {}, {"items": [], "next_cursor": None})
    check_request("POST", "/capture", {"intent_text": "为什么要读", "url": "https://example.com/"})
    with pytest.raises(AssertionError, match="is not as it is described"):
        check_request("POST", "/capture", {"intent_text": "neither link nor text"})
