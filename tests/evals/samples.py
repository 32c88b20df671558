"""Two cases with results that pass every check, and a helper that breaks one value."""

import copy
from typing import Any

from evals.rubric import Case, Results

ENGLISH = Case(
    id="english",
    source_type="web",
    intent="decide how often to back up our small database",
    title="Backups for a team of three",
    text=(
        "Backups that nobody restores are a hope. We restore one every Sunday and it takes 20 minutes. "
        "A nightly copy costs 4 euros a month, an hourly one costs 31. "
        "Keep the copies in another account, because a stolen key deletes both sides. "
        "Most teams lose data by mistake and not by fire, so the last hour matters more than the last year."
    ),
)
CHINESE = Case(
    id="chinese",
    source_type="web",
    intent="决定小数据库多久备份一次",
    title="三个人的团队怎么做备份",
    text=(
        "没有恢复过的备份只是一种希望。我们每个周日恢复一次，用时二十分钟。"
        "每晚一份每月四元，每小时一份每月三十一元。"
        "把副本放到另一个账号，因为泄露的密钥会把两边一起删掉。"
        "大多数团队丢数据是因为手滑而不是火灾，所以最近一小时比去年更要紧。"
    ),
)


def english() -> Results:
    return _results(
        {
            "bullets": [
                "A nightly copy costs 4 euros a month, an hourly one 31.",
                "Keep copies in another account: a stolen key deletes both sides.",
                "Restore one every Sunday; it takes 20 minutes.",
            ],
            "insight": "Teams lose data by mistake and not by fire, so the last hour matters more than the last year.",
            "quote": "Backups that nobody restores are a hope.",
        },
        [
            "Answers how often to back up: nightly and hourly copies stand side by side with their price.",
            "Gives figures from a real setup: 20 minutes for a restore, 4 and 31 euros a month.",
            "Takes a minute to read, and the rule for the other account can be copied as it is.",
        ],
        [
            ("Decide between nightly and hourly copies for our database", "DECIDE"),
            ("Write the restore procedure down in ten lines", "WRITE"),
            ("Check whether our copies are in another account", "REVIEW"),
        ],
        {
            "headline": "Backups for a team of three: hourly copies, restored every Sunday",
            "action": "Decide between nightly and hourly copies for our database (30m)",
        },
    )


def chinese() -> Results:
    return _results(
        {
            "bullets": [
                "每晚一份每月四元，每小时一份每月三十一元。",
                "副本要放在另一个账号里，密钥泄露也删不掉。",
                "每个周日恢复一次，二十分钟就够。",
            ],
            "insight": "丢数据多半是手滑而不是火灾，所以最近一小时比去年更要紧。",
            "quote": "没有恢复过的备份只是一种希望。",
        },
        [
            "直接回答多久备份一次：把每晚和每小时两种做法的价格摆在一起对比。",
            "给出真实数字：恢复用时二十分钟，每月四元或三十一元。",
            "一分钟读完，另一个账号的做法可以照搬。",
        ],
        [
            ("决定每晚还是每小时做一次备份", "DECIDE"),
            ("写下恢复演练的十行步骤", "WRITE"),
            ("检查我们的副本是不是在另一个账号", "REVIEW"),
        ],
        {"headline": "三个人的备份：每小时一份，周日恢复", "action": "决定每晚还是每小时做一次备份（30 分钟）"},
    )


def _results(
    summary: dict[str, Any], reasons: list[str], tasks: list[tuple[str, str]], card: dict[str, str]
) -> Results:
    evidence = [{"quote": summary.pop("quote")}]
    content = {**card, "points": summary["bullets"], "insight": summary["insight"]}
    layout = {"brand": {"watermark": ""}, "layout": {"variant": "CARD_4x5_V1", "padding": 64}, "content": content}
    render_spec = {"format": "HTML_V1", "width": 1080, "height": 1350, "theme": "LIGHT", "payload": layout}
    results = Results(
        summary={**summary, "evidence": evidence},
        score={
            "match_score": 82.0,
            "priority": "READ_NEXT",
            "reasons": reasons,
            "confidence": 0.8,
            "signals": {"intent_match": 90, "content_signal": 80, "novelty": 70, "effort_fit": 80},
            "evidence": [{**evidence[0], "supports": "reason#1"}],
        },
        todos={
            "todos": [
                {"title": title, "type": kind, "eta": "30m", "why": "", "priority": "P1", "tags": []}
                for title, kind in tasks
            ]
        },
        card={**content, "hashtags": [], "caption": "", "render_spec": render_spec, "evidence": evidence},
    )
    return copy.deepcopy(results)


def set_in(results: Results, place: str, value: Any) -> Results:
    """Return the results with one value replaced. `place` is a path such as `score.reasons.0`."""
    results = copy.deepcopy(results)
    kind, *names = place.split(".")
    keys: list[Any] = [int(name) if name.isdigit() else name for name in names]
    target: Any = getattr(results, kind)
    for key in keys[:-1]:
        target = target[key]
    target[keys[-1]] = value
    # The render spec must match the card, otherwise the check of the card fails for every change.
    rendered = results.card["render_spec"]["payload"]["content"]
    if kind == "card" and names[0] in rendered:
        rendered[names[0]] = results.card[names[0]]
    return results
