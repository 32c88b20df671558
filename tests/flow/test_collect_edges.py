"""Edges of the Collect desk: splits and permissions, extras, late outputs, and numbers that are no numbers."""

from typing import Any
from urllib.parse import quote

import pytest

from readdo.store import tokens
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
    stats,
    supplement,
)
from support.proof_story import later
from support.reader import Reader
from support.world import World

WAITING = {"requires_permission": True, "status": "skipped", "reason": "GDC Vault"}
PATHS = [f"{number}.md" for number in range(8)]


def created(name: str, *paths: str, **more: Any) -> dict[str, Any]:
    listed = [{"title": path, "file": path} for path in paths]
    return {"id": name, "type": "create_document", "document_list": listed, **more}


@pytest.mark.parametrize("query", ["", "?split=true"])
@pytest.mark.parametrize("whole", [supplement("p", *PATHS), created("p", *PATHS)], ids=["supplement", "create"])
def test_what_waits_for_a_permission_is_never_split(fresh: World, whole: dict[str, Any], query: str) -> None:
    added = fresh.api("POST", f"/assignments{query}", {**whole, **WAITING}).json["assignments"]
    assert [row["id"] for row in added] == ["p"]
    assert add(fresh, supplement("again", resumes="p"))[0]["resumes"] == "p"


def test_fields_of_a_skipped_assignment_are_kept(fresh: World) -> None:
    waiting = {**created("w", "a.md", target_count=30), **WAITING}
    assert add(fresh, waiting)[0]["target_count"] == 30
    assert fresh.api("POST", "/assignments", {**waiting, "target_count": 4}).status == 409
    assert fresh.api("POST", "/assignments", {**waiting, "id": "x", "target_count": "x"}).status == 400


def test_split_of_one_assignment_is_stored_whole_or_not(fresh: World) -> None:
    add(fresh, supplement("x-1"))
    refused = fresh.api("POST", "/assignments?split=true", supplement("x", *PATHS))
    assert (refused.status, refused.json["error"]["code"]) == (409, "ID_TAKEN")
    assert fresh.api("GET", "/assignments/x-2").status == 404


def test_id_that_is_too_long_for_a_split_is_named(fresh: World) -> None:
    refused = fresh.api("POST", "/assignments/validate?split=true", supplement("x" * 128, *PATHS)).json["results"][0]
    assert [error["field"] for error in refused["errors"]] == ["id"]
    assert fresh.api("POST", "/assignments", supplement("x" * 128)).status == 201


def test_reason_of_a_user_stays_when_it_is_picked(fresh: World) -> None:
    add(fresh, supplement("a", reason="because"))
    batch = pick(fresh)
    assert fresh.api("GET", f"/batches/{batch['batch_name']}/input").json["tasks"][0]["reason"] == "because"


def test_listed_document_cannot_be_replaced_by_another(fresh: World) -> None:
    for path in ("x.md", "y.md", "z.md"):
        put_document(fresh, path)
    add(fresh, created("two", "a.md", "b.md"), created("three", "c.md", target_count=3, search_keywords="k"))
    named = {"documents": ["x.md", "y.md", "z.md"]}
    moved = apply(fresh, result("two", result=named), result("three", result=named))
    assert moved == {"two": "partial", "three": "partial"}
    rows = [get(fresh, name) for name in ("two", "three")]
    assert [row["completion_rate"] for row in rows] == [0, 0]
    assert all(row["missing_items"] for row in rows)
    assert_no_drift(fresh)


def test_fewer_documents_than_listed_may_be_enough(fresh: World) -> None:
    put_document(fresh, "a.md")
    add(fresh, created("one", "a.md", "b.md", target_count=1))
    assert apply(fresh) == {"one": "done"}


def test_extras_of_the_last_result_count(fresh: World) -> None:
    put_document(fresh, "x.md", document(10, 10))
    add(fresh, created("c", "a.md", target_count=2, search_keywords="k"))
    assert apply(fresh, result("c", result={"documents": ["x.md"]})) == {"c": "partial"}
    for path in ("a.md", "y.md"):
        put_document(fresh, path)
    assert apply(fresh, result("c", result={"documents": ["y.md"]})) == {"c": "done"}
    counted = stats(fresh)["documents"]
    assert (counted["created_count"], counted["complete_count"], counted["avg_completion_rate"]) == (2, 2, 1.0)
    assert_no_drift(fresh)


@pytest.mark.parametrize("by", ["user", "worker"])
def test_extras_of_a_skipped_assignment_do_not_count(fresh: World, by: str) -> None:
    for path in ("x.md", "y.md"):
        put_document(fresh, path)
    add(fresh, created("c", "a.md", target_count=3, search_keywords="k"))
    apply(fresh, result("c", "partial", result={"documents": ["x.md", "y.md"]}))
    assert stats(fresh)["documents"]["created_count"] == 2
    if by == "worker":
        apply(fresh, result("c", "skipped"))
    else:
        fresh.api("POST", "/assignments/c/continue", {})
        fresh.api("POST", "/assignments/c/skip", {"reason": "account"})
    counted = stats(fresh)["documents"]
    assert (counted["target_count"], counted["created_count"], counted["complete_count"]) == (0, 0, 0)
    assert_no_drift(fresh)


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_output_past_the_deadline_is_refused_before_any_heartbeat(fresh: World, query: str) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    with later(1.1):
        late = send(fresh, batch, output_of(batch), query)
    assert late.status == 409
    state = {"": "timed_out", "?dry_run=true": "open"}[query]
    assert fresh.api("GET", f"/batches/{batch['batch_name']}").json["batch"]["status"] == state
    assert get(fresh, "a")["status"] == ("pending" if query == "" else "in_progress")


def test_refused_outputs_of_a_batch_that_is_over_are_violations(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    send(fresh, batch, output_of(batch, result("a", "failed")))
    for query in ("?dry_run=true", ""):
        assert send(fresh, batch, output_of(batch, result("a", "partial")), query).status == 409
    (found,) = fresh.api("GET", "/collect/violations").json["violations"]
    assert (found["kind"], found["batch_name"]) == ("forbidden_transition", batch["batch_name"])


@pytest.mark.parametrize("number", ["1e400", "-1e400"])
def test_number_that_is_too_large_is_a_fault(fresh: World, number: str) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    output = output_of(batch, result("a", result={"completion_rate": 7.5}))
    refused = send(fresh, batch, None, raw=str(output).replace("'", '"').replace("7.5", number))
    assert (refused.status, len(refused.json["error"]["details"]["faults"])) == (400, 1)
    assert send(fresh, batch, output).status == 200


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ("2025-12-11T10:00:00", "2025-12-11T10:00:00.000Z"),
        ("2025-12-11 10:00:00+08:00", "2025-12-11T02:00:00.000Z"),
        ("2025-12-11x10:00:00", None),
    ],
)
def test_time_of_an_output_is_shown_in_utc(fresh: World, sent: str, shown: str | None) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    answer = send(fresh, batch, {**output_of(batch), "processed_at": sent})
    assert answer.status == (200 if shown else 400)
    assert fresh.api("GET", f"/batches/{batch['batch_name']}").json["batch"]["processed_at"] == shown


def test_every_fault_of_a_long_output_is_named(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    refused = send(fresh, batch, output_of(batch, *(result(f"x{number}") for number in range(300))))
    assert len(refused.json["error"]["details"]["faults"]) == 300


def test_document_of_a_url_without_a_target_is_listed(fresh: World) -> None:
    put_document(fresh, "x.md")
    add(fresh, {"id": "u", "type": "url", "url": "https://a.test/"})
    apply(fresh, result("u", result={"documents": ["x.md"]}))
    assert [one["path"] for one in fresh.api("GET", "/assignments/u").json["documents"]] == ["x.md"]


def test_result_that_names_many_documents_is_applied(fresh: World) -> None:
    paths = [f"many/{number}.md" for number in range(99)]
    for path in paths:
        put_document(fresh, path)
    add(fresh, {"id": "t", "type": "topic", "title": "t"})
    assert apply(fresh, result("t", result={"documents": paths})) == {"t": "done"}


NAMES = [
    "第1场（上）",
    "GDC：帧图",
    "a、b",
    "“引号”",
    "A—B",
    "№1 €5",
    "🎮",
    "cafe\u0301",
    "हिन्दी",
    "a\u3000b",
    "a\u200bb",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_quoted", [False, True])
def test_assignment_with_any_id_is_found(fresh: World, name: str, is_quoted: bool) -> None:
    added = fresh.api("POST", "/assignments", supplement(name, "a.md"))
    assert added.headers["location"] == f"/assignments/{quote(name)}"
    path = quote(name) if is_quoted else name
    assert fresh.api("GET", f"/assignments/{path}").json["assignment"]["id"] == name
    assert fresh.api("POST", f"/assignments/{path}/skip", {"reason": "no account"}).status == 200
    assert name in Reader(fresh).look(f"/my/collect/assignments/{path}").text


@pytest.mark.parametrize("name", ["expand", "validate", "a\ufffdb"])
def test_id_that_is_no_path_is_refused(fresh: World, name: str) -> None:
    refused = fresh.api("POST", "/assignments", supplement(name, "a.md"))
    assert (refused.status, refused.json["error"]["details"]["fields"][0]["field"]) == (400, "id")


def test_split_into_more_assignments_than_a_request_may_make_is_refused(fresh: World) -> None:
    many = [supplement(f"m{number}", *(f"{number}-{n}.md" for n in range(50))) for number in range(101)]
    refused = fresh.api("POST", "/assignments?split=true", many)
    assert refused.status == 400
    assert "1,010 assignments" in refused.json["error"]["message"]
    assert stats(fresh)["tasks"]["total_tasks"] == 0


def test_refused_output_leaves_the_batch_as_it_was(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    assert send(fresh, batch, {"batch_name": "another"}).status == 400
    assert fresh.api("GET", f"/batches/{batch['batch_name']}").json["batch"] == batch


def test_unknown_parameter_of_a_write_is_refused(fresh: World) -> None:
    add(fresh, supplement("a"))
    batch = pick(fresh)
    assert send(fresh, batch, output_of(batch), "?dryrun=true").status == 400
    assert fresh.api("GET", f"/batches/{batch['batch_name']}").json["batch"]["status"] == "open"
    for method, path, body in (("POST", "/batches", {}), ("POST", "/assignments", supplement("b")),
                               ("PUT", "/documents/x.md", {"content": "x"})):  # fmt: skip
        refused = fresh.api(method, f"{path}?splt=true", body)
        assert (refused.status, refused.json["error"]["details"]["fields"][0]["field"]) == (400, "splt")


def test_repeated_put_with_a_key_does_not_overwrite_a_newer_version(fresh: World) -> None:
    first = fresh.api("PUT", "/documents/a.md", {"content": "A"}, key="k")
    put_document(fresh, "a.md", "B")
    again = fresh.api("PUT", "/documents/a.md", {"content": "A"}, key="k")
    assert (again.status, again.json["document"]["version"]) == (first.status, 1)
    assert fresh.api("GET", "/documents/a.md").json["content"] == "B"
    assert fresh.api("PUT", "/documents/a.md", {"content": "Z"}, key="k").status == 422
    assert fresh.api("PUT", "/documents/a.md", {"content": "B"}, key="same").json["document"]["version"] == 2
    put_document(fresh, "a.md", "C")
    assert fresh.api("PUT", "/documents/a.md", {"content": "B"}, key="same").json["document"]["version"] == 2
    assert_no_drift(fresh)


@pytest.mark.parametrize("path", ["/assignments", "/batches"])
@pytest.mark.parametrize("cursor", ["abc", "batch_x", "2025-01-01T00:00:00.000Z", "%F0%9F%8E%AE"])
def test_foreign_cursor_is_refused(fresh: World, path: str, cursor: str) -> None:
    assert fresh.api("GET", f"{path}?cursor={cursor}").status == 400


PATHS_REFUSED = {"%fe.md": 404, "./x.md": 400, "a/./x.md": 400, "%20a.md": 400, "a.md%20": 400, "\ufffd.md": 400}


@pytest.mark.parametrize("path", PATHS_REFUSED)
def test_document_path_with_a_meaningless_part_is_refused(fresh: World, path: str) -> None:
    assert fresh.api("PUT", f"/documents/{path}", {"content": "x"}).status == PATHS_REFUSED[path]
    assert fresh.api("GET", "/documents").json["documents"] == []


def test_if_match_for_a_missing_document_is_explained(fresh: World) -> None:
    refused = fresh.api("PUT", "/documents/a.md", {"content": "x"}, if_match="*")
    assert refused.status == 412
    assert "does not exist" in refused.json["error"]["message"]


def test_unknown_field_without_a_value_is_kept(fresh: World) -> None:
    assert add(fresh, supplement("a", foo=None))[0]["extra"] == {"foo": None}


def test_write_only_token_gets_ids_and_states(fresh: World) -> None:
    phone = tokens.issue(fresh.table, fresh.owner, "phone", ("write",))
    added = fresh.api("POST", "/assignments", supplement("a", title="secret"), token=phone).json["assignments"]
    assert [set(row) for row in added] == [{"id", "status", "created_at"}]
    batch = fresh.api("POST", "/batches", {}, token=phone).json["batch"]
    assert set(batch) == {"batch_name", "status", "created_at"}
    output = output_of({**batch, "ids": ["a"]}, result("a", "partial", result={"missing_items": ["x"]}))
    moved = send(fresh, batch, output, token=phone).json["moved"]
    assert [set(one) for one in moved] == [{"id", "from", "to"}]
    document_answer = fresh.api("PUT", "/documents/a.md", {"content": "secret"}, token=phone)
    assert document_answer.json["document"]["path"] == "a.md"
    assert "points" not in document_answer.text
