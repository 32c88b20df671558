"""http_api: a user's own version of an artifact is shown before the system's, hides nothing and loses nothing."""

import json
import uuid
from typing import Any

import boto3
import pytest
from error_answers import fields, told
from items_in import CHINESE, TODOS, at_once, everything, in_turn, item_in, versions

from readdo.web.body_validation import PAYLOAD_MAX
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


def detail(world: World, item_id: str, query: str = "") -> dict[str, Any]:
    return dict(world.api("GET", f"/items/{item_id}{query}").json)


def shown(world: World, item_id: str, kind: str) -> dict[str, Any]:
    return dict(detail(world, item_id)["artifacts"][kind])


def put(world: World, item_id: str, kind: str, payload: Any, if_match: str = "*", **more: Any) -> Any:
    return world.api("PUT", f"/items/{item_id}/artifacts/{kind}", payload, if_match=if_match, **more)


@pytest.fixture
def ready(shared: World) -> str:
    return item_in(shared, "READY")


@pytest.mark.parametrize("status", ["READY", "SHIPPED"])
@pytest.mark.parametrize("todos", [TODOS, CHINESE_TODOS], ids=["en", "zh"])
def test_an_edit_is_a_new_version_of_the_run_that_it_edits(shared: World, status: str, todos: dict[str, Any]) -> None:
    item_id = item_in(shared, status)
    before = shown(shared, item_id, "todos")
    answer = put(shared, item_id, "todos", todos, str(before["version"]))
    made = answer.json["artifact"]
    assert (answer.status, made["version"], made["created_by"]) == (201, before["version"] + 1, "user")
    assert (made["payload"], made["meta"]["run_id"]) == (todos, before["meta"]["run_id"])
    assert shown(shared, item_id, "todos") == made
    assert answer.json["item"] == shared.item(item_id)
    assert answer.json["item"]["edited"] == ["todos"]
    old = shared.api("GET", f"/items/{item_id}/artifacts/todos/{before['version']}").json["artifact"]
    assert old == before


def test_an_edit_from_an_older_version_is_refused_and_writes_nothing(shared: World, ready: str) -> None:
    seen = shown(shared, ready, "todos")["version"]
    assert put(shared, ready, "todos", TODOS, str(seen)).status == 201
    before = everything(shared, ready)
    error = told(put(shared, ready, "todos", CHINESE_TODOS, str(seen)), 412, "VERSION_MISMATCH")
    assert error["details"] == {"sent": str(seen), "version": seen + 1}
    assert everything(shared, ready) == before


def test_of_edits_at_once_from_one_version_one_is_made(shared: World, ready: str) -> None:
    seen = str(shown(shared, ready, "todos")["version"])
    found = at_once(8, lambda n: put(shared, ready, "todos", named(n), seen))
    assert sorted(answer.status for answer in found) == [201] + [412] * 7
    (won,) = (answer.json["artifact"] for answer in found if answer.status == 201)
    assert shown(shared, ready, "todos") == won


def test_edits_at_once_of_whatever_is_there_are_all_kept(shared: World, ready: str) -> None:
    found = at_once(6, lambda n: put(shared, ready, "todos", named(n)))
    assert [answer.status for answer in found] == [201] * 6
    kept = [made["payload"] for made in versions(shared, ready, "todos") if made["created_by"] == "user"]
    assert sorted(map(str, kept)) == sorted(str(named(n)) for n in range(6))


def named(n: int) -> dict[str, Any]:
    first, *rest = TODOS["todos"]
    return {"todos": [{**first, "title": f"Write down rule {n}"}, *rest]}


def test_an_edit_repeated_with_its_key_is_made_once_and_answered_alike(shared: World, ready: str) -> None:
    key, seen = str(uuid.uuid4()), str(shown(shared, ready, "todos")["version"])
    found = at_once(6, lambda _: put(shared, ready, "todos", TODOS, seen, key=key))
    assert [(answer.status, answer.json) for answer in found] == [(201, found[0].json)] * 6
    put(shared, ready, "todos", CHINESE_TODOS)
    before = everything(shared, ready)
    assert put(shared, ready, "todos", TODOS, seen, key=key).json == found[0].json
    told(put(shared, ready, "todos", CHINESE_TODOS, seen, key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    told(put(shared, ready, "summary", TODOS, seen, key=key), 422, "IDEMPOTENCY_KEY_REUSED")
    assert everything(shared, ready) == before


def test_the_systems_version_is_shown_again_and_the_users_stay_readable(shared: World, ready: str) -> None:
    system = shown(shared, ready, "todos")
    mine = put(shared, ready, "todos", TODOS).json["artifact"]
    assert shared.api("DELETE", f"/items/{ready}/artifacts/todos/user").status == 204
    assert shown(shared, ready, "todos") == system
    assert shared.api("GET", f"/items/{ready}/artifacts/todos/{mine['version']}").json["artifact"] == mine
    before = everything(shared, ready)
    assert shared.api("DELETE", f"/items/{ready}/artifacts/todos/user").status == 204
    assert everything(shared, ready) == before
    again = put(shared, ready, "todos", CHINESE_TODOS, str(system["version"]))
    assert (again.status, again.json["artifact"]["version"]) == (201, mine["version"] + 1)


def test_giving_back_one_kind_leaves_the_other_as_it_was_edited(shared: World, ready: str) -> None:
    summary = shown(shared, ready, "summary")["payload"]
    put(shared, ready, "todos", TODOS)
    put(shared, ready, "summary", {**summary, "insight": "What I make of it myself."})
    shared.api("DELETE", f"/items/{ready}/artifacts/todos/user")
    assert shown(shared, ready, "summary")["payload"]["insight"] == "What I make of it myself."
    assert shared.item(ready)["edited"] == ["summary"]


def test_a_regenerate_makes_new_versions_and_hides_nothing_that_is_the_users(shared: World, ready: str) -> None:
    mine = put(shared, ready, "todos", TODOS).json["artifact"]
    summary = shown(shared, ready, "summary")
    shared.api("POST", f"/items/{ready}/process", {"mode": "REGENERATE"})
    assert shared.settled(ready)["status"] == "READY"
    assert shown(shared, ready, "todos") == mine
    assert shown(shared, ready, "summary")["version"] == summary["version"] + 1
    listed = detail(shared, ready, "?versions=true")["versions"]["todos"]
    numbers = [(made["version"], made["created_by"], made["shown"]) for made in listed]
    assert numbers == [(3, "system", False), (2, "user", True), (1, "system", False)]
    again = put(shared, ready, "todos", CHINESE_TODOS, str(mine["version"]))
    assert (again.status, again.json["artifact"]["version"]) == (201, 4)


def test_an_edit_that_took_the_number_does_not_lose_the_next_runs_artifact(shared: World, ready: str) -> None:
    put(shared, ready, "todos", TODOS)
    shared.api("POST", f"/items/{ready}/archive")
    shared.api("POST", f"/items/{ready}/unarchive", {"regenerate": True})
    assert shared.settled(ready)["status"] == "READY"
    assert [made["version"] for made in versions(shared, ready, "todos")] == [1, 2, 3]


def test_an_edited_card_is_what_is_exported(shared: World, ready: str) -> None:
    card = shown(shared, ready, "card")["payload"]
    edited = {**card, "headline": "A headline of my own making", "render_spec": card["render_spec"]}
    made = put(shared, ready, "card", edited).json["artifact"]
    assert made["payload"]["render_spec"]["payload"]["content"]["headline"] == "A headline of my own making"
    shared.api("POST", f"/items/{ready}/export", {"export_key": "mine", "formats": ["md"]})
    shared.settle()
    export = shared.api("GET", f"/items/{ready}/exports/mine").json["export"]
    assert (export["status"], export["meta"]["card_version"]) == ("DONE", made["version"])
    bucket = shared.outputs["BucketName"]
    row = everything(shared, ready)["objects"]
    (at,) = (key for key, _ in row if key.endswith(".md"))
    text = boto3.client("s3").get_object(Bucket=bucket, Key=at)["Body"].read().decode()
    assert "A headline of my own making" in text


def test_a_card_may_be_sent_without_its_drawing(shared: World, ready: str) -> None:
    card = shown(shared, ready, "card")["payload"]
    words = {name: value for name, value in card.items() if name != "render_spec"}
    made = put(shared, ready, "card", {**words, "action": "Write the list of every write"}).json["artifact"]
    content = made["payload"]["render_spec"]["payload"]["content"]
    assert content["action"] == "Write the list of every write"
    assert made["payload"]["render_spec"]["width"] == card["render_spec"]["width"]


@pytest.mark.parametrize("spec", ["x", 5, True, None, [], [1], [["a", "b"]], {}, {"payload": 5}, {"payload": {}}])
def test_an_odd_drawing_is_refused_by_name(shared: World, ready: str, spec: Any) -> None:
    card = shown(shared, ready, "card")["payload"]
    before = everything(shared, ready)
    error = told(put(shared, ready, "card", {**card, "render_spec": spec}), 400, "VALIDATION_ERROR")
    assert all(name.startswith("render_spec") for name in fields(error))
    assert everything(shared, ready) == before


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
def test_an_odd_payload_is_refused_in_a_short_answer(shared: World, ready: str, raw: str, kind: str) -> None:
    before = everything(shared, ready)
    answer = put(shared, ready, kind, None, raw=raw)
    told(answer, 400, "VALIDATION_ERROR")
    assert len(answer.text) < 10_000
    assert everything(shared, ready) == before


def test_a_payload_larger_than_any_artifact_is_too_large(shared: World, ready: str) -> None:
    told(put(shared, ready, "todos", None, raw=json.dumps({"x": "字" * PAYLOAD_MAX})), 413, "TOO_LARGE")


@pytest.mark.parametrize("capture", [{"content": TEXT, "title": "Leases"}, CHINESE], ids=["en", "zh"])
def test_a_quote_must_occur_in_the_text_and_those_of_the_system_do(shared: World, capture: dict[str, Any]) -> None:
    item_id = item_in(shared, "READY", **capture)
    summary = shown(shared, item_id, "summary")["payload"]
    assert summary["evidence"]
    assert put(shared, item_id, "summary", summary).status == 201
    quote = {"quote": "这句话并不在原文里面出现过一次", "source_hint": "body"}
    error = told(put(shared, item_id, "summary", {**summary, "evidence": [quote]}), 400, "VALIDATION_ERROR")
    assert fields(error) == {"evidence.0.quote"}


@pytest.mark.parametrize("kind", ["score", "extraction", "export", "poem", "CARD", "%E5%AD%97"])
def test_what_cannot_be_edited_is_not_there_to_edit(shared: World, ready: str, kind: str) -> None:
    told(put(shared, ready, kind, TODOS), 404, "NOT_FOUND")


@pytest.mark.parametrize("number", ["0", "99", "-1", "1.0", "x", "٣", "9" * 40, "1 "])
def test_a_version_that_there_is_not_is_not_found(shared: World, ready: str, number: str) -> None:
    told(shared.api("GET", f"/items/{ready}/artifacts/card/{number}"), 404, "NOT_FOUND")


def test_a_run_that_lost_its_item_cannot_write_over_an_edit(shared: World, ready: str) -> None:
    put(shared, ready, "todos", TODOS)
    before = everything(shared, ready)
    with pytest.raises(Exception, match="does not hold the lease"):
        shared.invoke("todos", in_turn(shared, ready, "todos"))
    assert everything(shared, ready) == before
