"""What belongs to one owner is for another as if it were not there: the same words, the same work, nothing changed."""

import base64
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from api_calls import CLOSED, NOBODYS, Home

from readdo import files
from readdo.store import keys
from readdo.web import auth
from readdo.web.call import Call

OF_ITEMS = [call for call in CLOSED if "{" in call.path]
of_items = pytest.mark.parametrize("call", OF_ITEMS, ids=lambda call: call.name)
LINK = "https://example.com/leases"


@pytest.fixture(scope="module")
def stranger(home: Home) -> str:
    """With every scope, and a home of its own beside the first."""
    secret = home.token_of("stranger")
    home.world.api("POST", "/capture", {"intent_text": "their own", "content": "text", "process": False}, token=secret)
    return secret


def as_seen(answer: SimpleNamespace) -> tuple[Any, ...]:
    return answer.status, answer.text, sorted(answer.headers.items())


@of_items
def test_anothers_is_told_as_what_is_not_there(home: Home, stranger: str, call: Call) -> None:
    before = home.kept()
    theirs, nobodys = (home.ask(call, item=item, token=stranger) for item in ("", NOBODYS))
    assert (theirs.status, theirs.json["error"]["code"]) == (404, "NOT_FOUND")
    assert as_seen(theirs) == as_seen(nobodys)
    assert home.kept() == before


def test_a_batch_tells_of_anothers_items_what_it_tells_of_nobodys(home: Home, stranger: str) -> None:
    before = home.kept()
    for action in ("archive", "unarchive", "delete", "process", "export"):
        asked = {"ids": [home.item, NOBODYS], "action": action}
        theirs, nobodys = home.world.api("POST", "/items/batch", asked, token=stranger).json["results"]
        assert (theirs.pop("id"), nobodys.pop("id")) == (home.item, NOBODYS)
        assert (theirs, theirs["error"]["code"]) == (nobodys, "NOT_FOUND")
    assert home.kept() == before


def test_lists_hold_ones_own_and_no_others(home: Home, stranger: str) -> None:
    for query in ("", "?sort=created_desc", "?status=READY", "?q=lease", "?source_type=web", "?limit=100&q=o"):
        listed = home.world.api("GET", f"/items{query}", token=stranger)
        assert home.item not in listed.text
    found = home.world.api("GET", "/tokens", token=stranger).json["tokens"]
    assert [token["current"] for token in found] == [True]


def forged(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize("sort", ["created_desc", "priority_score_desc"])
def test_a_cursor_of_ones_own_making_leads_to_nobody_elses_rows(home: Home, stranger: str, sort: str) -> None:
    row = home.world.row(home.item)
    places = [
        f"I#{home.item} {row['inbox']}",
        f"I#{home.item} ",
        "I#" + "Z" * 26 + " ",
        "I#" + "Z" * 26 + " 8#100.0#" + "Z" * 26,
    ]
    places += [
        "O#me I#x ",
        f"O#me#I#{home.item} A#x ",
        "T#x T ",
        '{"pk": "O#me"}',
        f"I#{home.item}\nO#me ",
        "I#../O#me ",
    ]
    for place in places:
        path = f"/items?sort={sort}&cursor={forged(f'{sort} {place}')}"
        answer = home.world.api("GET", path, token=stranger)
        assert answer.status in (200, 400)
        assert home.item not in answer.text
        assert "example.com" not in answer.text


def test_the_same_link_id_and_key_are_each_owners_own(home: Home, stranger: str) -> None:
    """Neither joins an item of another's, nor is given another's first answer."""
    body = {"intent_text": "a secret plan", "url": LINK, "content": "text", "process": False}
    body["capture_id"] = "0b8f2c1e-6f0d-4c3a-9d57-5b1f7f4f2a10"
    first = home.world.api("POST", "/capture", {**body, "on_duplicate": "new"}, key="same")
    assert first.status == 201
    before = [row for row in home.kept()[0] if row["pk"]["S"].startswith("O#me")]
    other = {"intent_text": "something else", "content": "another text", "process": False}
    for answer in (
        home.world.api("POST", "/capture", {**other, "capture_id": body["capture_id"]}, token=stranger),
        home.world.api("POST", "/capture", other, key="same", token=stranger),
        home.world.api("POST", "/capture", {**other, "url": LINK}, token=stranger),
    ):
        assert (answer.status, answer.json["item"]["intent_text"]) == (201, "something else")
        assert "a secret plan" not in answer.text
    assert [row for row in home.kept()[0] if row["pk"]["S"].startswith("O#me")] == before


def test_a_key_for_tokens_and_exports_is_each_owners_own(home: Home, stranger: str) -> None:
    made = [home.world.api("POST", "/tokens", {"name": "a script"}, key="one", token=t) for t in (None, stranger)]
    assert [answer.status for answer in made] == [201, 201]
    assert len({answer.json["token"]["secret"] for answer in made}) == 2
    item = home.world.api("GET", "/items", token=stranger).json["items"][0]["id"]
    for path in (f"/items/{item}/exports/mine", f"/exports/{item}/mine/card.md", f"/exports/{item}/mine/{home.item}"):
        assert home.world.api("GET", path, token=stranger).status == 404


OUT = [
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


@pytest.mark.parametrize("name", [*OUT, "card.md?versionId=1", "{key}", "%2F", "content/me/x", "card.md\n", "*", ""])
def test_a_files_name_leads_to_no_other_file(home: Home, name: str) -> None:
    """Whatever it is made of: what is linked to is what the export's own row names."""
    row = home.world.table.get(keys.export("me", home.item, "mine"))
    assert row is not None
    (own,) = row["files"].values()
    for key in ("mine", "..", "../mine", "mine%2f..%2f..", "%6d%69ne"):
        answer = home.world.api("GET", f"/exports/{home.item}/{key}/{name.replace('{key}', own['at'])}")
        assert answer.status in (302, 404)
        if answer.status == 302:
            assert f"/{own['at']}?" in answer.headers["location"]
            assert home.item in own["at"]


NOT_KEYS = [
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


@pytest.mark.parametrize("key", NOT_KEYS)
def test_a_key_that_would_write_into_a_header_or_another_place_is_refused(home: Home, key: str) -> None:
    before = home.kept()
    for answer in (
        home.world.api("POST", f"/items/{home.item}/export", {"export_key": key}),
        home.world.api("POST", f"/items/{home.item}/export", {}, key=key),
        home.world.api("POST", f"/items/{home.item}/process", {"process_request_id": key}),
    ):
        assert (answer.status, answer.json["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert home.kept() == before


def test_every_object_lies_below_its_owner_and_its_item(home: Home, stranger: str) -> None:
    long = {"intent_text": "read it", "content": "租约 lease " * 2000}
    captured = home.world.api("POST", "/capture", long, token=stranger).json["item"]["id"]
    home.world.settle()
    found = boto3.client("s3").list_objects_v2(Bucket=home.world.outputs["BucketName"])["Contents"]
    owners = {home.item: "me", captured: "stranger"}
    placed = {tuple(o["Key"].split("/")[1:3]) for o in found if o["Key"].split("/")[2] in owners}
    assert placed == {(owner, item) for item, owner in owners.items()}
    kept = ("content", "artifacts", "exports", "backups", "imports")
    assert all(o["Key"].split("/")[0] in kept and o["Key"].split("/")[1] in owners.values() for o in found)


def test_a_files_link_lives_for_a_quarter_of_an_hour_and_for_one_file(home: Home) -> None:
    answer = home.world.api("GET", f"/exports/{home.item}/mine/card.md")
    assert files.LINK_SECONDS <= 15 * 60
    assert f"X-Amz-Expires={files.LINK_SECONDS}" in answer.headers["location"]
    assert home.item in answer.headers["location"].partition("?")[0]
    assert home.world.token not in answer.headers["location"]


def test_a_warm_function_does_not_take_the_second_caller_for_the_first(home: Home, stranger: str) -> None:
    """What a refused call leaves behind opens nothing for the next."""
    auth.forget()
    home.world.api("GET", f"/items/{home.item}")
    home.world.api("BREW", "/items")
    home.world.api("POST", "/capture", raw="x" * 5_000_001)
    assert home.world.api("GET", f"/items/{home.item}", token="").status == 401
    assert home.world.api("GET", f"/items/{home.item}", token=stranger).status == 404
    assert home.world.api("GET", f"/items/{home.item}").status == 200
