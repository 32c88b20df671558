"""Table of possible tasks: type, duration, wordings and reason.

The first wording is used whose placeholders have a value. {lead} is a complete claim of the text, {pro} a change in
figures, {con} a counterargument. {topic} is the topic of the intent, {thing} the topic if it is no question, {either}
two alternatives, {ask} the question to decide. A row is omitted if no sentence meets its `need`.
"""

from typing import Literal, NamedTuple

from .purpose import Purpose

Need = Literal["", "advice", "figure", "tradeoff", "risk", "cost"]
READING = ""
"""An eta computed from the length of the text."""


class Plan(NamedTuple):
    type: str
    eta: str
    need: Need
    en: tuple[str, ...]
    en_why: str
    zh: tuple[str, ...]
    zh_why: str


_DECIDE = Plan(
    "DECIDE", "20m", "tradeoff",
    ("Decide how to weigh this trade-off: “{lead}”",),
    "Both sides have costs. A decision avoids paying both.",
    ("决定如何取舍：「{lead}」",), "两边各有代价，不做决定就两边都要付。",
)  # fmt: skip
HOLDS = Plan(
    "DECIDE", "10m", "",
    ("Decide whether this holds for you: “{lead}”", "Decide which of the three points to act on first"),
    "You can skip what does not apply to you.",
    ("决定这一点对自己是否成立：「{lead}」", "决定三个要点里先照哪一点做"),
    "在自己这里不成立的，就不必去试。",
)  # fmt: skip
_VERIFY = Plan(
    "RESEARCH", "20m", "figure",
    ("Verify with a second source: “{lead}”",),
    "Figures that you share should have a second source.",
    ("查证这个数字的出处：「{lead}」",), "要转述的数字，最好有第二个来源。",
)  # fmt: skip
_READ = Plan(
    "READ", READING, "",
    ("Read the original on {topic}, and mark what the three points leave out",),
    "The three points leave out the author's reasoning.",
    ("阅读原文中关于{topic}的部分，标出三个要点没有写到的",),
    "三个要点没有写出作者是怎么得到它们的。",
)  # fmt: skip
_TRY = Plan(
    "BUILD", "1h", "",
    ("Make a small first try at {thing}, and note what goes wrong", "Make a small trial of this: “{lead}”",
     "Make a small trial of the first of the three points"),
    "A small trial shows at low cost whether it works for you.",
    ("试做一次最小规模的尝试：{thing}，记下哪里不顺", "试做一次：「{lead}」", "试做三个要点里的第一点"),
    "先小范围试一次，才知道在自己这里成不成立。",
)  # fmt: skip
LISTS = Plan(
    "WRITE", "20m", "",
    ("Write a checklist for {thing} that begins with “{lead}”", "Write a checklist for {thing}",
     "Write a checklist on {topic}"),
    "A checklist helps you not to forget a step.",
    ("写一张{thing}的核对清单，第一条是「{lead}」", "写一张{thing}的核对清单", "写一张关于{topic}的核对清单"),
    "写在清单上，做的时候才不会漏。",
)  # fmt: skip
_NOTES = Plan(
    "WRITE", "30m", "",
    ("Write half a page on {topic} in your own words, with {aspects}",),
    "Writing it in your own words shows what is still unclear.",
    ("写半页笔记，用自己的话讲清{topic}，带上{aspects}",),
    "用自己的话写一遍，才看得出哪里还没想清楚。",
)  # fmt: skip
_SHARE = Plan(
    "SHARE", "10m", "",
    ("Share this with your team: “{lead}”", "Share the three points on {topic} with your team"),
    "Others can use it without reading the whole text.",
    ("分享这一点给同事：「{lead}」", "分享关于{topic}的三个要点给同事"),
    "同事不必读完全文就能用上。",
)  # fmt: skip
_CHECK = Plan(
    "REVIEW", "30m", "advice",
    ("Check your own setup against this advice: “{lead}”",), "The differences show what to improve.",
    ("检查自己的做法是否符合：「{lead}」",), "和自己的做法不同的地方，就是要补的差距。",
)  # fmt: skip
_BUDGET = Plan(
    "REVIEW", "30m", "cost",
    ("Compare this with what it would cost you: “{lead}”",), "Your costs may differ.",
    ("对比自己要付的代价：「{lead}」",), "别人的账不一定是你的账。",
)  # fmt: skip
_EXPOSED = Plan(
    "REVIEW", "20m", "risk",
    ("List who is exposed to this risk: “{lead}”",), "A risk needs an owner before it occurs.",
    ("列出谁会受这个风险影响：「{lead}」",), "没有人负责的风险，出事时才会被发现。",
)  # fmt: skip
_MEMO = Plan(
    "WRITE", "45m", "",
    ("Write a one-page memo on {topic} with {aspects}",),
    "The people who decide with you need the reasons in writing.",
    ("写一页关于{topic}的备忘录，写清{aspects}",), "一起做决定的人需要看到依据。",
)  # fmt: skip
_NEXT = Plan(
    "DECIDE", "30m", "",
    ("Decide {ask}: {pro}, but {con}", "Decide {ask}: {pro}", "Decide {ask}, with “{lead}” as the first ground",
     "Decide {ask}, on the grounds of the three points", "Decide on the next step for {thing}, given “{lead}”",
     "Decide on the next step for {thing}", "Decide on the next step: {topic}"),
    "Nothing changes without a decision.",
    ("决定{ask}：{pro}，但{con}", "决定{ask}：{pro}", "决定{ask}，第一条依据是「{lead}」", "决定{ask}，依据是三个要点",
     "决定下一步怎么做：{thing}，依据是「{lead}」", "决定下一步怎么做：{topic}"),
    "没有人拍板，事情就不会变。",
)  # fmt: skip
_COLUMNS = Plan(
    "WRITE", "30m", "",
    ("Write the reasons for and against in two columns, beginning with “{lead}”",
     "Write the reasons for and against in two columns: {topic}"),
    "Comparing them shows which reasons are stronger.",
    ("写出赞成与反对的理由，从这一条开始：「{lead}」", "写出赞成与反对的理由：{topic}"),
    "并排写下来，才看得出哪边更重。",
)  # fmt: skip
_TABLE = Plan(
    "WRITE", "30m", "",
    ("Write a table that compares {thing}, with a column for your own case",
     "Write a table of the options, with a column for your own case: {topic}"),
    "A table shows what you still need to find out.",
    ("写一张{thing}的对照表，加一栏自己的情况", "写一张对照表，加一栏自己的情况：{topic}"),
    "列成表，才看得出哪一格还空着。",
)  # fmt: skip
_FIT = _NEXT._replace(
    en=(
        "Decide {ask}, given “{lead}”",
        "Decide {ask}",
        "Decide on {either}, given “{lead}”",
        "Decide on {either}",
        "Decide which option fits: {topic}",
    ),
    en_why="A comparison is useful only if it leads to a choice.",
    zh=(
        "决定{ask}，依据是「{lead}」",
        "决定{ask}",
        "决定{either}里选哪一个，依据是「{lead}」",
        "决定{either}里选哪一个",
        "决定哪个方案合适：{topic}",
    ),
    zh_why="比较完了不选，就等于没有比较。",
)
_POST = Plan(
    "WRITE", "1h", "",
    ("Draft 300 words on {topic} that open with “{lead}”", "Draft 300 words that open with “{lead}”",
     "Draft 300 words on {topic}"),
    "A first draft shows whether the idea works.",
    ("写一篇三百字短文，用「{lead}」开头", "写一篇关于{topic}的三百字短文"),
    "写出初稿，才知道它撑不撑得起一篇文章。",
)  # fmt: skip
_DRAFT = Plan(
    "WRITE", "45m", "",
    ("Draft one page on {topic}, beginning with “{lead}”", "Draft one page on {topic}, from the three points"),
    "A first draft shows what is still missing.",
    ("写出一页关于{topic}的初稿，从「{lead}」写起", "写出一页关于{topic}的初稿，用上三个要点"),
    "写出初稿，才知道还缺什么。",
)  # fmt: skip
_HEADLINES = Plan(
    "WRITE", "20m", "",
    ("Write three headlines, one of them from “{lead}”", "Write three headlines on {topic}"),
    "The headline decides whether people read the rest.",
    ("写出三个标题，其中一个取自「{lead}」", "写出三个关于{topic}的标题"),
    "标题决定别人会不会往下读。",
)  # fmt: skip
_ASK = Plan(
    "SHARE", "10m", "",
    ("Share the card with your readers and ask whether this is true for them: “{lead}”",
     "Share the card on {topic} with your readers"),
    "Their answers help with your next piece.",
    ("分享这张卡片给读者，问他们是否认同「{lead}」", "分享这张关于{topic}的卡片给读者"),
    "读者的回答就是下一篇的素材。",
)  # fmt: skip
_MEANS = Plan(
    "WRITE", "20m", "",
    ("Write three lines on what this changes for you: “{lead}”", "Write three lines on what is new in {thing}",
     "Write three lines on what is new: {topic}"),
    "You can ignore news that does not affect you.",
    ("写三句话，说明这对自己有什么影响：「{lead}」", "写三句话，说明{thing}有什么变化",
     "写三句话，说明有什么变化：{topic}"),
    "对自己没有影响的消息，可以放下。",
)  # fmt: skip
_CHANGES = Plan(
    "DECIDE", "10m", "",
    ("Decide whether this changes your plans: “{lead}”", "Decide whether any of the three points changes your plans"),
    "A decision now saves you from reading this again.",
    ("决定这一点是否影响自己的安排：「{lead}」", "决定要不要因为三个要点调整安排"),
    "现在定下来，以后就不必再翻一遍。",
)  # fmt: skip
_EXPLAIN = _SHARE._replace(
    en=("Share what you learnt on {topic} with a colleague, in two minutes",),
    en_why="If you can explain it in two minutes, you have understood it.",
    zh=("分享给一位同事，用两分钟讲清{topic}",),
    zh_why="两分钟能讲清，才算真懂了。",
)

_BY_PURPOSE: dict[Purpose, tuple[Plan, ...]] = {
    "build": (_TRY, LISTS, _CHECK, _DECIDE, HOLDS, _VERIFY, _SHARE, _READ),
    "list": (LISTS, HOLDS, _CHECK, _VERIFY, _SHARE, _READ),
    "write": (_DRAFT, HOLDS, _DECIDE, _VERIFY, _SHARE, _READ),
    "decide": (_NEXT, _COLUMNS, _BUDGET, _EXPOSED, _VERIFY, _SHARE, _READ),
    "compare": (_TABLE, _FIT, _VERIFY, _BUDGET, _SHARE, _READ),
    "follow": (_MEANS, _CHANGES, _VERIFY, _EXPOSED, _SHARE, _READ),
    "share": (_SHARE, _NOTES, HOLDS, _VERIFY, _READ),
    "learn": (_NOTES, _CHECK, _DECIDE, HOLDS, _VERIFY, _EXPLAIN, _READ),
}
_CREATOR = (_POST, _HEADLINES, _DECIDE, _VERIFY, _ASK, _READ)
_MANAGER = {
    **_BY_PURPOSE,
    "build": (_NEXT, _TRY, _MEMO, _CHECK, _BUDGET, _EXPOSED, _VERIFY, _SHARE, _READ),
    "decide": (_NEXT, _MEMO, _COLUMNS, _BUDGET, _EXPOSED, _VERIFY, _SHARE, _READ),
    "learn": (_NOTES, _NEXT, _BUDGET, _EXPOSED, _VERIFY, _SHARE, _READ),
}


def plans_for(purpose: Purpose, profile: str) -> tuple[Plan, ...]:
    if profile == "creator" and purpose in {"decide", "compare"}:
        return (_CREATOR[0], _NEXT, *_CREATOR[1:])
    if profile == "creator" and purpose != "build":
        return _CREATOR
    return (_MANAGER if profile == "manager" else _BY_PURPOSE)[purpose]


# Tasks for a text that does not match the intent. They are about the intent.
SKIPPED: tuple[Plan, ...] = (
    Plan("WRITE", "10m", "",
         ("Write down what a better source must answer on {topic}",),
         "Knowing what is missing makes the next search short.",
         ("写下关于{topic}还缺哪一个答案",), "知道缺什么，下一次找起来才快。"),
    Plan("RESEARCH", "30m", "",
         ("Find a better source on {topic}",), "", ("查找一篇关于{topic}的更合适的资料",), ""),
    Plan("DECIDE", "10m", "",
         ("Decide whether to archive this save or to keep it for “{lead}”", "Decide whether to archive this save"),
         "What is not needed need not wait in the list.",
         ("决定是否归档这条收藏，还是为「{lead}」留下它", "决定是否归档这条收藏"),
         "用不上的，不必留在清单里。"),
)  # fmt: skip

ASPECTS: tuple[tuple[Need, str, str], ...] = (
    ("advice", "the steps", "做法"),
    ("figure", "the figures", "数字"),
    ("cost", "the costs", "成本"),
    ("risk", "the risks", "风险"),
    ("tradeoff", "the trade-off", "取舍"),
)
