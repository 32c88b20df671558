"""Which tasks are proposed, a row each: for whom, what kind, how long, and how they are worded."""

from typing import Literal, NamedTuple

Need = Literal["", "howto", "number", "contrast", "risk", "cost"]


class Plan(NamedTuple):
    type: str
    eta: str
    need: Need
    """The kind of bullet that the task takes up; without one the task is not proposed."""
    en: str
    en_more: str
    zh: str
    zh_more: str


_DECIDE = Plan(
    "DECIDE", "20m", "contrast", "Decide how to weigh this trade-off on {topic}", ": “{lead}”",
    "决定「{topic}」如何取舍", "：「{lead}」",
)  # fmt: skip
_VERIFY = Plan(
    "RESEARCH", "20m", "number", "Verify with a second source", ": “{lead}”", "查证这个数字的出处", "：「{lead}」"
)
_READ = Plan(
    "READ", "20m", "", "Read the passages on {topic} in full", ", and mark where “{lead}” is argued",
    "阅读原文中关于「{topic}」的段落", "，标出「{lead}」的依据",
)  # fmt: skip

PLANS: dict[str, tuple[Plan, ...]] = {
    "engineer": (
        Plan("BUILD", "1h", "", "Build a small experiment on {topic}", ", starting from “{lead}”",
             "试做一个最小示例：{topic}", "，从「{lead}」入手"),
        Plan("WRITE", "30m", "", "Write half a page on {topic} in your own words", ", with {aspects}",
             "写半页笔记，讲清「{topic}」", "，带上{aspects}"),
        Plan("REVIEW", "30m", "howto", "Check your own setup against this advice", ": “{lead}”",
             "检查自己的做法是否符合", "「{lead}」"),
        _DECIDE,
        _VERIFY,
        Plan("SHARE", "10m", "", "Share three points on {topic} with your team", ", led by “{lead}”",
             "分享「{topic}」的三个要点给同事", "，以「{lead}」开头"),
        _READ,
    ),
    "creator": (
        Plan("WRITE", "1h", "", "Draft a post on {topic}", " that opens with “{lead}”",
             "写一篇关于「{topic}」的短文", "，用「{lead}」开头"),
        Plan("WRITE", "20m", "", "Write three headlines for {topic}", ", one of them from “{lead}”",
             "列出三个关于「{topic}」的标题", "，其中一个取自「{lead}」"),
        _DECIDE,
        _VERIFY,
        Plan("SHARE", "10m", "", "Share the card on {topic}", " and ask readers whether “{lead}” is true for them",
             "分享「{topic}」的卡片", "，问读者是否认同「{lead}」"),
        _READ,
    ),
    "manager": (
        Plan("DECIDE", "30m", "", "Decide the next step on {topic}", ", given “{lead}”",
             "决定「{topic}」的下一步", "，依据是「{lead}」"),
        Plan("WRITE", "45m", "", "Write a one-page memo on {topic}", ", with {aspects}",
             "写一页备忘录，说明「{topic}」", "，包括{aspects}"),
        Plan("REVIEW", "30m", "cost", "Compare this with your own budget", ": “{lead}”",
             "对比自己的预算与", "「{lead}」"),
        Plan("REVIEW", "20m", "risk", "List who is exposed to this risk", ": “{lead}”",
             "列出谁会受这个风险影响", "：「{lead}」"),
        _VERIFY,
        Plan("SHARE", "10m", "", "Share three points on {topic} with those who decide", ", led by “{lead}”",
             "分享「{topic}」的三个要点给决策者", "，以「{lead}」开头"),
        _READ,
    ),
}  # fmt: skip

# For a text that does not serve the intent, the useful tasks are about the intent.
SKIPPED: tuple[Plan, ...] = (
    Plan("WRITE", "10m", "", "Write down the one question on {topic} that a better source must answer", "",
         "写下关于「{topic}」最想弄清的一个问题", ""),
    Plan("RESEARCH", "30m", "", "Find a better source on {topic}", "",
         "查找一篇真正讨论「{topic}」的资料", ""),
    Plan("DECIDE", "10m", "", "Decide whether to archive this save on {topic}", " or to keep it for “{lead}”",
         "决定是否归档这条关于「{topic}」的收藏", "，还是为「{lead}」留下它"),
)  # fmt: skip

ASPECTS: tuple[tuple[Need, str, str], ...] = (
    ("howto", "the steps", "做法"),
    ("number", "the figures", "数字"),
    ("cost", "the costs", "成本"),
    ("risk", "the risks", "风险"),
    ("contrast", "the trade-off", "取舍"),
)
