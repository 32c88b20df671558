"""The calls about webhooks: who may, what is refused in words, and a secret that is shown once."""

import pytest
import webhook_helpers

from readdo.store import keys, tokens
from readdo.web import requests
from readdo.webhooks import events
from readdo.webhooks.subscriptions import HOOKS_MAX
from support.world import World

URL = "https://hooks.example.com/readdo"


@pytest.fixture(autouse=True)
def _without_webhooks(shared: World) -> None:
    webhook_helpers.remove_all(shared)


def test_what_can_be_wished_for_is_what_happens() -> None:
    assert set(requests.Event.__args__) == set(events.NAMES)  # type: ignore[attr-defined]


def test_its_secret_is_shown_once(shared: World) -> None:
    body = {"url": URL, "events": ["READY", "FAILED_*", "READY"]}
    first = shared.api("POST", "/webhooks", body, key="k1")
    again = shared.api("POST", "/webhooks", body, key="k1")
    assert (first.status, again.status) == (201, 200)
    secret = first.json["webhook"].pop("secret")
    assert again.json == first.json
    assert first.json["webhook"]["events"] == ["FAILED_AI", "FAILED_EXPORT", "FAILED_EXTRACTION", "READY"]
    added = first.json["webhook"]["id"]
    for path in ("/webhooks", f"/webhooks/{added}"):
        assert secret not in shared.api("GET", path).text
    kept = shared.table.get(keys.webhook_secret(shared.owner, added))
    assert kept is not None
    assert kept["secret"] == secret
    assert shared.api("POST", "/webhooks", {**body, "events": ["*"]}, key="k1").status == 422


def test_there_are_ten_and_no_more_and_removing_makes_room(shared: World) -> None:
    added = [webhook_helpers.add(shared, URL) for _ in range(HOOKS_MAX)]
    refused = shared.api("POST", "/webhooks", {"url": URL})
    assert refused.status == 409
    assert "You have 10 webhooks already" in refused.json["error"]["message"]
    assert shared.api("DELETE", f"/webhooks/{added[0]['id']}").status == 204
    assert shared.table.get(keys.webhook_secret(shared.owner, added[0]["id"])) is None
    assert shared.api("POST", "/webhooks", {"url": URL}).status == 201
    assert len(shared.api("GET", "/webhooks").json["webhooks"]) == HOOKS_MAX


def test_paused_resumed_and_changed(shared: World) -> None:
    path = f"/webhooks/{webhook_helpers.add(shared, URL, 'READY')['id']}"
    paused = shared.api("PATCH", path, {"paused": True}).json["webhook"]
    assert (paused["status"], paused["events"]) == ("PAUSED", ["READY"])
    assert shared.api("PATCH", path, {"paused": True}).json["webhook"]["status"] == "PAUSED"
    refused = shared.api("POST", f"{path}/test")
    assert refused.status == 409
    assert "PAUSED cannot be told anything. Resume it" in refused.json["error"]["message"]
    resumed = shared.api("PATCH", path, {"paused": False, "events": ["*", "READY"], "url": f"{URL}/2"}).json["webhook"]
    assert (resumed["status"], resumed["events"], resumed["url"]) == ("ACTIVE", ["*"], f"{URL}/2")
    assert shared.api("PATCH", path, {}).status == 400
    first = shared.api("PATCH", path, {"events": ["SHIPPED"]}, key="k2")
    shared.api("PATCH", path, {"events": ["ARCHIVED"]})
    assert shared.api("PATCH", path, {"events": ["SHIPPED"]}, key="k2").json == first.json, "the first answer"
    assert shared.api("GET", path).json["webhook"]["events"] == ["ARCHIVED"]


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"url": "http://hooks.example.com/"}, "url must begin with https://"),
        ({"url": "https://127.0.0.1/"}, "url is not an address on the public web"),
        ({"url": "http://127.0.0.1/"}, "url must begin with https://"),
        ({"url": "https://me:pw@hooks.example.com/"}, "url must not carry a user name or password"),
        ({"url": "https://hooks.example.com:8443/"}, "url names port 8443, and only 443 is asked"),
        ({"url": "https://hooks.example.com/#a"}, "url must not have a part behind #"),
        ({"url": "https://hooks.example.com/" + "a" * 2000}, "url is too long: at most 2,000 characters"),
        ({"url": "https://例子.example/"}, "url holds a blank, a backslash or a letter"),
        ({"url": URL, "events": []}, "events must name at least one"),
        ({"url": URL, "events": ["ready"]}, "events.0 must be 'CAPTURED', 'QUEUED'"),
        ({"url": URL, "secret": "mine"}, "secret is not known here"),
        ({}, "url is required"),
    ],
)
def test_what_cannot_be_is_refused_in_words(shared: World, body: dict[str, object], words: str) -> None:
    answer = shared.api("POST", "/webhooks", body)
    assert answer.status == 400
    assert words in answer.json["error"]["message"]
    assert shared.api("GET", "/webhooks").json == {"webhooks": []}


def test_anothers_webhook_is_not_there(shared: World) -> None:
    added = webhook_helpers.add(shared, URL)
    other = tokens.issue(shared.table, "another", "test")
    calls = [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/test"), ("GET", "/deliveries")]
    calls += [("POST", f"/deliveries/{added['id']}/redeliver")]
    for method, rest in calls:
        body = {"paused": True} if method == "PATCH" else None
        answer = shared.api(method, f"/webhooks/{added['id']}{rest}", body, token=other)
        assert (answer.status, answer.json["error"]["code"]) == (404, "NOT_FOUND")
    assert shared.api("GET", "/webhooks", token=other).json == {"webhooks": []}
    assert shared.api("GET", f"/webhooks/{added['id']}").json["webhook"]["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("path", "thing"),
    [
        ("/webhooks/no", "webhook"),
        ("/webhooks/01KA4ZD0H8N2P4S6T8V0W2X4Y6", "webhook"),
        ("/webhooks/{id}/deliveries/no", "delivery"),
        ("/webhooks/{id}/deliveries/01KA4ZD0H8N2P4S6T8V0W2X4Y6", "delivery"),
    ],
)
def test_what_is_not_there_is_named(shared: World, path: str, thing: str) -> None:
    path = path.replace("{id}", webhook_helpers.add(shared, URL)["id"])
    method = "POST" if "deliveries" in path else "GET"
    answer = shared.api(method, f"{path}/redeliver" if "deliveries" in path else path)
    assert answer.status == 404
    assert f"There is no such {thing}" in answer.json["error"]["message"]


def test_a_cursor_that_was_never_given(shared: World) -> None:
    path = f"/webhooks/{webhook_helpers.add(shared, URL)['id']}/deliveries"
    assert shared.api("GET", f"{path}?cursor=!").status == 400
    assert shared.api("GET", f"{path}?page=2").status == 400


def test_who_may_not_read_may_not_have_it_told_to_another(shared: World) -> None:
    """A token that only saves links (a phone's) must not learn by a webhook what it cannot ask for."""
    writes = tokens.issue(shared.table, shared.owner, "phone", ["write"])
    reads = tokens.issue(shared.table, shared.owner, "screen", ["read"])
    for token, scope in ((writes, "read"), (reads, "write")):
        answer = shared.api("POST", "/webhooks", {"url": URL}, token=token)
        assert answer.status == 403
        assert f"'{scope}'" in answer.json["error"]["message"]
    assert shared.api("GET", "/webhooks", token=reads).status == 200
