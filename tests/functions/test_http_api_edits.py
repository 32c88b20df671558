"""http_api: the user's version of an artifact is shown before the system's, and both are kept."""

import json
import uuid
from typing import Any

import boto3
import pytest

from functions.error_answers import assert_error, error_fields
from functions.items_in import CHINESE, TODOS, item_in, run_together, step_event, stored_data, versions
from readdo.web.request_body import PAYLOAD_MAX
from support.world import TEXT, World

CHINESE_TODOS = {
    "todos": [
        {
            "title": f"写下每一个{what}以及它的条件",
            "eta": "30m",
            "type": "WRITE",
            "why": "",
            "priority": "P1",
            "tags": ["租约"],
        }
        for what in ("写入", "条件", "测试")
    ]
}


def get_detail(world: World, item_id: str, query: str = "") -> dict[str, Any]:
    return dict(world.api("GET", f"/items/{item_id}{query}").json)


def get_artifact(world: World, item_id: str, kind: str) -> dict[str, Any]:
    return dict(get_detail(world, item_id)["artifacts"][kind])


def put_artifact(world: World, item_id: str, kind: str, payload: Any, if_match: str = "*", **more: Any) -> Any:
    return world.api("PUT", f"/items/{item_id}/artifacts/{kind}", payload, if_match=if_match, **more)


@pytest.fixture
def ready(world: World) -> str:
    return item_in(world, "READY")


@pytest.mark.parametrize("status", ["READY", "SHIPPED"])
@pytest.mark.parametrize("todos", [TODOS, CHINESE_TODOS], ids=["en", "zh"])
def test_edit_creates_a_new_version_in_the_same_run(world: World, status: str, todos: dict[str, Any]) -> None:
    item_id = item_in(world, status)
    before = get_artifact(world, item_id, "todos")
    answer = put_artifact(world, item_id, "todos", todos, str(before["version"]))
    artifact = answer.json["artifact"]
    assert (answer.status, artifact["version"], artifact["created_by"]) == (201, before["version"] + 1, "user")
    assert (artifact["payload"], artifact["meta"]["run_id"]) == (todos, before["meta"]["run_id"])
    assert get_artifact(world, item_id, "todos") == artifact
    assert answer.json["item"] == world.item(item_id)
    assert answer.json["item"]["edited"] == ["todos"]
    old = world.api("GET", f"/items/{item_id}/artifacts/todos/{before['version']}").json["artifact"]
    assert old == before


def test_edit_of_an_older_version_is_refused(world: World, ready: str) -> None:
    version = get_artifact(world, ready, "todos")["version"]
    assert put_artifact(world, ready, "todos", TODOS, str(version)).status == 201
    before = stored_data(world, ready)
    error = assert_error(put_artifact(world, ready, "todos", CHINESE_TODOS, str(version)), 412, "VERSION_MISMATCH")
    assert error["details"] == {"sent": str(version), "version": version + 1}
    assert stored_data(world, ready) == before


def test_concurrent_edits_of_one_version_create_one(world: World, ready: str) -> None:
    version = str(get_artifact(world, ready, "todos")["version"])
    answers = run_together(8, lambda n: put_artifact(world, ready, "todos", todos_with_title(n), version))
    assert sorted(answer.status for answer in answers) == [201] + [412] * 7
    (winner,) = (answer.json["artifact"] for answer in answers if answer.status == 201)
    assert get_artifact(world, ready, "todos") == winner


def test_concurrent_edits_of_any_version_are_all_kept(world: World, ready: str) -> None:
    answers = run_together(6, lambda n: put_artifact(world, ready, "todos", todos_with_title(n)))
    assert [answer.status for answer in answers] == [201] * 6
    payloads = [artifact["payload"] for artifact in versions(world, ready, "todos") if artifact["created_by"] == "user"]
    assert sorted(map(str, payloads)) == sorted(str(todos_with_title(n)) for n in range(6))


def todos_with_title(n: int) -> dict[str, Any]:
    first, *rest = TODOS["todos"]
    return {"todos": [{**first, "title": f"Write down rule {n}"}, *rest]}


def test_edit_repeated_with_its_key_runs_once(world: World, ready: str) -> None:
    key, version = str(uuid.uuid4()), str(get_artifact(world, ready, "todos")["version"])
    answers = run_together(6, lambda _: put_artifact(world, ready, "todos", TODOS, version, key=key))
    assert [(answer.status, answer.json) for answer in answers] == [(201, answers[0].json)] * 6
    put_artifact(world, ready, "todos", CHINESE_TODOS)
    before = stored_data(world, ready)
    assert put_artifact(world, ready, "todos", TODOS, version, key=key).json == answers[0].json
    assert_error(put_artifact(world, ready, "todos", CHINESE_TODOS, version, key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    assert_error(put_artifact(world, ready, "summary", TODOS, version, key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    assert stored_data(world, ready) == before


def test_restore_original_shows_the_systems_version_and_keeps_the_users(world: World, ready: str) -> None:
    system = get_artifact(world, ready, "todos")
    mine = put_artifact(world, ready, "todos", TODOS).json["artifact"]
    assert world.api("DELETE", f"/items/{ready}/artifacts/todos/user").status == 204
    assert get_artifact(world, ready, "todos") == system
    assert world.api("GET", f"/items/{ready}/artifacts/todos/{mine['version']}").json["artifact"] == mine
    before = stored_data(world, ready)
    assert world.api("DELETE", f"/items/{ready}/artifacts/todos/user").status == 204
    assert stored_data(world, ready) == before
    again = put_artifact(world, ready, "todos", CHINESE_TODOS, str(system["version"]))
    assert (again.status, again.json["artifact"]["version"]) == (201, mine["version"] + 1)


def test_restore_original_of_one_kind_keeps_the_other_edit(world: World, ready: str) -> None:
    summary = get_artifact(world, ready, "summary")["payload"]
    put_artifact(world, ready, "todos", TODOS)
    put_artifact(world, ready, "summary", {**summary, "insight": "What I make of it myself."})
    world.api("DELETE", f"/items/{ready}/artifacts/todos/user")
    assert get_artifact(world, ready, "summary")["payload"]["insight"] == "What I make of it myself."
    assert world.item(ready)["edited"] == ["summary"]


def test_regenerate_keeps_showing_the_users_versions(world: World, ready: str) -> None:
    mine = put_artifact(world, ready, "todos", TODOS).json["artifact"]
    summary = get_artifact(world, ready, "summary")
    world.api("POST", f"/items/{ready}/process", {"mode": "REGENERATE"})
    assert world.settled(ready)["status"] == "READY"
    assert get_artifact(world, ready, "todos") == mine
    assert get_artifact(world, ready, "summary")["version"] == summary["version"] + 1
    listed = get_detail(world, ready, "?versions=true")["versions"]["todos"]
    numbers = [(entry["version"], entry["created_by"], entry["shown"]) for entry in listed]
    assert numbers == [(3, "system", False), (2, "user", True), (1, "system", False)]
    again = put_artifact(world, ready, "todos", CHINESE_TODOS, str(mine["version"]))
    assert (again.status, again.json["artifact"]["version"]) == (201, 4)


def test_next_run_uses_the_version_after_an_edit(world: World, ready: str) -> None:
    put_artifact(world, ready, "todos", TODOS)
    world.api("POST", f"/items/{ready}/archive")
    world.api("POST", f"/items/{ready}/unarchive", {"regenerate": True})
    assert world.settled(ready)["status"] == "READY"
    assert [artifact["version"] for artifact in versions(world, ready, "todos")] == [1, 2, 3]


def test_export_uses_the_edited_card(world: World, ready: str) -> None:
    card = get_artifact(world, ready, "card")["payload"]
    edited = {**card, "headline": "A headline of my own making", "render_spec": card["render_spec"]}
    artifact = put_artifact(world, ready, "card", edited).json["artifact"]
    assert artifact["payload"]["render_spec"]["payload"]["content"]["headline"] == "A headline of my own making"
    world.api("POST", f"/items/{ready}/export", {"export_key": "mine", "formats": ["md"]})
    world.settle()
    export = world.api("GET", f"/items/{ready}/exports/mine").json["export"]
    assert (export["status"], export["meta"]["card_version"]) == ("DONE", artifact["version"])
    bucket = world.outputs["BucketName"]
    row = stored_data(world, ready)["objects"]
    (at,) = (key for key, _ in row if key.endswith(".md"))
    text = boto3.client("s3").get_object(Bucket=bucket, Key=at)["Body"].read().decode()
    assert "A headline of my own making" in text


def test_card_can_be_edited_without_a_render_spec(world: World, ready: str) -> None:
    card = get_artifact(world, ready, "card")["payload"]
    words = {name: value for name, value in card.items() if name != "render_spec"}
    artifact = put_artifact(world, ready, "card", {**words, "action": "Write the list of every write"}).json["artifact"]
    content = artifact["payload"]["render_spec"]["payload"]["content"]
    assert content["action"] == "Write the list of every write"
    assert artifact["payload"]["render_spec"]["width"] == card["render_spec"]["width"]


@pytest.mark.parametrize("spec", ["x", 5, True, None, [], [1], [["a", "b"]], {}, {"payload": 5}, {"payload": {}}])
def test_invalid_render_spec_is_rejected_by_field(world: World, ready: str, spec: Any) -> None:
    card = get_artifact(world, ready, "card")["payload"]
    before = stored_data(world, ready)
    error = assert_error(put_artifact(world, ready, "card", {**card, "render_spec": spec}), 400, "VALIDATION_ERROR")
    assert all(name.startswith("render_spec") for name in error_fields(error))
    assert stored_data(world, ready) == before


ODD: list[tuple[str, str]] = [
    ('{"todos": "\\ud800"}', "summary"),
    ('{"todos": NaN}', "todos"),
    ('{"todos": 1e999}', "todos"),
    ('{"todos": -Infinity}', "todos"),
    ("[]", "todos"),
    ("", "todos"),
    ("null", "card"),
    ("{", "card"),
    ('{"todos":' + "[" * 40_000 + "]" * 40_000 + "}", "todos"),
    ('{"todos":' + "[" * 900 + "]" * 900 + "}", "todos"),
    (json.dumps({f"k{n}": 1 for n in range(6_000)}), "summary"),
    (json.dumps({"todos": list(range(12_000))}), "todos"),
    (json.dumps({"todos": [{"title": "x" * 20_000}] * 4}), "todos"),
]


@pytest.mark.parametrize(("raw", "kind"), ODD, ids=range(len(ODD)))
def test_malformed_payload_gets_a_short_error(world: World, ready: str, raw: str, kind: str) -> None:
    before = stored_data(world, ready)
    answer = put_artifact(world, ready, kind, None, raw=raw)
    assert_error(answer, 400, "VALIDATION_ERROR")
    assert len(answer.text) < 10_000
    assert stored_data(world, ready) == before


def test_oversized_payload_gets_413(world: World, ready: str) -> None:
    assert_error(put_artifact(world, ready, "todos", None, raw=json.dumps({"x": "字" * PAYLOAD_MAX})), 413, "TOO_LARGE")


@pytest.mark.parametrize("capture", [{"content": TEXT, "title": "Leases"}, CHINESE], ids=["en", "zh"])
def test_quote_must_occur_in_the_text(world: World, capture: dict[str, Any]) -> None:
    item_id = item_in(world, "READY", **capture)
    summary = get_artifact(world, item_id, "summary")["payload"]
    assert summary["evidence"]
    assert put_artifact(world, item_id, "summary", summary).status == 201
    quote = {"quote": "这句话并不在原文里面出现过一次", "source_hint": "body"}
    error = assert_error(
        put_artifact(world, item_id, "summary", {**summary, "evidence": [quote]}), 400, "VALIDATION_ERROR"
    )
    assert error_fields(error) == {"evidence.0.quote"}


@pytest.mark.parametrize("kind", ["score", "extraction", "export", "poem", "CARD", "%E5%AD%97"])
def test_edit_of_a_kind_that_is_not_editable_is_not_found(world: World, ready: str, kind: str) -> None:
    assert_error(put_artifact(world, ready, kind, TODOS), 404, "NOT_FOUND")


@pytest.mark.parametrize("number", ["0", "99", "-1", "1.0", "x", "٣", "9" * 40, "1 "])
def test_unknown_version_is_not_found(world: World, ready: str, number: str) -> None:
    assert_error(world.api("GET", f"/items/{ready}/artifacts/card/{number}"), 404, "NOT_FOUND")


def test_run_without_its_lease_cannot_overwrite_an_edit(world: World, ready: str) -> None:
    put_artifact(world, ready, "todos", TODOS)
    before = stored_data(world, ready)
    with pytest.raises(Exception, match="does not hold the lease"):
        world.invoke("todos", step_event(world, ready, "todos"))
    assert stored_data(world, ready) == before
