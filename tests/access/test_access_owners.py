"""Data of one owner looks to another owner as if it did not exist."""

import base64
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

from access.api_calls import OF_ITEMS, UNKNOWN_ID, Account
from readdo import files
from readdo.read import item_keys
from readdo.web import auth
from readdo.web.call_spec import Call

of_items = pytest.mark.parametrize("call", OF_ITEMS, ids=lambda call: call.name)
LINK = "https://example.com/leases"


@pytest.fixture(scope="module")
def other_token(account: Account) -> str:
    """A token of another owner, with every scope and an item of their own."""
    secret = account.token_of("stranger")
    account.world.api(
        "POST", "/capture", {"intent_text": "their own", "content": "text", "process": False}, token=secret
    )
    return secret


def visible_parts(answer: SimpleNamespace) -> tuple[Any, ...]:
    return answer.status, answer.text, sorted(answer.headers.items())


@of_items
def test_data_of_another_owner_looks_missing(account: Account, other_token: str, call: Call) -> None:
    before = account.stored()
    theirs, nobodys = (account.send(call, item=item, token=other_token) for item in ("", UNKNOWN_ID))
    assert (theirs.status, theirs.json["error"]["code"]) == (404, "NOT_FOUND")
    assert visible_parts(theirs) == visible_parts(nobodys)
    assert account.stored() == before


def test_batch_answers_alike_for_foreign_and_missing_items(account: Account, other_token: str) -> None:
    before = account.stored()
    for action in ("archive", "unarchive", "delete", "process", "export"):
        body = {"ids": [account.item, UNKNOWN_ID], "action": action}
        theirs, nobodys = account.world.api("POST", "/items/batch", body, token=other_token).json["results"]
        assert (theirs.pop("id"), nobodys.pop("id")) == (account.item, UNKNOWN_ID)
        assert (theirs, theirs["error"]["code"]) == (nobodys, "NOT_FOUND")
    assert account.stored() == before


def test_lists_hold_only_own_rows(account: Account, other_token: str) -> None:
    for query in ("", "?sort=created_desc", "?status=READY", "?q=lease", "?source_type=web", "?limit=100&q=o"):
        listed = account.world.api("GET", f"/items{query}", token=other_token)
        assert account.item not in listed.text
    listed_tokens = account.world.api("GET", "/tokens", token=other_token).json["tokens"]
    assert [token["current"] for token in listed_tokens] == [True]


def forged_cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize("sort", ["created_desc", "priority_score_desc"])
def test_forged_cursor_shows_no_rows_of_others(account: Account, other_token: str, sort: str) -> None:
    row = account.world.row(account.item)
    places = [
        f"I#{account.item} {row['inbox']}",
        f"I#{account.item} ",
        "I#" + "Z" * 26 + " ",
        "I#" + "Z" * 26 + " 8#100.0#" + "Z" * 26,
    ]
    places += [
        "O#me I#x ",
        f"O#me#I#{account.item} A#x ",
        "T#x T ",
        '{"pk": "O#me"}',
        f"I#{account.item}\nO#me ",
        "I#../O#me ",
    ]
    for place in places:
        path = f"/items?sort={sort}&cursor={forged_cursor(f'{sort} {place}')}"
        answer = account.world.api("GET", path, token=other_token)
        assert answer.status in (200, 400)
        assert account.item not in answer.text
        assert "example.com" not in answer.text


def test_links_capture_ids_and_keys_are_separate_per_owner(account: Account, other_token: str) -> None:
    """No request joins another owner's item or returns another owner's first response."""
    body = {"intent_text": "a secret plan", "url": LINK, "content": "text", "process": False}
    body["capture_id"] = "0b8f2c1e-6f0d-4c3a-9d57-5b1f7f4f2a10"
    first = account.world.api("POST", "/capture", {**body, "on_duplicate": "new"}, key="same")
    assert first.status == 201
    before = [row for row in account.stored()[0] if row["pk"]["S"].startswith("O#me")]
    other = {"intent_text": "something else", "content": "another text", "process": False}
    for answer in (
        account.world.api("POST", "/capture", {**other, "capture_id": body["capture_id"]}, token=other_token),
        account.world.api("POST", "/capture", other, key="same", token=other_token),
        account.world.api("POST", "/capture", {**other, "url": LINK}, token=other_token),
    ):
        assert (answer.status, answer.json["item"]["intent_text"]) == (201, "something else")
        assert "a secret plan" not in answer.text
    assert [row for row in account.stored()[0] if row["pk"]["S"].startswith("O#me")] == before


def test_token_and_export_keys_are_separate_per_owner(account: Account, other_token: str) -> None:
    answers = [
        account.world.api("POST", "/tokens", {"name": "a script"}, key="one", token=t) for t in (None, other_token)
    ]
    assert [answer.status for answer in answers] == [201, 201]
    assert len({answer.json["token"]["secret"] for answer in answers}) == 2
    item = account.world.api("GET", "/items", token=other_token).json["items"][0]["id"]
    for path in (
        f"/items/{item}/exports/mine",
        f"/exports/{item}/mine/card.md",
        f"/exports/{item}/mine/{account.item}",
    ):
        assert account.world.api("GET", path, token=other_token).status == 404


OTHER_FILES = [
    "..",
    "../card.md",
    "..%2fcard.md",
    "%2e%2e%2fcard.md",
    "card.md%00",
    "card.md/",
    "CARD.MD",
    "./card.md",
    "..\\card.md",
]


@pytest.mark.parametrize(
    "name", [*OTHER_FILES, "card.md?versionId=1", "{key}", "%2F", "content/me/x", "card.md\n", "*", ""]
)
def test_file_name_cannot_lead_to_another_file(account: Account, name: str) -> None:
    """The link always leads to the file that the export's row names."""
    row = account.world.table.get(item_keys.export("me", account.item, "mine"))
    assert row is not None
    (own,) = row["files"].values()
    for key in ("mine", "..", "../mine", "mine%2f..%2f..", "%6d%69ne"):
        answer = account.world.api("GET", f"/exports/{account.item}/{key}/{name.replace('{key}', own['at'])}")
        assert answer.status in (302, 404)
        if answer.status == 302:
            assert f"/{own['at']}?" in answer.headers["location"]
            assert account.item in own["at"]


INVALID_KEYS = [
    "../x",
    "..",
    ".",
    "a/b",
    "a\\b",
    "a\r\nX-Evil: 1",
    "a\nb",
    "a%0d%0ab",
    "a?b",
    "a#b",
    "租",
    "a\x00b",
    "a b",
    "'",
    '"',
]


@pytest.mark.parametrize("key", INVALID_KEYS)
def test_key_with_control_or_path_characters_is_rejected(account: Account, key: str) -> None:
    before = account.stored()
    for answer in (
        account.world.api("POST", f"/items/{account.item}/export", {"export_key": key}),
        account.world.api("POST", f"/items/{account.item}/export", {}, key=key),
        account.world.api("POST", f"/items/{account.item}/process", {"process_request_id": key}),
    ):
        assert (answer.status, answer.json["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert account.stored() == before


def test_objects_are_stored_below_their_owner_and_item(account: Account, other_token: str) -> None:
    long = {"intent_text": "read it", "content": "租约 lease " * 2000}
    captured = account.world.api("POST", "/capture", long, token=other_token).json["item"]["id"]
    account.world.settle()
    objects = boto3.client("s3").list_objects_v2(Bucket=account.world.outputs["BucketName"])["Contents"]
    owners = {account.item: "me", captured: "stranger"}
    placed = {tuple(o["Key"].split("/")[1:3]) for o in objects if o["Key"].split("/")[2] in owners}
    assert placed == {(owner, item) for item, owner in owners.items()}
    folders = ("content", "artifacts", "exports", "backups", "imports", "proof", "collect")
    assert all(o["Key"].split("/")[0] in folders and o["Key"].split("/")[1] in owners.values() for o in objects)


def test_file_link_lives_15_minutes_and_names_one_file(account: Account) -> None:
    answer = account.world.api("GET", f"/exports/{account.item}/mine/card.md")
    assert files.LINK_SECONDS <= 15 * 60
    assert f"X-Amz-Expires={files.LINK_SECONDS}" in answer.headers["location"]
    assert account.item in answer.headers["location"].partition("?")[0]
    assert account.world.token not in answer.headers["location"]


def test_warm_function_does_not_confuse_callers(account: Account, other_token: str) -> None:
    """A refused call must not leave an authenticated caller in the function's memory."""
    auth.forget()
    account.world.api("GET", f"/items/{account.item}")
    account.world.api("BREW", "/items")
    account.world.api("POST", "/capture", raw="x" * 5_000_001)
    assert account.world.api("GET", f"/items/{account.item}", token="").status == 401
    assert account.world.api("GET", f"/items/{account.item}", token=other_token).status == 404
    assert account.world.api("GET", f"/items/{account.item}").status == 200
