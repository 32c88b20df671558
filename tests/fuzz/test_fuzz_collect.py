"""Hostile assignments, outputs and documents are refused in words or accepted, and never a server error."""

import json
from typing import Any

import pytest

from fuzz.hostile import MARK, NO_JSON, NO_TEXT, SEGMENTS, VALUES, places_of, replaced
from support.collect_pool import add, assert_no_drift, document, output_of, pick, put_document, result, send, supplement
from support.world import World, world

WHOLE: list[dict[str, Any]] = [
    supplement("s", "a.md", resource_list=["https://a.example.net/"], title="讲座", priority=1, note={"x": [1]}),
    {"id": "c", "type": "create_document", "document_list": [{"title": "t", "file": "b.md"}], "target_count": 1},
    {"id": "u", "type": "url", "url": "https://a.example.net/", "extract_fields": ["字段"], "target_file": "c.md"},
    {"id": "t", "type": "topic", "title": "t", "max_results": 3, "description": "d", "search_keywords": ["k"]},
    {"id": "w", "status": "skipped", "requires_permission": True, "reason": "账号"},
]


@pytest.fixture
def desk(fresh: World) -> World:
    return fresh


def check(answer: Any) -> None:
    assert answer.status < 500, answer.text[:300]
    if answer.status >= 400:
        assert answer.json["error"]["message"]


@pytest.mark.parametrize("whole", WHOLE, ids=[one["id"] for one in WHOLE])
def test_any_value_in_an_assignment_is_refused_or_accepted(desk: World, whole: dict[str, Any]) -> None:
    for place in places_of(whole):
        for value in VALUES:
            raw = json.dumps(replaced(whole, place)).replace(f'"{MARK}"', value)
            check(desk.api("POST", "/assignments/validate", raw=raw))
            check(desk.api("POST", "/assignments", raw=raw))
    while (picked := desk.api("POST", "/batches", {})).status == 201:
        batch = picked.json["batch"]
        assert desk.api("GET", f"/batches/{batch['batch_name']}/input").status == 200
        check(send(desk, batch, output_of(batch, *(result(name, "failed") for name in batch["ids"]))))
    assert_no_drift(desk)


@pytest.mark.parametrize("path", ["/assignments", "/assignments/validate"])
def test_body_that_is_no_assignment_is_refused(desk: World, path: str) -> None:
    for raw in NO_JSON[2:]:  # without those that are an empty object
        check(desk.api("POST", path, raw=raw))
    for body in NO_TEXT:
        check(desk.api("POST", path, raw=body, base64=True))
    assert desk.api("GET", "/assignments").json["assignments"] == []


def test_any_value_in_an_output_is_refused_whole_or_accepted(desk: World) -> None:
    put_document(desk, "s.md")
    claims = {"completion_rate": 0.5, "created_count": 1, "missing_items": ["x"], "documents": ["s.md"]}
    names = iter(range(10_000))

    def fresh_batch() -> dict[str, Any]:
        add(desk, supplement(f"s{next(names)}", "s.md"))
        return pick(desk)

    batch = fresh_batch()
    for place in places_of(output_of(batch, result(batch["ids"][0], "partial", result=claims, reason="r", error="e"))):
        for value in VALUES:
            output = output_of(batch, *(result(name, "partial", result=claims) for name in batch["ids"]))
            changed = output if place[-1] in ("reason", "error") else replaced(output, place)
            answer = send(desk, batch, None, raw=json.dumps(changed).replace(f'"{MARK}"', value))
            check(answer)
            if desk.api("GET", f"/batches/{batch['batch_name']}").json["batch"]["status"] != "open":
                batch = fresh_batch()
    assert_no_drift(desk)


def test_output_that_is_no_json_fails_its_batch_only(desk: World) -> None:
    for number, raw in enumerate((*NO_JSON, *NO_TEXT[:2])):
        add(desk, supplement(f"a{number}"))
        batch = pick(desk)
        check(send(desk, batch, None, raw=raw))
        check(send(desk, batch, output_of(batch, *(result(name, "failed") for name in batch["ids"]))))
    assert_no_drift(desk)


@pytest.mark.parametrize("segment", SEGMENTS)
def test_any_segment_in_a_path_is_refused_or_stays_inside(desk: World, segment: str) -> None:
    for path in (f"/documents/{segment}", f"/documents/{segment}.md", f"/documents/a/{segment}.md"):
        check(desk.api("PUT", path, {"content": "x"}))
        check(desk.api("GET", path))
        check(desk.api("GET", f"{path}/completeness"))
    for path in (f"/assignments/{segment}", f"/batches/{segment}", f"/batches/{segment}/input"):
        check(desk.api("GET", path))
    for listed in desk.api("GET", "/documents").json["documents"]:
        assert ".." not in listed["path"].split("/")
        assert not listed["path"].startswith("/")


HOSTILE_DOCUMENTS = (
    "---\n" * 50_000,
    "# " * 100_000,
    "- " * 50_000 + "x",
    "[" * 50_000,
    "![](" * 30_000,
    "`" * 100_001,
    "* a\n" * 100_000,
    "|a" * 50_000 + "\n" + "|-" * 50_000,
    "<!--" * 50_000,
    "> " * 20_000 + "a",
    "\u202e\u0000字" * 50_000,
    "&#x0;&notanentity;" * 20_000,
    "a\n===\n" * 30_000,
    "https://" + ")" * 300_000,
    document().replace("## 摘要", "## 摘要 ## Details ## Key points"),
)


@pytest.mark.parametrize("content", HOSTILE_DOCUMENTS, ids=range(len(HOSTILE_DOCUMENTS)))
def test_document_of_any_form_is_checked(content: str) -> None:
    with world() as opened:
        answer = opened.api("PUT", "/documents/a.md", {"content": content})
        check(answer)
        if answer.status == 201:
            completeness = opened.api("GET", "/documents/a.md/completeness").json
            assert 0 <= completeness["completion_rate"] <= 1
