"""http_api: webhooks, their permissions and their validation."""

import pytest

from functions import webhook_helpers
from readdo.integrations import integration_keys
from readdo.integrations.requests import Event
from readdo.integrations.webhooks import events
from readdo.integrations.webhooks.subscriptions import HOOKS_MAX
from readdo.store import tokens
from support.world import World

URL = "https://hooks.example.com/readdo"


@pytest.fixture(autouse=True)
def _without_webhooks(world: World) -> None:
    webhook_helpers.remove_webhooks(world)


def test_webhook_events_match_the_event_names() -> None:
    assert set(Event.__args__) == set(events.NAMES)  # type: ignore[attr-defined]


def test_webhook_secret_is_shown_once(world: World) -> None:
    body = {"url": URL, "events": ["READY", "FAILED_*", "READY"]}
    first = world.api("POST", "/webhooks", body, key="k1")
    again = world.api("POST", "/webhooks", body, key="k1")
    assert (first.status, again.status) == (201, 200)
    secret = first.json["webhook"].pop("secret")
    assert again.json == first.json
    assert first.json["webhook"]["events"] == ["FAILED_AI", "FAILED_EXPORT", "FAILED_EXTRACTION", "READY"]
    added = first.json["webhook"]["id"]
    for path in ("/webhooks", f"/webhooks/{added}"):
        assert secret not in world.api("GET", path).text
    secret_row = world.table.get(integration_keys.webhook_secret(world.owner, added))
    assert secret_row is not None
    assert secret_row["secret"] == secret
    assert world.api("POST", "/webhooks", {**body, "events": ["*"]}, key="k1").status == 422


def test_webhook_limit_is_ten(world: World) -> None:
    added = [webhook_helpers.add(world, URL) for _ in range(HOOKS_MAX)]
    refused = world.api("POST", "/webhooks", {"url": URL})
    assert refused.status == 409
    assert "You have 10 webhooks, which is the limit" in refused.json["error"]["message"]
    assert world.api("DELETE", f"/webhooks/{added[0]['id']}").status == 204
    assert world.table.get(integration_keys.webhook_secret(world.owner, added[0]["id"])) is None
    assert world.api("POST", "/webhooks", {"url": URL}).status == 201
    assert len(world.api("GET", "/webhooks").json["webhooks"]) == HOOKS_MAX


def test_webhook_is_paused_resumed_and_changed(world: World) -> None:
    path = f"/webhooks/{webhook_helpers.add(world, URL, 'READY')['id']}"
    paused = world.api("PATCH", path, {"paused": True}).json["webhook"]
    assert (paused["status"], paused["events"]) == ("PAUSED", ["READY"])
    assert world.api("PATCH", path, {"paused": True}).json["webhook"]["status"] == "PAUSED"
    refused = world.api("POST", f"{path}/test")
    assert refused.status == 409
    assert "PAUSED and cannot be used. Resume it" in refused.json["error"]["message"]
    resumed = world.api("PATCH", path, {"paused": False, "events": ["*", "READY"], "url": f"{URL}/2"}).json["webhook"]
    assert (resumed["status"], resumed["events"], resumed["url"]) == ("ACTIVE", ["*"], f"{URL}/2")
    assert world.api("PATCH", path, {}).status == 400
    first = world.api("PATCH", path, {"events": ["SHIPPED"]}, key="k2")
    world.api("PATCH", path, {"events": ["ARCHIVED"]})
    assert world.api("PATCH", path, {"events": ["SHIPPED"]}, key="k2").json == first.json, "the first answer"
    assert world.api("GET", path).json["webhook"]["events"] == ["ARCHIVED"]


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
        ({"url": URL, "events": []}, "events must have at least one entry"),
        ({"url": URL, "events": ["ready"]}, "events.0 must be 'CAPTURED', 'QUEUED'"),
        ({"url": URL, "secret": "mine"}, "secret is not a known field"),
        ({}, "url is required"),
    ],
)
def test_invalid_webhook_is_rejected_with_a_message(world: World, body: dict[str, object], words: str) -> None:
    answer = world.api("POST", "/webhooks", body)
    assert answer.status == 400
    assert words in answer.json["error"]["message"]
    assert world.api("GET", "/webhooks").json == {"webhooks": []}


def test_webhook_of_another_owner_is_not_found(world: World) -> None:
    added = webhook_helpers.add(world, URL)
    other = tokens.issue(world.table, "another", "test")
    calls = [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("POST", "/test"), ("GET", "/deliveries")]
    calls += [("POST", f"/deliveries/{added['id']}/redeliver")]
    for method, rest in calls:
        body = {"paused": True} if method == "PATCH" else None
        answer = world.api(method, f"/webhooks/{added['id']}{rest}", body, token=other)
        assert (answer.status, answer.json["error"]["code"]) == (404, "NOT_FOUND")
    assert world.api("GET", "/webhooks", token=other).json == {"webhooks": []}
    assert world.api("GET", f"/webhooks/{added['id']}").json["webhook"]["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("path", "thing"),
    [
        ("/webhooks/no", "webhook"),
        ("/webhooks/01KA4ZD0H8N2P4S6T8V0W2X4Y6", "webhook"),
        ("/webhooks/{id}/deliveries/no", "delivery"),
        ("/webhooks/{id}/deliveries/01KA4ZD0H8N2P4S6T8V0W2X4Y6", "delivery"),
    ],
)
def test_not_found_names_webhook_or_delivery(world: World, path: str, thing: str) -> None:
    path = path.replace("{id}", webhook_helpers.add(world, URL)["id"])
    method = "POST" if "deliveries" in path else "GET"
    answer = world.api(method, f"{path}/redeliver" if "deliveries" in path else path)
    assert answer.status == 404
    assert f"This {thing} does not exist" in answer.json["error"]["message"]


def test_invalid_cursor_of_deliveries_is_rejected(world: World) -> None:
    path = f"/webhooks/{webhook_helpers.add(world, URL)['id']}/deliveries"
    assert world.api("GET", f"{path}?cursor=!").status == 400
    assert world.api("GET", f"{path}?page=2").status == 400


def test_webhook_needs_read_and_write_scopes(world: World) -> None:
    """A token that only saves links, such as a phone's, must not receive events that it may not read."""
    writes = tokens.issue(world.table, world.owner, "phone", ["write"])
    reads = tokens.issue(world.table, world.owner, "screen", ["read"])
    for token, scope in ((writes, "read"), (reads, "write")):
        answer = world.api("POST", "/webhooks", {"url": URL}, token=token)
        assert answer.status == 403
        assert f"'{scope}'" in answer.json["error"]["message"]
    assert world.api("GET", "/webhooks", token=reads).status == 200
