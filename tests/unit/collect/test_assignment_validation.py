"""Checks of assignments: each refusal names its field."""

from typing import Any

import pytest

from readdo.collect.assignment_validation import check_assignment, id_of, split_assignment

SUPPLEMENT = {"type": "content_supplement", "target_files": ["a.md"]}
CREATE = {"type": "create_document", "document_list": [{"title": "t", "file": "a.md"}]}
URL = {"type": "url", "url": "https://a.b/c"}
TOPIC = {"type": "topic", "title": "t"}
FILES = [f"{n}.md" for n in range(6)]
ENTRIES = [{"title": "t", "file": file} for file in FILES]
INVALID_IDS: list[Any] = [None, [], True, 1.5, "..", "a\nb"]
SKIPPED = {"requires_permission": True, "status": "skipped", "reason": "an account"}


def fields_in_error(raw: Any, **more: Any) -> list[str]:
    return [name for name, _ in check_assignment({**raw, **more} if isinstance(raw, dict) else raw).errors]


@pytest.mark.parametrize(
    "raw",
    [
        SUPPLEMENT,
        {"type": "content_supplement", "target_file": "a.md"},
        {**SUPPLEMENT, "target_file": "b.md", "resource_list": "lists/x.md"},
        {**SUPPLEMENT, "resource_list": ["https://a.b", {"title": "x", "url": "https://a.b"}]},
        {**SUPPLEMENT, "target_files": FILES[:5]},
        CREATE,
        {**CREATE, "target_count": 3, "search_keywords": "netcode"},
        {**CREATE, "target_count": 3, "schedule_url": "https://a.b/schedule"},
        URL,
        {**URL, "target_files": ["a.md"], "extract_fields": ["speaker"]},
        TOPIC,
        {"type": "topic", "search_keywords": "网络同步", "max_results": 5, "description": "d"},
        {**URL, "id": 7, "priority": 5, "title": "x" * 300},
        {**URL, "priority": 3.0, "id": "gdc 17"},
        SKIPPED,
        {**SKIPPED, "type": "content_supplement", "target_files": FILES},
        {**URL, "target_file": None, "title": None},
    ],
)
def test_valid_assignments_have_no_error(raw: dict[str, Any]) -> None:
    assert check_assignment(raw).errors == []


@pytest.mark.parametrize(
    ("raw", "fields"),
    [
        ([], [""]),
        ("text", [""]),
        ({}, ["type"]),
        ({"type": "book"}, ["type"]),
        ({"type": "content_supplement"}, ["target_files"]),
        ({"type": "content_supplement", "target_files": []}, ["target_files"]),
        ({"type": "content_supplement", "target_files": "a.md"}, ["target_files"]),
        ({**SUPPLEMENT, "target_files": ["a.md", "../b.md"]}, ["target_files[1]"]),
        ({**SUPPLEMENT, "target_files": ["/a.md", "", 3, "C:\\a.md"]}, [f"target_files[{n}]" for n in range(4)]),
        ({**SUPPLEMENT, "target_files": ["a//b.md", "a\\..\\b.md"]}, ["target_files[0]", "target_files[1]"]),
        ({**SUPPLEMENT, "target_files": FILES}, ["target_files"]),
        ({**SUPPLEMENT, "target_files": FILES[:5], "target_file": "z.md"}, ["target_files"]),
        ({**SUPPLEMENT, "resource_list": "../x.md"}, ["resource_list"]),
        ({**SUPPLEMENT, "resource_list": [1]}, ["resource_list"]),
        ({"type": "create_document"}, ["document_list"]),
        ({"type": "create_document", "document_list": []}, ["document_list"]),
        ({"type": "create_document", "schedule_url": "https://a.b/s"}, ["document_list"]),
        ({**CREATE, "document_list": [{"title": "t"}]}, ["document_list[0].file"]),
        ({**CREATE, "document_list": [{"file": "a.md"}]}, ["document_list[0].title"]),
        ({**CREATE, "document_list": [{"title": " ", "file": "a.md"}]}, ["document_list[0].title"]),
        ({**CREATE, "document_list": ["a.md"]}, ["document_list[0]"]),
        ({**CREATE, "document_list": ENTRIES[:1] * 2}, ["document_list[1].file"]),
        ({**CREATE, "document_list": ENTRIES}, ["document_list"]),
        ({**CREATE, "target_count": 2}, ["target_count"]),
        ({**CREATE, "target_count": 0}, ["target_count"]),
        ({**CREATE, "target_count": 6, "search_keywords": "x"}, ["target_count"]),
        ({**CREATE, "schedule_url": "javascript:alert(1)"}, ["schedule_url"]),
        ({"type": "url"}, ["url"]),
        ({"type": "url", "url": " "}, ["url"]),
        ({"type": "url", "url": "ftp://a.b"}, ["url"]),
        ({**URL, "target_files": FILES[:2]}, ["target_files"]),
        ({**URL, "target_files": ["a.md"], "target_file": "b.md"}, ["target_files"]),
        ({"type": "topic"}, ["title"]),
        ({**TOPIC, "max_results": 0}, ["max_results"]),
        ({**URL, "priority": 0}, ["priority"]),
        ({**URL, "priority": 6}, ["priority"]),
        ({**URL, "priority": "1"}, ["priority"]),
        ({**URL, "priority": True}, ["priority"]),
        ({**URL, "title": "x" * 301}, ["title"]),
        ({**URL, "title": 3}, ["title"]),
        ({**URL, "id": ""}, ["id"]),
        ({**URL, "id": "a/b"}, ["id"]),
        ({**URL, "id": 1.5}, ["id"]),
        ({**URL, "id": True}, ["id"]),
        ({**URL, "id": "x" * 129}, ["id"]),
        ({**URL, "status": "finished"}, ["status"]),
        ({**URL, "status": "skipped"}, ["requires_permission"]),
        ({**URL, "requires_permission": True, "reason": "r"}, ["status"]),
        ({**URL, "requires_permission": True, "status": "pending", "reason": "r"}, ["status"]),
        ({**URL, "requires_permission": "yes"}, ["requires_permission"]),
        ({**SKIPPED, "reason": "  "}, ["reason"]),
        ({"requires_permission": True, "status": "skipped"}, ["reason"]),
        ({**SKIPPED, "target_files": ["../a.md"]}, ["target_files[0]"]),
        ({**URL, "resumes": {}}, ["resumes"]),
        ({**URL, "note": "x" * 64_000}, [""]),
        ({**URL, "note": "\ud800"}, [""]),
        ({**URL, "note": float("inf")}, [""]),
    ],
)
def test_each_problem_names_its_field(raw: Any, fields: list[str]) -> None:
    assert fields_in_error(raw) == fields


def test_deep_nesting_is_refused() -> None:
    deep: Any = "x"
    for _ in range(40):
        deep = [deep]
    assert fields_in_error(URL, note=deep) == [""]


def test_schedule_alone_offers_to_expand() -> None:
    ((_, words),) = check_assignment({"type": "create_document", "schedule_url": "https://a.b/s"}).errors
    assert "/assignments/expand" in words


def test_paths_are_normalized() -> None:
    fields = check_assignment(
        {**SUPPLEMENT, "target_files": ["a\\b.md", "./c.md", "a/b.md"], "target_file": "d.md"}
    ).fields
    assert (fields["target_files"], fields["target_file"]) == (["a/b.md", "c.md"], "d.md")


def test_other_states_become_pending_with_a_warning() -> None:
    for status in ("in_progress", "partial", "done", "failed"):
        checked = check_assignment({**URL, "status": status})
        assert (checked.errors, checked.status, len(checked.warnings)) == ([], "pending", 1)
    assert check_assignment({**URL, "status": "pending"}).warnings == []


def test_more_than_one_document_is_a_warning() -> None:
    assert len(check_assignment({**SUPPLEMENT, "target_files": FILES[:2]}).warnings) == 1
    assert check_assignment(SUPPLEMENT).warnings == []


def test_unknown_fields_are_kept() -> None:
    checked = check_assignment({**URL, "note": {"a": [1.5]}, "document_list": []})
    assert checked.fields["extra"] == {"note": {"a": [1.5]}, "document_list": []}


def test_number_and_text_are_the_same_id() -> None:
    assert [id_of(value) for value in (1, "1", 1.0, " 1 ")] == ["1"] * 4
    assert [id_of(value) for value in INVALID_IDS] == [None] * len(INVALID_IDS)


def test_target_count_is_the_length_of_the_list_by_default() -> None:
    assert check_assignment({**CREATE, "document_list": ENTRIES[:3]}).fields["target_count"] == 3


def test_split_makes_parts_of_five_in_order() -> None:
    many = [f"{n}.md" for n in range(12)]
    checked = check_assignment(
        {**SUPPLEMENT, "id": "x", "target_files": many[:11], "target_file": many[11]}, may_split=True
    )
    parts = list(split_assignment(checked))
    assert [part.id for part in parts] == ["x-1", "x-2", "x-3"]
    assert [name for part in parts for name in part.documents] == many
    assert {part.fields["split_from"] for part in parts} == {"x"}


def test_split_keeps_what_fits() -> None:
    for raw in (SUPPLEMENT, URL, TOPIC, {**CREATE, "target_count": 1}):
        (part,) = split_assignment(check_assignment({**raw, "id": "x"}, may_split=True))
        assert (part.id, "split_from" in part.fields) == ("x", False)


def test_url_and_topic_are_never_split() -> None:
    for raw in (URL, TOPIC):
        assert [name for name, _ in check_assignment({**raw, "target_files": FILES}, may_split=True).errors] == [
            "target_files"
        ]


def test_parts_of_a_list_count_their_own_documents() -> None:
    checked = check_assignment({**CREATE, "id": 1, "document_list": ENTRIES, "target_count": 6}, may_split=True)
    assert checked.errors == []
    assert [part.fields["target_count"] for part in split_assignment(checked)] == [5, 1]
