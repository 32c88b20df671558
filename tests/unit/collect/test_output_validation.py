"""Checks of a worker's output: every fault, with its JSON pointer."""

import json
from typing import Any

import pytest

from readdo.collect.output_validation import NotJson, check_output, digest_of, parse_json

NAME = "batch_1"
RESULTS: list[dict[str, Any]] = [
    {"id": 1, "status": "success", "result": {}},
    {"id": "b", "status": "partial", "result": {"documents": ["a.md"]}},
]
SUMMARY = {"total": 2, "success": 1, "partial": 1, "pending": 0, "failed": 0, "skipped": 0}
OUTPUT: dict[str, Any] = {
    "batch_name": NAME,
    "processed_at": "2025-12-11T10:00:00+08:00",
    "results": RESULTS,
    "summary": SUMMARY,
}
NONE = dict.fromkeys(SUMMARY, 0)


def pointers(value: Any) -> list[str]:
    _, faults = check_output(value, NAME, ["1", "b"])
    assert all(fault["message"] for fault in faults)
    return [fault["pointer"] for fault in faults]


def with_result(**changes: Any) -> dict[str, Any]:
    changed = {name: value for name, value in {**RESULTS[0], **changes}.items() if value is not ...}
    statuses = [changed.get("status"), "partial"]
    summary = {name: statuses.count(name) for name in SUMMARY} | {"total": 2}
    return {**OUTPUT, "results": [changed, RESULTS[1]], "summary": summary}


def test_good_output_has_results_by_id() -> None:
    output, faults = check_output(OUTPUT, NAME, ["1", "b", "c"])
    assert output is not None
    assert (faults, list(output.results)) == ([], ["1", "b"])


@pytest.mark.parametrize("at", ["2025-12-11T10:00:00", "2025-12-11T10:00:00Z", "2025-12-11T10:00:00.123456+08:00"])
def test_processed_at_is_any_time_in_iso_8601(at: str) -> None:
    assert pointers({**OUTPUT, "processed_at": at}) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([], [""]),
        ("text", [""]),
        ({}, ["/batch_name", "/processed_at", "/results", "/summary"]),
        ({**OUTPUT, "batch_name": "batch_2"}, ["/batch_name"]),
        ({**OUTPUT, "processed_at": "yesterday"}, ["/processed_at"]),
        ({**OUTPUT, "processed_at": "2025-12-11"}, ["/processed_at"]),
        ({**OUTPUT, "processed_at": 5}, ["/processed_at"]),
        ({**OUTPUT, "results": {}}, ["/results"]),
        ({**OUTPUT, "summary": []}, ["/summary"]),
        ({**OUTPUT, "results": []}, ["/summary/total", "/summary/success", "/summary/partial"]),
        ({**OUTPUT, "results": [], "summary": NONE}, []),
        ({**OUTPUT, "summary": {**SUMMARY, "total": 3}}, ["/summary/total"]),
        ({**OUTPUT, "summary": {**SUMMARY, "success": True}}, ["/summary/success"]),
        ({**OUTPUT, "summary": {**SUMMARY, "success": 1.0}}, []),
        ({**OUTPUT, "summary": {name: SUMMARY[name] for name in SUMMARY if name != "failed"}}, ["/summary/failed"]),
        (with_result(status="done"), ["/results/0/status"]),
        (with_result(status=...), ["/results/0/status"]),
        (with_result(id=...), ["/results/0/id"]),
        (with_result(id="other"), ["/results/0/id"]),
        (with_result(id=None), ["/results/0/id"]),
        (with_result(result=...), ["/results/0/result"]),
        (with_result(result=[]), ["/results/0/result"]),
        (with_result(result={"documents": "a.md"}), ["/results/0/result/documents"]),
        (with_result(status="skipped"), ["/results/0/reason"]),
        (with_result(status="skipped", reason=" "), ["/results/0/reason"]),
        (with_result(status="skipped", reason="an account"), []),
        (with_result(status="failed", error=["x"]), ["/results/0/error"]),
        ({**OUTPUT, "results": [RESULTS[0], {**RESULTS[1], "id": "1"}]}, ["/results/1/id"]),
        ({**OUTPUT, "results": [3, RESULTS[1]], "summary": {**NONE, "total": 2, "partial": 1}}, ["/results/0"]),
        (with_result(note="\ud800"), [""]),
    ],
)
def test_every_fault_has_its_pointer(value: Any, expected: list[str]) -> None:
    assert pointers(value) == expected


def test_all_faults_are_named_at_once() -> None:
    wrong = {**with_result(status="done", result=...), "batch_name": "", "summary": {**SUMMARY, "total": 9}}
    assert pointers(wrong) == [
        *("/batch_name", "/results/0/status", "/results/0/result", "/summary/total", "/summary/success"),
    ]


@pytest.mark.parametrize("text", ["", "no", "{", '{"a": NaN}', '{"a": Infinity}', "[" * 100_000])
def test_text_that_is_no_json(text: str) -> None:
    with pytest.raises(NotJson):
        parse_json(text)


def test_equal_outputs_have_the_same_digest() -> None:
    other_order = {name: OUTPUT[name] for name in reversed(OUTPUT)}
    as_float = json.loads(json.dumps(OUTPUT).replace('"total": 2', '"total": 2.0'))
    assert digest_of(OUTPUT) == digest_of(other_order) == digest_of(as_float)
    assert digest_of(OUTPUT) != digest_of({**OUTPUT, "processed_at": "2025-12-11T10:00:00Z"})


def test_deep_output_is_refused() -> None:
    deep: Any = "x"
    for _ in range(100):
        deep = [deep]
    assert pointers({**OUTPUT, "note": deep}) == [""]
