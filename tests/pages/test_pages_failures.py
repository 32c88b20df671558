"""Each failure message of a step has a Chinese translation."""

import re
from collections.abc import Iterator

import pytest
from page_items import item_in
from screens import failures
from screens.i18n import words

import fetch
import pdf
import video
from article import _too_short
from judge_kinds import PARTIAL, WORDS
from readdo.do import run_outcome
from readdo.do.task_requests import Outcome
from readdo.engine import budget
from readdo.engine.extractive import empty_text
from readdo.engine.providers.faults import FAULTS
from readdo.errors import RETRYABLE
from readdo.net.safe_connection import Blocked
from readdo.read.step_failures import understood
from support.reader import Reader
from support.world import World

ENGLISH = re.compile(r"[A-Za-z]{2,}")
ALLOWED_NAMES = {
    "example.com",
    "gpt",
    "PDF",
    "HTTP",
    "MB",
    "token",
    "DailyTokens",
    "Engine",
    "extractive",
    "http",
    "https",
    "ai",
    "API",
}


def step_messages() -> Iterator[str]:
    yield from WORDS.values()
    yield from PARTIAL.values()
    yield from pdf._WRONG.values()
    yield video.GONE
    yield from (fault.words.format(who="gpt") for fault in FAULTS.values())
    yield from (fetch._refused("example.com", status).message for status in (*fetch._SAID, 418, 503))
    yield from (_too_short(text) for text in ("", "Too short."))
    yield from (budget._OFF, budget._too_large(90_000, 10_000), budget._spent(9_999, 10_000))
    yield from (empty_text._NOTHING.format(why) for why in ("it holds hardly a letter", "it holds no sentence"))
    yield fetch._NO_SITE.format(site="example.com")
    yield fetch._blocked(Blocked("This link carries a user name or a password")).message
    yield fetch._blocked(Blocked("example.com is not an address on the public web")).message
    yield understood({"Error": "States.Timeout"}, "summarize").message
    yield understood({"Error": "Lambda.Unknown"}, "extract").message


@pytest.mark.parametrize("message", sorted(set(step_messages())))
def test_step_message_has_a_chinese_translation(message: str) -> None:
    translation = failures.failure_text({"message": message, "error_code": "NONE"}, words("zh"))
    assert set(ENGLISH.findall(translation.replace("example.com", ""))) <= ALLOWED_NAMES, translation
    assert translation.endswith("。"), translation
    assert failures.failure_text({"message": message, "error_code": "NONE"}, words("en")) == message


@pytest.mark.parametrize("code", sorted(RETRYABLE))
def test_untranslated_message_falls_back_to_its_code(code: str) -> None:
    translation = failures.failure_text(
        {"message": "Something new, {never} heard (before).", "error_code": code}, words("zh")
    )
    assert translation.count("。") >= 2, translation
    assert not ENGLISH.findall(translation)


@pytest.mark.parametrize("message", ["", "{site}", "((((", "a" * 300, "<b>{0}</b> answered 404: it has no such page"])
def test_arbitrary_message_is_shown_unchanged(message: str) -> None:
    assert failures.failure_text({"message": message, "error_code": "NONE"}, words("zh")) in (
        message,
        failures.in_chinese(message),
    )


def test_item_page_shows_its_failure(world: World, reader: Reader) -> None:
    item_id = item_in(world, "FAILED_EXTRACTION")
    text = reader.item(item_id).words(".failure strong")
    assert text.startswith(
        {"en": "Only 17 characters of text were found", "zh": "只找到 17 个字符的文字"}[reader.language]
    )


@pytest.mark.parametrize("words", ["word " * 99, "One line.\nAnother line."])
def test_worker_message_is_kept_and_its_frame_is_translated(words: str) -> None:
    task = {"tries": {}, "timeout_seconds": 300}
    message = run_outcome.of_outcome(task, Outcome(1, run_outcome.EXECUTION, "", words, "")).message
    translation = failures.in_chinese(message)
    assert translation.startswith(words)
    assert "不会自动重试" in translation


def test_translations_use_one_name_per_product() -> None:
    for file in failures._FILES:
        assert "火狐" not in file.read_text(encoding="utf-8")
