"""Readable output: the topic of the intent, relevant terms, important figures, specific headlines."""

import pytest

from readdo.engine.extractive.clauses import against, gains
from readdo.engine.extractive.keyterms import compounds, grounded
from readdo.engine.extractive.language import Language, figures
from readdo.engine.extractive.topic import question, thing, topic
from unit.engine.extractive_cases import Case
from unit.engine.extractive_run import check, run

WEEK = Case(
    "decide whether we should move to a four-day week",
    "What the four-day week trial found",
    "Sixty-one companies in the UK tried a four-day week for six months. Revenue rose 1.4% on average and resignations "
    "fell by 57%. Fifty-six of the companies kept the policy. Two thirds of staff reported less burnout. But firms "
    "with shift work struggled: a fish and chip shop in Norfolk had to hire two people. Critics say the companies "
    "chose themselves and the effect may fade. Meetings were cut in half, and most managers said that this, not the "
    "day off, made the difference.",
)
WEEK_ZH = Case(
    "决定团队是否改成四天工作制",
    "四天工作制试点结果",
    "英国六十一家公司试行了半年四天工作制。平均营收增长1.4%，离职减少57%。其中五十六家决定继续。三分之二的员工说倦怠减轻了。"
    "但轮班的企业遇到困难：诺福克一家炸鱼店不得不多雇两个人。批评者说，这些公司是自愿参加的，效果可能会消退。",
)
BACKUPS = Case(
    "set up nightly backups of our postgres database",
    "Backups that work",
    "Backups fail silently. 1. Install pgbackrest on the database host. 2. Create a bucket with versioning. 3. Add a "
    "cron entry that runs at 02:00. It takes about ten minutes for 50 GB. Test the restore every month, because an "
    "untested backup is only a hope. We lost two days of orders in 2021 for want of this.",
)


@pytest.mark.parametrize(
    ("intent", "language", "about"),
    [
        ("decide whether we should move to a four-day week", "en", "whether to move to a four-day week"),
        ("set up nightly backups of our database", "en", "setting up nightly backups of our database"),
        ("learn how to retry requests safely", "en", "how to retry requests safely"),
        ("learn to keep my knives sharp", "en", "how to keep my knives sharp"),
        ("check if the release fixes uploads", "en", "whether the release fixes uploads"),
        ("I want my team to have fewer meetings", "en", "fewer meetings"),
        ("why caches fail", "en", "why caches fail"),
        ("{lead} of it", "en", "what it says"),
        ("给团队分享如何缩短应用启动时间", "zh", "如何缩短应用启动时间"),
        ("监控告警太多，想减少噪音", "zh", "减少噪音"),
        ("写一篇关于早睡的公众号文章", "zh", "早睡"),
        ("在三款笔记软件里选一款给全组用", "zh", "三款笔记软件"),
        ("我们的值班和告警应该怎么改", "zh", "我们的值班和告警应该怎么改"),
    ],
)
def test_topic_of_an_intent(intent: str, language: Language, about: str) -> None:
    assert topic(intent, language) == about


def test_question_and_thing_of_an_intent() -> None:
    assert question("Should we adopt Rust?", "en") == "whether to adopt Rust"
    assert question("在三款笔记软件里选一款", "zh") == "在三款笔记软件里选哪一个"
    assert question("set up backups", "en") == ""
    assert thing("how to cut costs", "en") == "cutting costs"
    assert thing("whether to move", "en") == ""


@pytest.mark.parametrize(
    ("text", "count"),
    [("Sixty-one firms, fifty-six stayed", 2), ("two thirds of staff", 1), ("cut in half", 1), ("a four-day week", 0)],
)
def test_figures_counts_numbers_in_words(text: str, count: int) -> None:
    assert figures(text) == count


def test_grounded_ignores_incidental_words() -> None:
    lines = ["An untested backup is only a hope.", "The backup of PostgreSQL goes to a bucket."]
    assert grounded(["hope", "bucket", "backup", "PostgreSQL", "Sixty-one"], "", "", lines) == ["backup", "PostgreSQL"]
    assert grounded(["积电"], "台积电推迟投产", "", ["台积电周四表示"]) == ["台积电"]
    assert compounds("move to a four-day week", "A four-day week was tried") == ["four-day week"]


def test_gains_and_objections_are_found() -> None:
    assert gains(["Revenue rose 1.4% and resignations fell by 57%."])[-1] == "resignations fell by 57%"
    assert gains(["出口20.2万辆，增长近一倍。"]) == []
    assert against(["But firms with shift work struggled: one had to hire."], 70) == "firms with shift work struggled"
    assert against(["All went well."], 70) == ""


@pytest.mark.parametrize(
    ("case", "headline", "first"),
    [
        (WEEK, "Four-day week trial: resignations fell by 57%", "Decide whether to move to a four-day week: "),
        (WEEK_ZH, "四天工作制试点结果：离职减少57%", "决定团队是否改成四天工作制：离职减少57%，但轮班的企业遇到困难"),
        (BACKUPS, "Backups that work: install pgbackrest on the database host", "Install pgbackrest on the database"),
    ],
)
def test_card_and_tasks_read_naturally(case: Case, headline: str, first: str) -> None:
    out = run(case.intent, case.text, case.title)
    check(out, case.text)
    assert out["card"]["headline"] == headline
    assert out["score"]["priority"] == "WORTH_IT"
    titles = [task["title"] for task in out["todos"]["todos"]]
    assert titles[0].startswith(first)
    assert not any(f"“{case.intent}" in title or f"「{case.intent}" in title for title in titles)
    assert not {"hope", "orders", "firms", "sixty-one"} & {tag for t in out["todos"]["todos"] for tag in t["tags"]}


def test_points_for_a_decision_include_results() -> None:
    summary = run(WEEK.intent, WEEK.text, WEEK.title)["summary"]
    assert any("57%" in line for line in summary["bullets"])
    assert summary["insight"].startswith("Firms with shift work struggled")


def test_hyphenated_name_is_one_term() -> None:
    reasons = run(WEEK.intent, WEEK.text, WEEK.title)["score"]["reasons"]
    assert "“four-day week”" in reasons[0]
    assert "6 figures" in reasons[1]
