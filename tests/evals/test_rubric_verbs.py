"""Verbs at the start of a task, clues in a reason and objects of an action."""

import pytest

from evals.rubric.action import named_object
from evals.rubric.reasons import clues, is_empty_praise
from evals.rubric.verbs import verb_of

IMPERATIVES = """\
Write half a page on retries
Build a small experiment
Decide: keep it or drop it?
Follow this advice: “do it”
Test the restore on a copy
Plan two hours on Friday
Review our own handler
Share the three points with Ann
Set up an alarm for slow saves
Check whether the key is old
Note what the test is for
Re-read chapter two
Double-check the figures
Don't deploy before Monday
Draft “what we learned”
Research how others do it
写半页笔记
写下三条规则
决定是否取消周报
试做一个最小示例
把清单发给同事
用半小时写出初稿
对比三款软件的价格
研究三家公司的做法
测试恢复流程
总结原文的三个要点
检查时间戳是否正确
去了解附近的图书馆
分享这三个要点给同事
读完第二节并做笔记
做过滤器的压力测试
给团队讲一遍这次事故
Review 这份方案
选一棵两斤半的白菜
""".splitlines()
OTHER_LINES = """\
Interesting article about retries
The plan for Monday
Retries and budgets
Reviewing the handler
Reviewed notes from Monday
Writes a summary
Plan: three steps
Review of the handler
Test results show it works
Design patterns for queues
Report summary for the boss
Complete guide to queues
Read-only replicas
Test-driven work
A good write-up
Please
Write
Work is hard
“Write a note”
1. Write a note
Quickly write it
Let me start with sleep
Open questions about scaling
Summary of the text
How to write a plan
关于备份的文章
写作的三个原则
读者应该知道的事
用户增长的秘密
测试结果说明一切
设计模式介绍
研究表明睡眠重要
写的人很多
读了三遍原文
这篇文章的要点
如何写好周报
列表和表格
总结：三个要点
学习心得
给读者的一份分析
发现了一个问题
非常有用的做法
1、写下规则
记者的提问
""".splitlines()


@pytest.mark.parametrize("line", IMPERATIVES)
def test_verb_of_finds_the_verb_of_an_imperative(line: str) -> None:
    assert verb_of(line)


@pytest.mark.parametrize("line", OTHER_LINES)
def test_verb_of_finds_none_in_other_lines(line: str) -> None:
    assert verb_of(line) == ""


@pytest.mark.parametrize(
    ("action", "named"),
    [
        ("Write the restore procedure (30m)", True),
        ("Build a small experiment for “queues” (1h)", True),
        ("写下恢复演练的步骤（30 分钟）", True),
        ("Start today!", False),
        ("Read the article and learn more (20m)", False),
        ("Do it now, step by step (2h)", False),
        ("马上行动起来（10 分钟）", False),
        ("阅读原文，了解更多内容", False),
        ("今天就开始试试吧", False),
    ],
)
def test_named_object_needs_a_concrete_object(action: str, named: bool) -> None:
    assert bool(named_object(action)) is named


INTENT = {"en": "learn how retries overload a service", "zh": "弄清楚重试怎样压垮服务"}


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("en", "Names retries in 4 of 9 sentences"),
        ("en", "Comes as a checklist"),
        ("en", "Compares two ways, with examples"),
        ("en", "About 6 minutes to read"),
        ("en", "Saves a day of trial and error"),
        ("en", "Measured: 31 seconds against 94"),
        ("zh", "有 4 句谈到重试"),
        ("zh", "给出五个步骤"),
        ("zh", "约 6 分钟读完"),
        ("zh", "把两种做法放在一起对比"),
    ],
)
def test_clues_finds_concrete_clues(language: str, reason: str) -> None:
    assert clues(reason, INTENT[language])


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        ("en", "It fits the intent very well"),
        ("en", "Relevant for “learn how retries overload a service”"),
        ("en", "The author knows the field"),
        ("zh", "与意图高度相关"),
        ("zh", "适合「弄清楚重试怎样压垮服务」"),
        ("zh", "作者很专业"),
    ],
)
def test_clues_ignores_generic_praise(language: str, reason: str) -> None:
    assert clues(reason, INTENT[language]) == []


@pytest.mark.parametrize(
    ("reason", "empty"),
    [
        ("A great, insightful read", True),
        ("Great article about retries", True),
        ("Highly recommended for everyone", True),
        ("A great walk through 5 steps, from the first timeout to the budget", False),
        ("Names retries in 4 of 9 sentences", False),
        ("非常精彩，强烈推荐给大家", True),
        ("关于重试的好文，很有价值", True),
        ("有价值的是三个实测数字：31 秒、94 秒和 10%", False),
    ],
)
def test_is_empty_praise_detects_praise_without_content(reason: str, empty: bool) -> None:
    assert is_empty_praise(reason, INTENT["zh" if "重试" in reason or "大家" in reason else "en"]) is empty
