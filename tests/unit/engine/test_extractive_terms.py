"""Terms and tags are real words, and novelty compares a text with earlier terms."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readdo.engine.extractive import novelty, summarize, terms
from readdo.engine.extractive.chinese_words import discovered, han_words
from unit.engine.extractive_cases import CASES, CONDITIONAL, MEETINGS, RATE_LIMIT, REMOTE, Case
from unit.engine.extractive_run import run, run_with_fallback
from unit.engine.reported_texts import LEASE, LEASE_ZH, LOAD_TEST, PAIRS

ALL = (*CASES, LEASE, LEASE_ZH, LOAD_TEST, *PAIRS[1])
TERM = st.text(max_size=400)


def terms_of(case: Case) -> list[str]:
    summary = summarize(intent=case.intent, text=case.text, title=case.title, profile=case.profile)
    return terms(title=case.title, summary=summary, text=case.text)


@pytest.mark.parametrize("case", ALL)
def test_terms_are_few_short_lower_case_and_from_the_text(case: Case) -> None:
    result = terms_of(case)
    source = re.sub(r"[\W_]", "", f"{case.title}{case.text}".lower())
    assert 5 <= len(result) <= 24
    assert len(set(result)) == len(result)
    assert all(0 < len(term) <= 40 and term == term.lower() == term.strip() for term in result)
    assert all(re.sub(r"[\W_]", "", term) in source for term in result)
    assert result == terms_of(case)


def test_most_relevant_terms_come_first() -> None:
    assert {"token buckets", "rate limiting"} <= set(terms_of(RATE_LIMIT)[:4])
    assert "远程办公" in "".join(terms_of(REMOTE)[:3])
    assert {"写入", "租约", "工人"} <= set(terms_of(LEASE_ZH))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(TERM, st.text(max_size=80), st.lists(TERM, max_size=3))
def test_terms_of_any_text_are_bounded(text: str, title: str, bullets: list[str]) -> None:
    result = terms(title=title, summary={"bullets": bullets}, text=text)
    assert len(result) <= 24
    assert all(0 < len(term) <= 40 for term in result)


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
def test_han_words_splits_chinese_into_words(text: str, words: set[str], fragments: set[str]) -> None:
    result = set(han_words(text, discovered(text)))
    assert words <= result
    assert not fragments & result


def test_discovered_finds_a_repeated_new_word() -> None:
    text = "膝跳法很慢。我试过膝跳法，他不信膝跳法有用，可膝跳法真的有用。"
    assert "膝跳法" in discovered(text)


@pytest.mark.parametrize("case", ALL)
def test_tags_contain_no_spaces_stop_words_or_accidental_compounds(case: Case) -> None:
    out = run(case.intent, case.text, case.title, case.profile)
    tags = [tag for task in out["todos"]["todos"] for tag in task["tags"]]
    assert all(re.fullmatch(r"[\w-]{1,24}", tag) for tag in [*tags, *out["card"]["hashtags"]])
    stops = {"仍然", "我们", "但是", "the", "with", "this"}
    assert not stops & {tag.lower() for tag in [*tags, *out["card"]["hashtags"]]}
    assert "WorkersWriting" not in out["card"]["hashtags"]


def novelty_of(case: Case, recent: list[str]) -> float:
    summary = summarize(intent=case.intent, text=case.text, title=case.title, profile=case.profile)
    return novelty(intent=case.intent, text=case.text, summary=summary, title=case.title, recent=recent)


def stored_terms(case: Case) -> str:
    return " ".join([case.title, case.intent, *terms_of(case)])


@pytest.mark.parametrize("case", CASES)
def test_near_duplicate_has_low_novelty_and_other_texts_high(case: Case) -> None:
    others = [stored_terms(other) for other in CASES if other is not case]
    assert novelty_of(case, others) >= 70
    assert novelty_of(case, [*others, stored_terms(case)]) <= 15


def test_other_text_on_the_same_intent_is_newer_than_a_duplicate() -> None:
    again = Case(MEETINGS.intent, "Reports instead of meetings", PAIRS[1][0].text, "manager")
    assert novelty_of(MEETINGS, [stored_terms(MEETINGS)]) + 30 < novelty_of(again, [stored_terms(MEETINGS)])


def test_novelty_without_earlier_texts_is_constant() -> None:
    assert novelty_of(RATE_LIMIT, []) == novelty_of(CONDITIONAL, ["", " "]) == 90.0


@settings(deadline=None, derandomize=True, max_examples=60)
@given(TERM, TERM, st.lists(TERM, max_size=4))
def test_novelty_is_between_0_and_100(intent: str, text: str, recent: list[str]) -> None:
    summary = {"bullets": [text[:100]], "insight": intent[:100]}
    assert 0 <= novelty(intent=intent, text=text, summary=summary, title="", recent=recent) <= 100


def test_score_names_the_repeated_text() -> None:
    score = run(LEASE.intent, LEASE.text, LEASE.title, recent=[stored_terms(LEASE)])["score"]
    assert score["signals"]["novelty"] <= 15
    assert any(reason.startswith("Overlaps with a recent item: “Fencing tokens") for reason in score["reasons"])
    assert run_with_fallback(LEASE.intent, LEASE.text)["score"]["signals"]["novelty"] == 90.0
