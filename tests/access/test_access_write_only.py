"""A token that may only write, such as a phone's, gets no stored data in any response."""

from collections.abc import Iterator
from typing import Any

import pytest

from access.api_calls import WRITE_CALLS, Account, prepare_account
from readdo.do import task_rows
from readdo.lifecycle.write import Write
from readdo.read import item_keys
from readdo.web.call_spec import Call
from support.reader import OURS, Reader
from support.world import world

CANARY = "canary-4f1c"
LINK = "https://example.com/leases"
every_write = pytest.mark.parametrize("call", WRITE_CALLS, ids=lambda call: call.name)


@pytest.fixture
def account() -> Iterator[Account]:
    with world() as prepared:
        prepared_account = prepare_account(prepared)
        texts = dict.fromkeys(("intent_text", "title", "domain", "first_reason"), CANARY)
        prepared.table.write(
            Write(
                item_keys.item("me", prepared_account.item),
                sets={**texts, "tags": [CANARY], "intents": [CANARY, f"{CANARY} too"]},
            )
        )
        prepared.table.write(
            Write(
                task_rows.task_key("me", prepared_account.task),
                sets={"payload": CANARY, "project": CANARY, "title": CANARY},
            )
        )
        yield prepared_account


def text_and_headers(answer: Any) -> str:
    return f"{answer.text} {answer.headers}"


@every_write
def test_write_only_token_gets_no_stored_data(account: Account, call: Call) -> None:
    phone = account.token_of("me", "write")
    for _ in range(2):  # the second call is often refused, with another message
        assert CANARY not in text_and_headers(account.send(call, token=phone))
    assert CANARY not in text_and_headers(account.send(call, token=phone, headers={"if-match": "*"}))


def test_joined_capture_returns_only_id_and_status(account: Account) -> None:
    phone = account.token_of("me", "write")
    body = {"url": LINK, "intent_text": "another reason", "content": "another text"}
    answer = account.world.api("POST", "/capture", body, token=phone)
    status = account.world.item(account.item)["status"]
    assert (answer.status, answer.json) == (200, {"item": {"id": account.item, "status": status}, "joined": True})


def test_new_capture_returns_id_status_and_time(account: Account) -> None:
    phone = account.token_of("me", "write")
    body = {"url": f"{LINK}/new", "intent_text": "a reason", "process": False}
    answer = account.world.api("POST", "/capture", body, token=phone)
    assert (answer.status, set(answer.json["item"])) == (201, {"id", "status", "created_at"})


def test_moves_and_batches_return_only_id_and_status(account: Account) -> None:
    phone = account.token_of("me", "write")
    archived = account.world.api("POST", f"/items/{account.item}/archive", {}, token=phone)
    assert archived.json == {"item": {"id": account.item, "status": "ARCHIVED"}}
    batch = account.world.api("POST", "/items/batch", {"ids": [account.item], "action": "unarchive"}, token=phone)
    assert [set(one["item"]) for one in batch.json["results"]] == [{"id", "status"}]


def test_pages_show_nothing_to_a_write_only_token(account: Account) -> None:
    """A rejected form is rendered again, with the item's data."""
    phone = Reader(account.world, token=account.token_of("me", "write"))
    owner = Reader(account.world)
    assert CANARY in owner.look(f"/my/items/{account.item}").text
    forms = [form.get("action") for form in owner.look(f"/my/items/{account.item}").tree.forms if form.get("action")]
    assert len(forms) > 5
    for path in (*forms, "/my/capture", f"/my/items/{account.item}/edit/card", f"/my/tasks/{account.task}/do/done"):
        for body in ("", "title=&intent_text=", "back=/my"):
            answer = phone.ask("POST", path, body, **OURS)
            assert (answer.status, CANARY in answer.text) == (403, False), path


def test_page_of_tokens_needs_read_too(account: Account) -> None:
    tokens_only = Reader(account.world, token=account.token_of("me", "tokens"))
    assert tokens_only.ask("POST", "/my/settings/tokens", "name=x", **OURS).status == 403
    assert tokens_only.ask("GET", "/my/settings").status in (303, 403)
