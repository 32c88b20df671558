"""A token that may write and not read, such as a phone's that only saves links, is told nothing of what is stored."""

from collections.abc import Iterator
from typing import Any

import pytest
from api_calls import WRITES, Home, settled_home

from readdo.lifecycle.write import Write
from readdo.store import keys
from readdo.web.call import Call
from support.reader import OURS, Reader
from support.world import world

CANARY = "canary-4f1c"
LINK = "https://example.com/leases"
every_write = pytest.mark.parametrize("call", WRITES, ids=lambda call: call.name)


@pytest.fixture
def home() -> Iterator[Home]:
    with world() as made:
        found = settled_home(made)
        told = dict.fromkeys(("intent_text", "title", "domain", "first_reason"), CANARY)
        made.table.write(
            Write(keys.item("me", found.item), sets={**told, "tags": [CANARY], "intents": [CANARY, f"{CANARY} too"]})
        )
        made.table.write(
            Write(keys.task("me", found.task), sets={"payload": CANARY, "project": CANARY, "title": CANARY})
        )
        yield found


def words_of(answer: Any) -> str:
    return f"{answer.text} {answer.headers}"


@every_write
def test_no_write_call_tells_what_is_stored(home: Home, call: Call) -> None:
    phone = home.token_of("me", "write")
    for _ in range(2):  # the second is often refused, which has words of its own
        assert CANARY not in words_of(home.ask(call, token=phone))
    assert CANARY not in words_of(home.ask(call, token=phone, headers={"if-match": "*"}))


def test_joined_capture_answers_with_id_and_status_alone(home: Home) -> None:
    phone = home.token_of("me", "write")
    body = {"url": LINK, "intent_text": "another reason", "content": "another text"}
    answer = home.world.api("POST", "/capture", body, token=phone)
    status = home.world.item(home.item)["status"]
    assert (answer.status, answer.json) == (200, {"item": {"id": home.item, "status": status}, "joined": True})


def test_new_capture_answers_with_its_time_too(home: Home) -> None:
    phone = home.token_of("me", "write")
    body = {"url": f"{LINK}/new", "intent_text": "a reason", "process": False}
    answer = home.world.api("POST", "/capture", body, token=phone)
    assert (answer.status, set(answer.json["item"])) == (201, {"id", "status", "created_at"})


def test_moves_and_batches_answer_with_id_and_status_alone(home: Home) -> None:
    phone = home.token_of("me", "write")
    archived = home.world.api("POST", f"/items/{home.item}/archive", {}, token=phone)
    assert archived.json == {"item": {"id": home.item, "status": "ARCHIVED"}}
    batch = home.world.api("POST", "/items/batch", {"ids": [home.item], "action": "unarchive"}, token=phone)
    assert [set(one["item"]) for one in batch.json["results"]] == [{"id", "status"}]


def test_page_shows_nothing_to_a_token_that_only_writes(home: Home) -> None:
    """A form that is refused is drawn again, with what it was about."""
    phone = Reader(home.world, token=home.token_of("me", "write"))
    owner = Reader(home.world)
    assert CANARY in owner.look(f"/my/items/{home.item}").text
    forms = [form.get("action") for form in owner.look(f"/my/items/{home.item}").tree.forms if form.get("action")]
    assert len(forms) > 5
    for path in (*forms, "/my/capture", f"/my/items/{home.item}/edit/card", f"/my/tasks/{home.task}/do/done"):
        for body in ("", "title=&intent_text=", "back=/my"):
            answer = phone.ask("POST", path, body, **OURS)
            assert (answer.status, CANARY in answer.text) == (403, False), path


def test_page_of_tokens_needs_read_too(home: Home) -> None:
    tokens_only = Reader(home.world, token=home.token_of("me", "tokens"))
    assert tokens_only.ask("POST", "/my/settings/tokens", "name=x", **OURS).status == 403
    assert tokens_only.ask("GET", "/my/settings").status in (303, 403)
