"""Each error is a complete sentence in the reader's language."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from screens import error_texts
from screens.i18n import words

from readdo.do.todo_acceptance import NoSuchTodo, TooManyTasks
from readdo.errors import BadCursor, BadPayload, FieldProblem, StepFailed, VersionMismatch
from readdo.files import ObjectMissing
from readdo.integrations.webhooks.subscriptions import TooMany
from readdo.lifecycle.advance import Forbidden
from readdo.lifecycle.item import ITEM
from readdo.lifecycle.run import RUN
from readdo.lifecycle.state_machine import USER
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Busy
from readdo.read.capture import ItemDeleted
from readdo.read.exports import NoSuchCard, SetReplaced
from readdo.store import tokens
from readdo.store.idempotency import KeyReused
from readdo.transfer.imports.import_commands import NoPages
from readdo.transfer.restore.restore_requests import FileMissing, RestoreInProgress
from readdo.web import errors
from support.page_items import ITEM_BUILDERS, item_in, ready_item
from support.reader import OURS, Page, Reader
from support.world import World

BUTTONS = ("process", "retry", "regenerate", "keep", "export", "ship", "archive", "unarchive", "delete")
# Three English words in a row, a field name or an error code must not appear in Chinese text.
FOREIGN = re.compile(r"[A-Za-z]{3,} [A-Za-z]{2,} [A-Za-z]{2,}|[a-z]+_[a-z]+|\b[A-Z]{4,}")
FULL_STOPS = {"en": ".", "zh": "。"}


def assert_is_sentence(sentence: str, language: str) -> None:
    assert sentence.endswith(FULL_STOPS[language]), sentence
    if language == "zh":
        assert re.search(r"[\u4e00-\u9fff]", sentence), sentence
        assert not FOREIGN.search(sentence.replace("http://", "").replace("https://", "")), sentence
    else:
        assert not re.search(r"[a-z]+_[a-z]+|\b[A-Z]{4,}\b", sentence), sentence
        assert sentence.count(". ") or ", so " in sentence, sentence


def alert(page: Page) -> str:
    return page.words('[role="alert"]')


def errors_of_each_kind() -> Iterator[tuple[str, Exception]]:
    yield "busy", Busy("capture")
    yield "reused", KeyReused("k")
    yield "mismatch", VersionMismatch("item", "1", 2)
    yield "deleted", ItemDeleted()
    yield "gone", ObjectMissing("exports/x")
    yield "replaced", SetReplaced()
    yield "cursor", BadCursor()
    yield "no card", NoSuchCard(version=7)
    yield "payload", BadPayload({"bullets.0": FieldProblem("is too short", "minLength", 8)})
    yield "not found", errors.not_found("token")
    yield "webhooks", TooMany(limit=20)
    yield "a paused webhook", Forbidden(WEBHOOK, "send", {"status": "PAUSED", "id": "x"})
    yield "another restore", RestoreInProgress(restore="01M7RF086HGPBMRN1W7HRY1J7X")
    yield "a restore without its file", FileMissing()
    yield "no todo", NoSuchTodo(number=7, count=5)
    yield "no pages", NoPages(filename="links.txt", days=90)
    yield "tasks", TooManyTasks(limit=50)
    yield "a try that has ended", Forbidden(RUN, "succeed", {"status": "cancelled", "id": "x"})
    yield "too large", errors.ApiError(413, "TOO_LARGE", "The body is larger than 5 MB.")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("error"), [error for _, error in errors_of_each_kind()], ids=[name for name, _ in errors_of_each_kind()]
)
def test_each_error_type_has_a_sentence(error: Exception, language: str) -> None:
    assert_is_sentence(error_texts.sentence(error, words(language)), language)


def test_pages_know_every_error_of_the_api() -> None:
    assert set(errors._CONVERSIONS) - set(error_texts.TEXTS) == set()


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", ITEM.states)
def test_each_refused_move_of_an_item_has_a_sentence(status: str, language: str) -> None:
    """Includes moves without a button: an old window can still send them."""
    row = {"status": status, "versions": {"export": 0}, "version": 1, "id": "x"}
    for trigger in {row.trigger for row in ITEM.rows if USER in row.by} - {
        "capture",
        "enqueue",
        "join",
        "attach_text",
    }:
        assert_is_sentence(error_texts.sentence(Forbidden(ITEM, trigger, row), words(language)), language)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", TASK.states)
def test_each_refused_move_of_a_task_has_a_sentence(status: str, language: str) -> None:
    for reason in ({}, {"blocked_reason": "dependency"}):
        row = {"status": status, "id": "x", "version": 1, "run_id": "r", **reason}
        for trigger in {row.trigger for row in TASK.rows}:
            assert_is_sentence(error_texts.sentence(Forbidden(TASK, trigger, row), words(language)), language)


@pytest.mark.parametrize("status", sorted(ITEM_BUILDERS))
def test_late_button_gets_a_sentence(world: World, reader: Reader, status: str) -> None:
    item_id = item_in(world, status)
    refused = 0
    for name in (name for name in BUTTONS if name != "delete"):
        before = world.item(item_id)["status"]
        page = reader.ask("POST", f"/my/items/{item_id}/do/{name}", **OURS)
        if page.status == 303:
            item_id = item_in(world, status)
            continue
        refused += 1
        assert (page.status, world.item(item_id)["status"]) == (409, before)
        assert_is_sentence(alert(page), reader.language)
    assert refused


FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "why too short": ("words", {"intent_text": "x"}),
    "why too long": ("words", {"intent_text": "长" * 801}),
    "a language that is none": ("words", {"language": "klingon!"}),
    "a reader that is none": ("words", {"profile": "poet"}),
    "no words": ("words", {"title": "t" * 301}),
    "points": ("summary", {"bullets": ["one bullet that is long enough"]}),
    "an empty insight": ("summary", {"insight": ""}),
    "too few todos": ("todos", {f"title{n}": "" for n in range(1, 7)}),
    "nothing is made": ("todos", {f"type{n}": "READ" for n in range(7)}),
    "tags": ("todos", {"tags0": "a b c d e f g", "tags1": "x" * 25}),
    "a time that is none": ("todos", {"eta0": "5m"}),
    "a headline": ("card", {"headline": "short"}),
    "hashtags": ("card", {"hashtags": "a!b c$d"}),
}


@pytest.mark.parametrize("name", FORMS)
def test_invalid_form_gets_sentences(world: World, reader: Reader, name: str) -> None:
    kind, change = FORMS[name]
    item_id = ready_item(world, reader.language)
    page = reader.send(reader.item(item_id, f"?edit={kind}").form(f"/change/{kind}"), **change)
    assert page.status == 400
    sentences = [
        " ".join(element.text_content().split())
        for element in page.tree.cssselect('[role="alert"] p, [role="alert"] li')
    ]
    assert len(sentences) > 1
    for sentence in sentences:
        assert sentence.endswith(FULL_STOPS[reader.language]), sentence
        assert not re.search(r"[a-z]+_[a-z]+|\b[A-Z]{4,}\b|\.\d", sentence), sentence
        assert reader.language == "en" or not FOREIGN.search(sentence), sentence


OTHER_ERRORS: dict[str, Callable[[Reader], Page]] = {
    "a page that is none": lambda reader: reader.ask("GET", "/my/nowhere"),
    "an item that is none": lambda reader: reader.ask("GET", "/my/items/01M7RF086HGPBMRN1W7HRY1J7X"),
    "a list that is none": lambda reader: reader.ask("GET", "/my/list/everything"),
    "a place in a list that is none": lambda reader: reader.ask("GET", "/my/list/shipped?cursor=x"),
    "too many fields": lambda reader: reader.ask("POST", "/my/capture", "a=1&" * 200, **OURS),
    "another site's form": lambda reader: reader.ask("POST", "/my/capture", "source=x", origin="https://evil.example"),
    "a body that is too large": lambda reader: reader.ask("POST", "/my/capture", "a" * 5_000_001, **OURS),
    "a capture without a source": lambda reader: reader.ask("POST", "/my/capture", "intent_text=why+not", **OURS),
    "a title that is too long": lambda reader: reader.ask(
        "POST", "/my/capture", urlencode({"source": "a.b", "intent_text": "why not", "title": "t" * 301}), **OURS
    ),
    "a token without a name": lambda reader: reader.ask("POST", "/my/settings/tokens", "scopes=read", **OURS),
    "a token for ever": lambda reader: reader.ask(
        "POST", "/my/settings/tokens", "name=a&scopes=read&days=9999", **OURS
    ),
    "a token that is none": lambda reader: reader.ask("POST", "/my/settings/tokens/nobody/revoke", **OURS),
}


@pytest.mark.parametrize("name", OTHER_ERRORS)
def test_other_errors_get_a_sentence(reader: Reader, name: str) -> None:
    page = OTHER_ERRORS[name](reader)
    assert page.status in (400, 403, 404, 409, 413)
    assert_is_sentence(alert(page), reader.language)


def test_token_limit_gets_a_sentence(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "TOKENS_MAX", 1)
    page = reader.ask("POST", "/my/settings/tokens", "name=a&scopes=read", **OURS)
    assert page.status == 409
    assert_is_sentence(alert(page), reader.language)


def test_internal_error_names_the_request_id(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_step_failed(*_: object) -> None:
        raise StepFailed("AI_TIMEOUT", "secret words of ours")

    monkeypatch.setattr("screens.account.settings.tokens.list_tokens", raise_step_failed)
    page = reader.ask("GET", "/my/settings")
    assert (page.status, "secret" in page.text) == (500, False)
    assert "request-1" in alert(page)


PAYLOADS = {
    "large": (json.dumps({"text": "x" * 64_000}), {"en": "larger than 64 KB", "zh": "超过 64 KB"}),
    "deep": ("[" * 40 + "]" * 40, {"en": "32 levels", "zh": "32 层"}),
    "form": ('{"branch": 7}', {"en": "branch", "zh": "branch"}),
    "half": ('{"text": "\\ud800"}', {"en": "incomplete character", "zh": "不完整的字符"}),
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_invalid_payload_gets_a_sentence(reader: Reader, name: str) -> None:
    payload, expected = PAYLOADS[name]
    sent_payload = f'{{"in": {payload}}}' if name == "deep" else payload
    fields = {"intent": "runQA", "priority": "P2", "payload": sent_payload}
    page = reader.ask("POST", "/my/tasks", urlencode(fields), **OURS)
    assert page.status == 400
    assert expected[reader.language] in alert(page)
    assert_is_sentence(alert(page), reader.language)
