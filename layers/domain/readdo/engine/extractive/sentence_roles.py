"""Strict detection of a sentence's role, so that a frame or task never mislabels it."""

import re
from typing import Final, Literal

from .cues import has
from .instructions import orders
from .number_count import figures

Sure = Literal["tradeoff", "cost", "risk", "mechanism", "spoken", "figure", "advice"]
_I = re.IGNORECASE

_TRADEOFF = re.compile(
    r"\b(?:trade-?offs?|at the (?:cost|price|expense) of|whereas|on the other hand|in exchange for|drawbacks?"
    r"|downsides?|we (?:gave|give) up"
    r"|(?:\w+er|better|more|less)\b[^.]{0,80}\bbut\b[^.]{0,60}\b(?:\w+er|worse|more|less))\b"
    r"|取舍|权衡|牺牲|代价是|缺点是|以.{1,12}为代价|换来的?是|虽然.{2,40}(?:但|却)",
    _I,
)
_MONEY = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:dollars?|euros?|pounds?|usd|eur)\b|\d\s?(?:万|亿|千)?(?:元|美元|欧元|块钱)", _I
)
_COST = re.compile(
    r"\b(?:costs?|price|budget|sav(?:e|es|ed|ings?)|spen[dt]|expens(?:e|es|ive)|overhead|salary)\b"
    r"|成本|费用|花费|开销|节省|省下|多花|预算|代价|补贴",
    _I,
)
_RISK = re.compile(
    r"\b(?:risks?|danger(?:s|ous)?|can go wrong|fails? (?:if|when|because)|breaks? (?:if|when)|pitfalls?"
    r"|(?:gets?|is|are|were) lost|beware|vulnerab\w+)\b"
    r"|风险|隐患|危险|后果|容易(?:出错|忽略|被)|最怕|会(?:丢失|失败|崩溃|出错)|就会丢",
    _I,
)
# "Fell from 455 to 12 minutes", "so that no row is lost": an improvement is not a risk.
_BETTER = re.compile(
    r"\b(?:f[ae]ll(?:en|s)?|dropped|reduc\w+|improv\w+|recover\w*|prevent\w*|avoid\w*|fewer|faster"
    r"|no (?:longer|more)|no \w+ (?:is|are|was|were)|never|without)\b"
    r"|降到|降至|下降|减少|缩短|改善|提升|避免|防止|不再|没有|不会",
    _I,
)
_BECAUSE = re.compile(r"\b(?:because|the reason|due to|that is why)\b|因为|由于|原因是|之所以", _I)
_SPEECH = re.compile(r"[“\"][^“”\"]{12,}[”\"]|[“「][^“”「」]{6,}[”」]")
_MEASURED = re.compile(
    r"[$€£¥]\s?\d|\d\s?(?:%|percent|x\b|times|ms\b|[kmgt]b\b|seconds|minutes|hours|days|weeks|people|users|million|billion"
    r"|euros|dollars|万|亿|倍|元|毫秒|秒|分钟|小时|个小时|天|个月|人|次|笔|条|成)|百分之",
    _I,
)
_ARROW: Final = "→"


def has_role(kind: Sure, text: str) -> bool:
    if kind == "tradeoff":
        return bool(_TRADEOFF.search(text))
    if kind == "cost":
        return bool(_COST.search(text)) and (bool(_MONEY.search(text)) or figures(text) > 0)
    if kind == "risk":
        return bool(_RISK.search(text)) and not _BETTER.search(text)
    if kind == "figure":
        return bool(_MEASURED.search(text)) and _ARROW not in text
    if kind == "advice":
        return _ARROW in text or bool(orders(text))
    return bool((_BECAUSE if kind == "mechanism" else _SPEECH).search(text)) and (kind == "spoken" or has(kind, text))
