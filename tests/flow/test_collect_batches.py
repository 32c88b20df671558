"""Batches: picked by priority and age, applied once, verified by our own reading of the documents."""

from typing import Any

import pytest

from readdo.collect import batch_apply, verification
from support.collect_pool import (
    add,
    apply,
    assert_no_drift,
    document,
    get,
    output_of,
    pick,
    put_document,
    result,
    send,
    states,
    supplement,
)
from support.proof_story import later
from support.world import World

CREATE = {"type": "create_document", "document_list": [{"title": "t", "file": "a.md"}]}


def test_pick_takes_priority_then_age(fresh: World) -> None:
    add(
        fresh,
        supplement("none"),
        supplement("3", priority=3),
        supplement("1", priority=1),
        supplement("1b", priority=1),
    )
    batch = pick(fresh)
    assert batch["ids"] == ["1", "1b", "3", "none"]
    assert (batch["status"], batch["worker"], set(states(fresh).values())) == ("open", "file", {"in_progress"})


def test_batch_has_at_most_twenty(fresh: World) -> None:
    add(fresh, *(supplement(f"{n:02d}") for n in range(45)))
    assert [len(pick(fresh)["ids"]) for _ in range(3)] == [20, 20, 5]
    assert fresh.api("POST", "/batches", {}).status == 204
    assert len(fresh.api("GET", "/batches").json["batches"]) == 3


def test_input_has_the_assignments_in_order(fresh: World) -> None:
    add(fresh, supplement("b", priority=2), supplement("a", priority=1, note="n"))
    batch = pick(fresh)
    content = fresh.api("GET", f"/batches/{batch['batch_name']}/input").json
    assert (content["batch_name"], [task["id"] for task in content["tasks"]]) == (batch["batch_name"], ["a", "b"])
    assert (content["tasks"][0]["status"], content["tasks"][0]["extra"]) == ("in_progress", {"note": "n"})


def test_each_result_leads_to_its_state(fresh: World) -> None:
    put_document(fresh, "good.md")
    add(fresh, *(supplement(n) for n in ("good", "bad", "partial", "pending", "failed", "skipped", "left")))
    said = {"good": "success", "bad": "success", "partial": "partial", "pending": "pending"}
    said |= {"failed": "failed", "skipped": "skipped"}
    moved = apply(fresh, *(result(name, status) for name, status in said.items()))
    assert moved == {
        **{"good": "done", "bad": "partial", "partial": "partial", "pending": "pending"},
        **{"failed": "failed", "skipped": "skipped", "left": "pending"},
    }
    assert get(fresh, "skipped")["requires_permission"]
    assert_no_drift(fresh)


@pytest.mark.parametrize(("summary", "details", "to"), [(50, 200, "done"), (100, 100, "done"), (100, 99, "partial")])
def test_done_needs_a_rate_of_nine_tenths(fresh: World, summary: int, details: int, to: str) -> None:
    put_document(fresh, "a.md", document(summary, details))
    add(fresh, supplement("a"))
    assert apply(fresh, result("a", result={"completion_rate": 1.0})) == {"a": to}
    attempt = fresh.api("GET", "/assignments/a").json["attempts"][0]
    assert (attempt["said"], attempt["claimed"]) == ("success", {"completion_rate": 1.0})
    assert attempt["verified"]["passed"] == (to == "done")


def test_rate_is_that_of_the_lowest_document(fresh: World) -> None:
    put_document(fresh, "a.md", document(100, 99))
    put_document(fresh, "b.md", document(0, 0, "b"))
    add(fresh, supplement("x", "a.md", "b.md"), supplement("y", "a.md", "c.md"))
    apply(fresh, result("x", "partial"), result("y"))
    assert (get(fresh, "x")["completion_rate"], get(fresh, "y")["completion_rate"]) == (0.6, 0)
    assert get(fresh, "y")["missing_items"] == [
        "a.md: The details have 99 of 200 characters.",
        "c.md: The document does not exist.",
    ]


def test_copy_of_an_older_document_does_not_pass(fresh: World) -> None:
    text = document(name="one")
    put_document(fresh, "old.md", text)
    put_document(fresh, "new.md", text.replace("speaker: Li", "speaker: Wu"))
    add(fresh, supplement("old"), supplement("new"))
    assert apply(fresh) == {"old": "done", "new": "partial"}
    assert (get(fresh, "new")["completion_rate"], get(fresh, "new")["missing_items"]) == (
        1.0,
        ["new.md: The text is the same as that of old.md."],
    )
    put_document(fresh, "new.md", document(name="two"))
    assert apply(fresh) == {"new": "done"}


@pytest.mark.parametrize(
    ("fields", "stored", "claims", "to"),
    [
        ({}, ["a.md"], {}, "done"),
        ({}, [], {"created_count": 1}, "partial"),
        ({"target_count": 2, "search_keywords": "x"}, ["a.md"], {}, "partial"),
        ({"target_count": 2, "search_keywords": "x"}, ["a.md", "b.md"], {}, "partial"),
        ({"target_count": 2, "search_keywords": "x"}, ["a.md", "b.md"], {"documents": ["b.md"]}, "done"),
        ({"target_count": 2, "search_keywords": "x"}, ["a.md"], {"documents": ["a.md", "../b.md"]}, "partial"),
    ],
)
def test_created_documents_are_counted_and_read(
    fresh: World, fields: dict[str, Any], stored: list[str], claims: dict[str, Any], to: str
) -> None:
    for path in stored:
        put_document(fresh, path)
    add(fresh, {"id": "x", **CREATE, **fields})
    assert apply(fresh, result("x", result=claims)) == {"x": to}
    assert_no_drift(fresh)


@pytest.mark.parametrize(
    ("fields", "documents", "to"),
    [
        ({"type": "url", "url": "https://a.b", "target_file": "good.md"}, [], "done"),
        ({"type": "url", "url": "https://a.b", "target_file": "bad.md"}, ["good.md"], "partial"),
        ({"type": "url", "url": "https://a.b"}, ["good.md"], "done"),
        ({"type": "url", "url": "https://a.b"}, [], "partial"),
        ({"type": "topic", "title": "t"}, ["bad.md", "good.md"], "done"),
        ({"type": "topic", "title": "t"}, ["bad.md"], "partial"),
        ({"type": "topic", "title": "t", "target_file": "good.md"}, [], "done"),
    ],
)
def test_url_and_topic_are_verified_too(fresh: World, fields: dict[str, Any], documents: list[str], to: str) -> None:
    put_document(fresh, "good.md")
    put_document(fresh, "bad.md", document(0, 0, "bad"))
    add(fresh, {"id": "x", **fields})
    assert apply(fresh, result("x", result={"documents": documents})) == {"x": to}


def test_partial_is_continued_at_the_next_picks_three_times(fresh: World) -> None:
    add(fresh, supplement("a"))
    for continued in range(4):
        assert apply(fresh) == {"a": "partial"}
        assert get(fresh, "a")["continued"] == continued
    assert fresh.api("POST", "/batches", {}).status == 204
    assert get(fresh, "a")["status"] == "partial"
    assert fresh.api("POST", "/assignments/a/continue", {}).json["assignment"]["continued"] == 0
    assert apply(fresh) == {"a": "partial"}


def test_partial_stays_until_the_next_pick(fresh: World) -> None:
    add(fresh, supplement("a"))
    apply(fresh, result("a", "partial"))
    fresh.heartbeat()
    assert get(fresh, "a")["status"] == "partial"


def test_faulty_output_changes_nothing_and_may_be_corrected(fresh: World) -> None:
    put_document(fresh, "a.md")
    add(fresh, supplement("a"))
    batch = pick(fresh)
    wrong = {**output_of(batch), "summary": {}}
    refused = send(fresh, batch, wrong)
    faults = refused.json["error"]["details"]["faults"]
    assert (refused.status, len(faults), get(fresh, "a")["status"]) == (400, 6, "in_progress")
    shown = fresh.api("GET", f"/batches/{batch['batch_name']}").json
    assert (shown["batch"]["status"], shown["faults"]) == ("open", faults)
    assert apply(fresh, batch=batch) == {"a": "done"}
    assert fresh.api("GET", f"/batches/{batch['batch_name']}").json["faults"] == []


def test_output_that_is_no_json_fails_the_batch(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    assert send(fresh, batch, None, "?dry_run=true", raw="{").status == 400
    assert get(fresh, "a")["status"] == "in_progress"
    assert send(fresh, batch, None, raw="{").status == 400
    assert get(fresh, "a")["status"] == "pending"
    shown = fresh.api("GET", f"/batches/{batch['batch_name']}").json["batch"]
    assert (shown["status"], shown["failure"]["error_code"]) == ("failed", "OUTPUT_NOT_JSON")
    assert send(fresh, batch, output_of(batch)).status == 409
    kinds = [one["kind"] for one in fresh.api("GET", "/collect/violations").json["violations"]]
    assert kinds == ["forbidden_transition", "output_not_json"]


def test_same_output_again_changes_nothing(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    output = output_of(batch)
    first, again = send(fresh, batch, output), send(fresh, batch, dict(reversed(output.items())))
    assert (again.status, again.json["moved"]) == (200, first.json["moved"])
    assert len(fresh.api("GET", "/assignments/a").json["attempts"]) == 1
    other = send(fresh, batch, output_of(batch, result("a", "failed")))
    assert (other.status, send(fresh, batch, None, raw="{").status) == (409, 409)
    assert fresh.api("GET", f"/batches/{batch['batch_name']}/output").json == output


def test_dry_run_shows_what_would_be(fresh: World) -> None:
    put_document(fresh, "a.md")
    add(fresh, supplement("a"), supplement("b"))
    batch = pick(fresh)
    output = output_of(batch)
    tried = send(fresh, batch, output, "?dry_run=true")
    assert (tried.status, set(states(fresh).values())) == (200, {"in_progress"})
    assert send(fresh, batch, output).json["moved"] == tried.json["moved"]
    wrong = send(fresh, pick(fresh), {}, "?dry_run=true")
    assert wrong.status == 400
    kinds = [one["kind"] for one in fresh.api("GET", "/collect/violations").json["violations"]]
    assert kinds == ["verification_failed"]


def test_batch_times_out(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    with later(0.9):
        fresh.heartbeat()
    assert get(fresh, "a")["status"] == "in_progress"
    with later(1.1):
        fresh.heartbeat()
    shown = fresh.api("GET", f"/batches/{batch['batch_name']}").json["batch"]
    assert (shown["status"], get(fresh, "a")["status"]) == ("timed_out", "pending")
    assert send(fresh, batch, output_of(batch)).status == 409
    assert pick(fresh)["ids"] == ["a"]


def test_output_is_finished_after_a_crash(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b", "c"):
        put_document(fresh, f"{name}.md")
    add(fresh, *(supplement(name) for name in ("a", "b", "c")))
    batch = pick(fresh)
    steps, calls = batch_apply._steps, iter(range(9))

    def crash(*args: Any) -> Any:
        if next(calls) == 1:
            raise RuntimeError("the function crashed")
        return steps(*args)

    monkeypatch.setattr(batch_apply, "_steps", crash)
    assert send(fresh, batch, output_of(batch)).status == 500
    assert sorted(states(fresh).values()) == ["done", "in_progress", "in_progress"]
    with later(0.1):
        fresh.heartbeat()
    assert set(states(fresh).values()) == {"done"}
    assert_no_drift(fresh)


def test_output_that_takes_too_long_is_finished_later(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add(fresh, supplement("a"), supplement("b"))
    batch = pick(fresh)
    monkeypatch.setattr("routes.collect_batches._RESERVE_MS", 10**9)
    output = output_of(batch)
    assert (send(fresh, batch, output).status, send(fresh, batch, output).status) == (202, 202)
    with later(0.1):
        fresh.heartbeat()
    assert send(fresh, batch, output).status == 200


def test_document_that_changes_while_it_is_verified_is_read_again(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_document(fresh, "a.md")
    add(fresh, supplement("a"))
    verify, calls = verification.verify, iter(range(9))

    def change_meanwhile(*args: Any) -> Any:
        verified = verify(*args)
        if next(calls) == 0:
            put_document(fresh, "a.md", document(0, 0))
        return verified

    monkeypatch.setattr(batch_apply, "verify", change_meanwhile)
    assert apply(fresh) == {"a": "partial"}
    assert get(fresh, "a")["completion_rate"] == 0.6


def test_assignment_that_is_not_valid_any_more_stays_pending(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add(fresh, supplement("a", "a.md", "b.md"), supplement("c"))
    monkeypatch.setattr("readdo.collect.assignment_validation.DOCUMENTS_MAX", 1)
    assert pick(fresh)["ids"] == ["c"]
    marked = get(fresh, "a")
    assert (marked["status"], any("at most 1" in words for words in marked["warnings"])) == ("pending", True)


def test_same_key_picks_once(fresh: World) -> None:
    add(fresh, *(supplement(f"{n}") for n in range(30)))
    assert pick(fresh, key="monday") == pick(fresh, key="monday")
    assert len(fresh.api("GET", "/batches").json["batches"]) == 1
