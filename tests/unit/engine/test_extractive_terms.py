"""Words that are words: tags, the terms that are kept on an item, and how new a text is beside them."""

import re

import pytest
from extractive_cases import CASES, CONDITIONAL, MEETINGS, RATE_LIMIT, REMOTE, Case
from extractive_run import run, whatever
from hypothesis import given, settings
from hypothesis import strategies as st
from reported_texts import LEASE, LEASE_ZH, LOAD_TEST, PAIRS

from readdo.engine.extractive import novelty, summarize, terms
from readdo.engine.extractive.han import han_words
from readdo.engine.extractive.newwords import discovered

ALL = (*CASES, LEASE, LEASE_ZH, LOAD_TEST, *PAIRS[1])
TERM = st.text(max_size=400)


def terms_of(case: Case) -> list[str]:
    summary = summarize(intent=case.intent, text=case.text, title=case.title, profile=case.profile)
    return terms(title=case.title, summary=summary, text=case.text)


@pytest.mark.parametrize("case", ALL)
def test_terms_are_few_short_lower_cased_and_of_the_text(case: Case) -> None:
    found = terms_of(case)
    source = re.sub(r"[\W_]", "", f"{case.title}{case.text}".lower())
    assert 5 <= len(found) <= 24
    assert len(set(found)) == len(found)
    assert all(0 < len(term) <= 40 and term == term.lower() == term.strip() for term in found)
    assert all(re.sub(r"[\W_]", "", term) in source for term in found)
    assert found == terms_of(case)


def test_the_most_telling_terms_come_first() -> None:
    assert {"token buckets", "rate limiting"} <= set(terms_of(RATE_LIMIT)[:4])
    assert "远程办公" in "".join(terms_of(REMOTE)[:3])
    assert {"写入", "租约", "工人"} <= set(terms_of(LEASE_ZH))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(TERM, st.text(max_size=80), st.lists(TERM, max_size=3))
def test_any_text_has_terms_or_none(text: str, title: str, bullets: list[str]) -> None:
    found = terms(title=title, summary={"bullets": bullets}, text=text)
    assert len(found) <= 24
    assert all(0 < len(term) <= 40 for term in found)


@pytest.mark.parametrize(
    ("text", "words", "fragments"),
    [
        ("一个要点是租约，另一个要点是编号。", {"租约", "编号", "要点"}, {"个要", "要点是"}),
        (
            "欧洲仍然是新能源汽车最大的市场，新能源汽车的关税仍然很高。",
            {"新能源汽车", "关税", "市场"},
            {"仍然", "源汽"},
        ),
        ("年轻人来了，那个年轻人笑了，年轻人走了。", {"年轻人"}, {"轻人"}),
    ],
)
def test_chinese_words_are_cut_where_a_reader_would(text: str, words: set[str], fragments: set[str]) -> None:
    found = set(han_words(text, discovered(text)))
    assert words <= found
    assert not fragments & found


def test_a_word_that_the_text_makes_its_own_is_found() -> None:
    text = "膝跳法很慢。我试过膝跳法，他不信膝跳法有用，可膝跳法真的有用。"
    assert "膝跳法" in discovered(text)


@pytest.mark.parametrize("case", ALL)
def test_tags_hold_no_space_no_stop_word_and_no_two_words_glued_by_chance(case: Case) -> None:
    out = run(case.intent, case.text, case.title, case.profile)
    tags = [tag for task in out["todos"]["todos"] for tag in task["tags"]]
    assert all(re.fullmatch(r"[\w-]{1,24}", tag) for tag in [*tags, *out["card"]["hashtags"]])
    stops = {"仍然", "我们", "但是", "the", "with", "this"}
    assert not stops & {tag.lower() for tag in [*tags, *out["card"]["hashtags"]]}
    assert "WorkersWriting" not in out["card"]["hashtags"]


def new(case: Case, recent: list[str]) -> float:
    summary = summarize(intent=case.intent, text=case.text, title=case.title, profile=case.profile)
    return novelty(intent=case.intent, text=case.text, summary=summary, title=case.title, recent=recent)


def kept(case: Case) -> str:
    return " ".join([case.title, case.intent, *terms_of(case)])


@pytest.mark.parametrize("case", CASES)
def test_a_near_repeat_is_not_new_and_anything_else_is(case: Case) -> None:
    others = [kept(other) for other in CASES if other is not case]
    assert new(case, others) >= 70
    assert new(case, [*others, kept(case)]) <= 15


def test_another_text_on_the_same_intent_is_newer_than_the_same_text_again() -> None:
    again = Case(MEETINGS.intent, "Reports instead of meetings", PAIRS[1][0].text, "manager")
    assert new(MEETINGS, [kept(MEETINGS)]) + 30 < new(again, [kept(MEETINGS)])


def test_novelty_of_nothing_to_compare_to_is_the_same_for_all() -> None:
    assert new(RATE_LIMIT, []) == new(CONDITIONAL, ["", " "]) == 90.0


@settings(deadline=None, derandomize=True, max_examples=60)
@given(TERM, TERM, st.lists(TERM, max_size=4))
def test_novelty_is_always_a_number_of_its_scale(intent: str, text: str, recent: list[str]) -> None:
    summary = {"bullets": [text[:100]], "insight": intent[:100]}
    assert 0 <= novelty(intent=intent, text=text, summary=summary, title="", recent=recent) <= 100


def test_the_score_tells_a_repeat_by_its_name() -> None:
    score = run(LEASE.intent, LEASE.text, LEASE.title, recent=[kept(LEASE)])["score"]
    assert score["signals"]["novelty"] <= 15
    assert any(reason.startswith("Overlaps with what you saved lately: “Fencing tokens") for reason in score["reasons"])
    assert whatever(LEASE.intent, LEASE.text)["score"]["signals"]["novelty"] == 90.0
