"""Which tasks are proposed, a row each: for whom, what kind, how long, how they are worded, and why."""

from typing import Literal, NamedTuple

Need = Literal["", "advice", "figure", "tradeoff", "risk", "cost"]


class Plan(NamedTuple):
    type: str
    eta: str
    need: Need
    """The kind of bullet that the task takes up; without one the task is not proposed."""
    en: str
    en_more: str
    en_why: str
    zh: str
    zh_more: str
    zh_why: str


_DECIDE = Plan(
    "DECIDE", "20m", "tradeoff",
    "Decide how to weigh this trade-off", ": “{lead}”", "Both sides have their price: without a decision you pay both.",
    "决定如何取舍", "：「{lead}」", "两边各有代价，不做决定就两边都要付。",
)  # fmt: skip
_VERIFY = Plan(
    "RESEARCH", "20m", "figure",
    "Verify with a second source", ": “{lead}”", "A figure that you pass on should have more than one source.",
    "查证这个数字的出处", "：「{lead}」", "要转述的数字，最好有第二个来源。",
)  # fmt: skip
_READ = Plan(
    "READ", "20m", "",
    "Read the original with this in mind: {intent}", ", and mark what supports “{lead}”",
    "Three points leave out how the writer got there.",
    "阅读原文，带着这个问题：{intent}", "，标出「{lead}」的依据", "三个要点没有写出作者是怎么得到它们的。",
)  # fmt: skip

PLANS: dict[str, tuple[Plan, ...]] = {
    "engineer": (
        Plan("BUILD", "1h", "",
             "Build a small experiment for {intent}", ", starting from “{lead}”",
             "A small trial shows whether it holds for you before it costs much.",
             "试做一个最小示例：{intent}", "，从「{lead}」入手", "先小范围试一次，才知道在自己这里成不成立。"),
        Plan("WRITE", "30m", "",
             "Write half a page on what helps with {intent}", ", with {aspects}",
             "Your own words show what you have not yet understood.",
             "写半页笔记，对照{intent}", "，写清{aspects}", "用自己的话写一遍，才看得出哪里还没想清楚。"),
        Plan("REVIEW", "30m", "advice",
             "Check your own setup against this advice", ": “{lead}”", "What you do differently is the gap to close.",
             "检查自己的做法是否符合", "「{lead}」", "和自己的做法不同的地方，就是要补的差距。"),
        _DECIDE,
        _VERIFY,
        Plan("SHARE", "10m", "",
             "Share the three points with your team", ", led by “{lead}”",
             "Others can use them without reading the whole text.",
             "分享这三个要点给同事", "，以「{lead}」开头", "同事不必读完全文就能用上。"),
        _READ,
    ),
    "creator": (
        Plan("WRITE", "1h", "",
             "Draft a post", " that opens with “{lead}”", "A first draft shows whether there is a story in it.",
             "写一篇短文分享给读者", "，用「{lead}」开头", "写出初稿，才知道它撑不撑得起一篇文章。"),
        Plan("WRITE", "20m", "",
             "Write three headlines for it", ", one of them from “{lead}”",
             "The headline decides whether anybody reads the rest.",
             "写出三个可以选用的标题", "，其中一个取自「{lead}」", "标题决定别人会不会往下读。"),
        _DECIDE,
        _VERIFY,
        Plan("SHARE", "10m", "",
             "Share the card with your readers", " and ask whether “{lead}” is true for them",
             "Their answers are the material for the next piece.",
             "分享这张卡片给读者", "，问他们是否认同「{lead}」", "读者的回答就是下一篇的素材。"),
        _READ,
    ),
    "manager": (
        Plan("DECIDE", "30m", "",
             "Decide the next step for {intent}", ", given “{lead}”", "As long as nobody decides, nothing changes.",
             "决定下一步做什么：{intent}", "，依据是「{lead}」", "没有人拍板，事情就不会变。"),
        Plan("WRITE", "45m", "",
             "Write a one-page memo for {intent}", ", with {aspects}",
             "Those who decide with you need the grounds in writing.",
             "写一页备忘录：{intent}", "，写清{aspects}", "一起做决定的人需要看到依据。"),
        Plan("REVIEW", "30m", "cost",
             "Compare this with your own budget", ": “{lead}”", "Their sums may not be yours.",
             "对比自己的预算与", "「{lead}」", "别人的账不一定是你的账。"),
        Plan("REVIEW", "20m", "risk",
             "List who is exposed to this risk", ": “{lead}”", "A risk without an owner is noticed when it happens.",
             "列出谁会受这个风险影响", "：「{lead}」", "没有人负责的风险，出事时才会被发现。"),
        _VERIFY,
        Plan("SHARE", "10m", "",
             "Share the three points with those who decide", ", led by “{lead}”",
             "They can use them without reading the whole text.",
             "分享这三个要点给决策者", "，以「{lead}」开头", "他们不必读完全文就能用上。"),
        _READ,
    ),
}  # fmt: skip

# For a text that does not serve the intent, the useful tasks are about the intent.
SKIPPED: tuple[Plan, ...] = (
    Plan("WRITE", "10m", "",
         "Write down the one question that a better source must answer for {intent}", "",
         "Knowing what is missing makes the next search short.",
         "写下{intent}还缺哪一个答案", "", "知道缺什么，下一次找起来才快。"),
    Plan("RESEARCH", "30m", "",
         "Find a better source for {intent}", "", "", "查找一篇更合适的资料：{intent}", "", ""),
    Plan("DECIDE", "10m", "",
         "Decide whether to archive this save", " or to keep it for “{lead}”",
         "What is not needed need not wait in the list.",
         "决定是否归档这条收藏", "，还是为「{lead}」留下它", "用不上的，不必留在清单里。"),
)  # fmt: skip

ASPECTS: tuple[tuple[Need, str, str], ...] = (
    ("advice", "the steps", "做法"),
    ("figure", "the figures", "数字"),
    ("cost", "the costs", "成本"),
    ("risk", "the risks", "风险"),
    ("tradeoff", "the trade-off", "取舍"),
)
