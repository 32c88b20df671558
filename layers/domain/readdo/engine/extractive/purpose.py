"""Purpose of an intent, such as build, write, decide or learn. It selects the proposed tasks."""

import re
from typing import Final, Literal

Purpose = Literal["build", "list", "write", "decide", "compare", "learn", "follow", "share"]
_I = re.IGNORECASE

_SIGNS: Final[tuple[tuple[Purpose, re.Pattern[str]], ...]] = (
    ("write", re.compile(
        r"\A\s*(?:write|draft)\b(?!.*\b(?:script|function|parser|program|code|cli|tests|limiter|library|plugin"
        r"|query)\b)"
        r"|\A.{0,12}写(?:一|份|篇|个|出)(?!.{0,8}(?:器|程序|脚本|函数|代码|工具|插件|爬虫))", _I)),
    ("follow", re.compile(
        r"\b(?:keep (?:an eye on|up with|track of)|follow|stay up to date|news|trends?)\b"
        r"|关注|动态|趋势|新闻|资讯|跟进", _I)),
    ("share", re.compile(
        r"\b(?:share|forward|pass (?:it )?on|send (?:it )?to|brief)\b"
        r"|分享给|[给向和跟].{1,8}分享|转发|转给|汇报", _I)),
    ("list", re.compile(r"\b(?:pack|packing|checklist|list of)\b|清单|列表|行李", _I)),
    ("compare", re.compile(
        r"\b(?:compar\w+|versus|vs\.?|differences?|alternatives?|benchmark\w*|pros and cons|estimat\w+|budget for)\b"
        r"|对比|比较|区别|差异|优劣|哪个(?:更|好)|哪种|估算|预估", _I)),
    ("decide", re.compile(
        r"\b(?:decid\w+|decision|whether|should (?:we|i|our|my)|choos\w+|pick (?:a|the|our|my|between)|evaluat\w+|worth"
        r"|switch to|which)\b|决定|要不要|是否|该不该|值不值|值得|选型|判断|选择|评估|挑选|选一|想清楚", _I)),
    ("learn", re.compile(
        r"\s*(?:i(?: want|'d like)? to )?(?:learn|understand|study|know|find out|figure out|get to know)\b"
        r"|\s*(?:我?想|要|希望)?(?:学习|学会|学|了解|理解|搞懂|弄懂|弄清|看懂|研究|知道|入门)", _I)),
    ("write", re.compile(
        r"\b(?:write (?:an?|the|my|our|up|about|for)|writing (?:an?|about)|draft|blog ?post"
        r"|article|newsletter|talk|speech|stor(?:y|ies)|essay|headline|podcast|angle)\b"
        r"|写(?:一|篇|份|作|文|稿|出|个|诗)(?!.{0,8}(?:器|程序|脚本|函数|代码|工具|插件|爬虫))"
        r"|公众号|文章|演讲|选题|素材|稿|文案|故事|短视频", _I)),
    ("build", re.compile(
        r"\b(?:build|set ?up|deploy|implement|make|create|bake|cook|install|migrat\w+|partition|add|fix|improv\w+"
        r"|optimi\w+|reduc\w+|cut|speed|retry|avoid|prevent|automat\w+|refactor|configur\w+"
        r"|run|use|apply|protect|start|grow|plan|pack|design|develop|ship|launch|scale|train|fewer|less|safer?)\b"
        r"|搭|部署|实现|做|开发|优化|改进|改善|修|迁移|提升|提高|减少|防止|避免|制作|安装|配置|落地|自动化"
        r"|整理|准备|少|用|写一?个", _I)),
)  # fmt: skip


def purpose_of(intent: str) -> Purpose:
    for kind, sign in _SIGNS:
        # "Learn" counts only at the start: "learn how to draft" is learning.
        if sign.match(intent) if kind == "learn" else sign.search(intent):
            return kind
    return "learn"
