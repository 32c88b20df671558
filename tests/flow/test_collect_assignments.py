"""Assignments over the API: stored whole or not, the same id and body, split, resumed, and changed by their user."""

from typing import Any
from urllib.parse import quote

import pytest

from readdo.store import tokens
from support.collect_pool import add, apply, assert_no_drift, get, pick, result, states, stats, supplement
from support.world import World

URL = {"type": "url", "url": "https://a.b/c"}
SKIPPED = {"requires_permission": True, "status": "skipped", "reason": "GDC Vault 账号"}


def test_list_is_stored_in_its_order(fresh: World) -> None:
    listed = [supplement(f"{9 - n}", priority=1) for n in range(5)]
    answer = fresh.api("POST", "/assignments", listed)
    assert (answer.status, [row["id"] for row in answer.json["assignments"]]) == (201, ["9", "8", "7", "6", "5"])
    assert list(states(fresh)) == ["9", "8", "7", "6", "5"]
    assert pick(fresh)["ids"] == ["9", "8", "7", "6", "5"]


def test_one_invalid_assignment_stores_none(fresh: World) -> None:
    answer = fresh.api("POST", "/assignments", [supplement("a"), {"id": "b", "type": "url"}])
    (good, bad) = answer.json["error"]["details"]["results"]
    assert (answer.status, good["valid"], bad["valid"], bad["errors"][0]["field"]) == (400, True, False, "url")
    assert states(fresh) == {}


def test_validate_stores_nothing(fresh: World) -> None:
    answer = fresh.api("POST", "/assignments/validate", [supplement("a"), {"id": "b", "type": "url"}])
    assert (answer.status, answer.json["valid"], answer.json["invalid"]) == (200, 1, 1)
    assert states(fresh) == {}
    assert fresh.api("GET", "/collect/violations").json["violations"] == []


def test_same_id_and_body_is_the_same_assignment(fresh: World) -> None:
    first = fresh.api("POST", "/assignments", {"id": 1, **URL})
    again = fresh.api("POST", "/assignments", {"id": "1", **URL})
    assert (first.status, again.status, again.json) == (201, 200, first.json)


def test_same_id_with_another_body_is_taken(fresh: World) -> None:
    add(fresh, supplement("a"))
    single = fresh.api("POST", "/assignments", {"id": "a", **URL})
    assert (single.status, single.json["error"]["code"]) == (409, "ID_TAKEN")
    several = fresh.api("POST", "/assignments", [{"id": "a", **URL}, supplement("b")])
    assert (several.status, [row["id"] for row in several.json["assignments"]]) == (201, ["b"])
    assert [(one["index"], one["id"], one["code"]) for one in several.json["errors"]] == [(0, "a", "ID_TAKEN")]


def test_id_twice_in_a_list_needs_the_same_body(fresh: World) -> None:
    assert [row["id"] for row in add(fresh, supplement("a"), supplement("a"))] == ["a", "a"]
    answer = fresh.api("POST", "/assignments", [supplement("b"), {"id": "b", **URL}])
    assert [one["valid"] for one in answer.json["error"]["details"]["results"]] == [True, False]
    assert stats(fresh)["tasks"]["total_tasks"] == 1


def test_assignment_without_an_id_gets_one(fresh: World) -> None:
    one, other = add(fresh, URL, URL)
    assert one["id"] != other["id"]
    assert get(fresh, one["id"])["url"] == URL["url"]


def test_same_key_adds_once(fresh: World) -> None:
    first = fresh.api("POST", "/assignments", [URL], key="monday")
    again = fresh.api("POST", "/assignments", [URL], key="monday")
    assert (first.status, again.status, again.json) == (201, 200, first.json)
    assert fresh.api("POST", "/assignments", [URL, URL], key="monday").status == 422


def test_assignment_is_shown_as_it_was_given(fresh: World) -> None:
    given = {"id": "a", **URL, "priority": 2, "title": "T", "extract_fields": ["x"], "note": {"n": 1.25}}
    (shown,) = add(fresh, given)
    assert {name: shown[name] for name in given if name != "note"} == {n: v for n, v in given.items() if n != "note"}
    assert (shown["extra"], shown["status"], shown["attempts"], shown["version"]) == (
        {"note": {"n": 1.25}},
        "pending",
        0,
        1,
    )
    assert (shown["completion_rate"], shown["missing_items"], shown["batch_name"]) == (None, [], None)


def test_assignment_that_needs_a_permission_is_born_skipped(fresh: World) -> None:
    (row,) = add(fresh, {"id": "a", "type": "content_supplement", **SKIPPED})
    assert (row["status"], row["reason"], row["requires_permission"]) == ("skipped", "GDC Vault 账号", True)
    assert fresh.api("POST", "/batches", {}).status == 204


def test_new_assignment_resumes_a_skipped_one(fresh: World) -> None:
    add(fresh, {"id": "a", **SKIPPED}, supplement("b"))
    (row,) = add(fresh, supplement("c", resumes="a"))
    assert row["resumes"] == "a"
    for other in ("b", "unknown"):
        answer = fresh.api("POST", "/assignments", supplement("d", resumes=other))
        assert answer.json["error"]["details"]["fields"][0]["field"] == "resumes"


def test_split_makes_several_assignments(fresh: World) -> None:
    whole = supplement("x", *(f"{n}.md" for n in range(11)), priority=3)
    assert fresh.api("POST", "/assignments", whole).status == 400
    answer = fresh.api("POST", "/assignments?split=true", whole)
    rows = answer.json["assignments"]
    assert [(row["id"], len(row["target_files"]), row["split_from"], row["priority"]) for row in rows] == [
        *(("x-1", 5, "x", 3), ("x-2", 5, "x", 3), ("x-3", 1, "x", 3)),
    ]
    assert fresh.api("POST", "/assignments?split=true", whole).status == 200


def test_list_has_filters_and_pages(fresh: World) -> None:
    add(fresh, *(supplement(f"{n}", priority=1 + n % 2) for n in range(7)), {"id": "u", **URL})
    pages, cursor = [], ""
    while True:
        answer = fresh.api("GET", f"/assignments?limit=3{cursor}").json
        pages.append([row["id"] for row in answer["assignments"]])
        if answer["next_cursor"] is None:
            break
        cursor = f"&cursor={answer['next_cursor'].replace('#', '%23')}"
    assert pages == [["0", "1", "2"], ["3", "4", "5"], ["6", "u"]]
    assert [row["id"] for row in fresh.api("GET", "/assignments?priority=2").json["assignments"]] == ["1", "3", "5"]
    assert [row["id"] for row in fresh.api("GET", "/assignments?type=url").json["assignments"]] == ["u"]
    batch = pick(fresh)
    assert len(fresh.api("GET", f"/assignments?batch={batch['batch_name']}").json["assignments"]) == 8
    assert fresh.api("GET", "/assignments?status=lost").status == 400


def test_skip_needs_a_reason_and_is_final(fresh: World) -> None:
    add(fresh, supplement("a"))
    for body in ({}, {"reason": " "}):
        assert fresh.api("POST", "/assignments/a/skip", body).status == 400
    answer = fresh.api("POST", "/assignments/a/skip", {"reason": "an account"})
    assert (answer.json["assignment"]["status"], answer.json["available_actions"]) == ("skipped", [])
    refused = fresh.api("POST", "/assignments/a/retry", {})
    assert (refused.status, refused.json["error"]["details"]["status"]) == (409, "skipped")
    assert_no_drift(fresh)


def test_failed_is_retried_and_partial_is_continued(fresh: World) -> None:
    add(fresh, supplement("failed"), supplement("partial"))
    apply(fresh, result("failed", "failed", error="500"), result("partial", "partial"))
    assert (get(fresh, "failed")["error"], get(fresh, "partial")["completion_rate"]) == ("500", 0)
    for name, verb in (("failed", "continue"), ("partial", "retry")):
        assert fresh.api("POST", f"/assignments/{name}/{verb}", {}).status == 409
    assert fresh.api("POST", "/assignments/failed/retry", {}).json["assignment"]["status"] == "pending"
    kept = fresh.api("POST", "/assignments/partial/continue", {}).json["assignment"]
    assert (kept["status"], kept["missing_items"]) == ("pending", ["partial.md: The document does not exist."])


def test_refused_transition_is_a_violation(fresh: World) -> None:
    add(fresh, supplement("a"))
    fresh.api("POST", "/assignments/a/retry", {})
    (violation,) = fresh.api("GET", "/collect/violations").json["violations"]
    assert (violation["kind"], violation["level"], violation["assignment_id"]) == ("forbidden_transition", "error", "a")


@pytest.mark.parametrize("name", ["中文 id", "a b", "a+b", "a:b~c", "1.5"])
def test_id_may_have_other_characters(fresh: World, name: str) -> None:
    add(fresh, {"id": name, **URL})
    assert get(fresh, quote(name, safe=""))["id"] == name


@pytest.mark.parametrize("body", [[], ["x"] * 1001, "text", 3, None])
def test_wrong_bodies_are_refused(fresh: World, body: Any) -> None:
    assert fresh.api("POST", "/assignments", body, raw=None if body is not None else "null").status == 400


def test_assignments_of_another_owner_are_not_found(fresh: World) -> None:
    add(fresh, supplement("a"))
    other = tokens.issue(fresh.table, "other", "a token")
    assert fresh.api("GET", "/assignments/a", token=other).status == 404
    assert fresh.api("GET", "/assignments", token=other).json["assignments"] == []
    assert fresh.api("POST", "/batches", {}, token=other).status == 204
