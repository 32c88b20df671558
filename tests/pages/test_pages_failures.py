"""Why something failed, in Chinese too: every sentence that a step can say."""

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
NAMES = {
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


def sayings() -> Iterator[str]:
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


@pytest.mark.parametrize("said", sorted(set(sayings())))
def test_what_a_step_says_is_said_in_chinese(said: str) -> None:
    told = failures.failure_text({"message": said, "error_code": "NONE"}, words("zh"))
    assert set(ENGLISH.findall(told.replace("example.com", ""))) <= NAMES, told
    assert told.endswith("。"), told
    assert failures.failure_text({"message": said, "error_code": "NONE"}, words("en")) == said


@pytest.mark.parametrize("code", sorted(RETRYABLE))
def test_what_nobody_has_said_in_chinese_is_told_by_its_code_as_a_whole(code: str) -> None:
    told = failures.failure_text({"message": "Something new, {never} heard (before).", "error_code": code}, words("zh"))
    assert told.count("。") >= 2, told
    assert not ENGLISH.findall(told)


@pytest.mark.parametrize("said", ["", "{site}", "((((", "a" * 300, "<b>{0}</b> answered 404: it has no such page"])
def test_words_of_anybodys_making_do_no_harm(said: str) -> None:
    assert failures.failure_text({"message": said, "error_code": "NONE"}, words("zh")) in (
        said,
        failures.in_chinese(said),
    )


def test_the_item_shows_it(shared: World, reader: Reader) -> None:
    item_id = item_in(shared, "FAILED_EXTRACTION")
    shown = reader.item(item_id).words(".failure strong")
    assert shown.startswith(
        {"en": "Only 17 characters of text were found", "zh": "只找到 17 个字符的文字"}[reader.language]
    )


@pytest.mark.parametrize("words", ["word " * 99, "One line.\nAnother line."])
def test_a_workers_own_words_stay_its_own_and_ours_around_them_are_told(words: str) -> None:
    task = {"tries": {}, "timeout_seconds": 300}
    said = run_outcome.of_outcome(task, Outcome(1, run_outcome.EXECUTION, "", words, "")).message
    told = failures.in_chinese(said)
    assert told.startswith(words)
    assert "不会自动重试" in told


def test_a_product_has_one_name() -> None:
    for file in failures._FILES:
        assert "火狐" not in file.read_text(encoding="utf-8")
