"""The messages of the catalog are complete in both languages, and the page shows failures and warnings in its own."""

import json
import re
from pathlib import Path
from string import Formatter

import pytest
from screens import failures
from screens.i18n import words

from readdo import messages
from readdo.errors import RETRYABLE
from readdo.extraction import fetch
from readdo.extraction.judge.kinds import PARTIAL_KEYS, REFUSED_KEYS
from readdo.messages import message, stored_fields
from readdo.net.safe_connection import Blocked
from support.page_items import item_in
from support.reader import Reader
from support.world import World

CATALOG: dict[str, dict[str, str]] = json.loads(
    Path(messages.__file__).with_name("messages.json").read_text(encoding="utf-8")
)
ENGLISH = re.compile(r"[A-Za-z]{2,}")
NAMES = frozenset(
    re.findall(
        r"\w+",
        "Webhook PDF HTTP MB GB OCR token DailyTokens Engine extractive http https ai API READY SSM make key "
        "Read Do UTC schemas Notion NotionDatabaseId Cookie URL data blob FTP JSON OPML XML zip "
        "CSV url items artifacts jsonl Firefox "
        "Pocket Instapaper Omnivore Karakeep Linkwarden Readwise Reader Wallabag Raindrop Pinboard",
    )
)


def in_chinese(text: str) -> str:
    return failures.failure_text({"message": text, "error_code": "NONE", **stored_fields(text)}, words("zh"))


def placeholders(text: str) -> list[tuple[str, str]]:
    return sorted((name, spec or "") for _, name, spec, _ in Formatter().parse(text) if name)


def test_catalog_messages_are_complete_in_both_languages() -> None:
    odd = {}
    for key, texts in CATALOG.items():
        english, chinese = texts["en"], texts["zh"]
        text = message(key, **{name: 12_345 if spec else "1" for name, spec in placeholders(english)})
        shown = in_chinese(text)
        ends = shown.endswith("。") or not english.endswith(".") or chinese.endswith("{words}")
        if not ends or placeholders(english) != placeholders(chinese) or set(ENGLISH.findall(shown)) - NAMES:
            odd[key] = shown
        assert failures.failure_text({"message": text, "error_code": "NONE"}, words("en")) == text
    assert odd == {}


@pytest.mark.parametrize("status", (*fetch._STATUS_KEYS, 418, 503))
def test_failure_text_translates_nested_messages(status: int) -> None:
    for failed in (
        fetch._status_failure("example.com", status),
        fetch._blocked_failure(Blocked(message("link.wrong_port", host="example.com", port=22))),
    ):
        assert set(ENGLISH.findall(in_chinese(failed.message))) <= {"example", "com"}


@pytest.mark.parametrize("code", sorted(RETRYABLE))
def test_failure_without_a_message_key_is_shown_by_its_code(code: str) -> None:
    shown = failures.failure_text({"message": "Something {new} (here).", "error_code": code}, words("zh"))
    assert shown.count("。") >= 2, shown
    assert not ENGLISH.findall(shown)


@pytest.mark.parametrize("key", [*PARTIAL_KEYS.values(), "partial.video"])
def test_warning_text_recognises_a_warning_by_its_text(key: str) -> None:
    assert failures.warning_text(str(message(key)), words("zh")) == CATALOG[key]["zh"]
    assert failures.warning_text(str(message(key)), words("en")) == message(key)


def test_warning_text_recognises_a_text_that_was_cut() -> None:
    warning = str(message("partial.too_long", n=50_000))
    assert failures.warning_text(warning, words("zh")) == "只读取了前 50,000 个字符，原文更长。"


@pytest.mark.parametrize("text", ["", "{site}", "((((", "a" * 300, "<b>{0}</b> answered 404: it has no such page"])
def test_warning_text_keeps_an_unknown_warning(text: str) -> None:
    assert failures.warning_text(text, words("zh")) == text


def test_every_kind_of_refused_page_has_a_message() -> None:
    assert set(REFUSED_KEYS.values()) | set(PARTIAL_KEYS.values()) <= set(CATALOG)


def test_item_page_shows_why_extraction_failed(world: World, reader: Reader) -> None:
    item_id = item_in(world, "FAILED_EXTRACTION")
    shown = reader.item(item_id).words(".failure strong")
    assert shown.startswith({"en": "Only 17 characters of text were found", "zh": "只找到 17 个字符"}[reader.language])


@pytest.mark.parametrize("text", ["word " * 99, "One line.\nAnother line."])
def test_failure_text_keeps_a_workers_own_words(text: str) -> None:
    shown = in_chinese(message("task.not_retried", words=text))
    assert shown.endswith(text)
    assert "不会自动重试" in shown
