"""The topic of an intent, worded for a task: "decide whether we should move" → "whether to move"."""

import re

from .field_text import LONGEST_ZH, cut, quoted_topic, site_free
from .grammar import commands, gerund
from .intent_parts import intent_parts
from .language import Language, cue, script_language, word_set

_ROOM, _FIRST_ZH = 64, 4
NO_TOPIC: dict[Language, str] = {"en": "what it says", "zh": "原文的内容"}
_ENDS = " 。.；;，,：:?？!！"
_I = re.IGNORECASE
# A clause, which is no object of "on" or 关于: "my wife sleeps badly", 接口老被刷爆.
_CLAUSE = re.compile(
    r"^(?!(?:whether|how|what|which|why|when|where) )(?:.*,|(?:my|our|his|her|their) \w+ \w+s\b|.*\b(?:i|we|you|they|he"
    r"|she|is|are|was|were|has|have|had|am|do|does|did|don't|doesn't|didn't|can|could|will|would|gets?|keeps?|needs?"
    r"|thinking)\b)|[，,]|多少|[吗呢老没]|什么|^[我他她](?!们)",
    _I,
)
_WISH = re.compile(
    r"(?:i|we) (?:want|need|would like) (?:(?:my|our|the) \w+|people|them|us) to (?:have |be |get )?"
    r"|(?:i|we)(?: would|'d)? (?:want|need|like) (?=(?:an?|the|some|more|fewer|less|better) )"
    r"|(?:please |help (?:me|us)(?: to)? |(?:i|we)(?: would| ?'d)? (?:want|need|like|have|plan|hope|am going|are going)"
    r" to |(?:i'm|we're) going to |to )+",
    _I,
)
_THIS = re.compile(
    r"(?:read|skim|look at|go through|go over|share|summari[sz]e) (?:this|it|the (?:article|text|post))\b", _I
)
_SHOULD = re.compile(r"(?:whether |if )?(?:(?:we|i) (?:should|ought to|need to|can|could)|should (?:we|i)) ", _I)
_CHOOSES = re.compile(r"(?:decide (?:on|about|between)|choose|pick|select)(?: (?:between|from|among))? ", _I)
_QUESTION = re.compile(r"(?:whether|which|what|how|why|when|where|who|if)\b", _I)
_WORTH = re.compile(
    r"(is|are) (?P<what>.{2,60}?) (?P<how>(?:worth|better|good|safe|ready|right) .+|worth it|safe|ready)\Z", _I
)
_SHORTER = re.compile(
    r" (?:for|in|with|because|before|after|when|while|so|at|during|from|without|against|by|that|which|of|and"
    r"|than) |, |; "
)
_WISH_ZH = re.compile(
    r"(?:请|帮我|我们?)?(?:想要?|希望|打算|准备|需要|计划|要(?!不要))+(?=.{4})|(?:请|帮我|我们)(?=[^的，。]{4})"
)
# "Too many alerts, and I want less noise": the second part is the wish.
_THEN_ZH = re.compile(r"[，,](?:我们?)?(?:想要?|希望|打算)(?=.{4})")
_PICKS_ZH = re.compile(r"[，,]\s*(?:[给为帮][^，]{1,6}?)?(?:选|挑|决定|判断).{0,6}\Z")
_MAKES_ZH = re.compile(r"(?:制定|制作|整理|准备|列|做|写)(?:出|好)?(?:一[份张个套篇])(?=.{3})")
_KIND_ZH = re.compile(
    r"(?:用的|的)?(?:检查|核对|行李)?(?:清单|列表)\Z|的[^的，。]{0,4}(?:文章|短文|稿子?|公众号|演讲|报告|推文|笔记|文案|故事)\Z"
)
_DECIDES_ZH = re.compile(r"(?:决定|判断|想清楚|考虑|想想|确定|评估)(?:一下)?(?=.{4})")
_CHOOSES_ZH = re.compile(r"(?:挑选|选择|选定|选出|选型|选)(?:一[个款台本种])?(?=.{3})")
_QUESTION_ZH = re.compile(r"是否|要不要|该不该|能否|能不能|如何|怎么|怎样|为什么|哪|值不值|是不是|会不会|什么|有没有")
_AMOUNT = re.compile(r"\b(?:costs?|prices?|differences?|effects?|performance)\b", _I)
_THIS_ZH = re.compile(r"(?:看|读|过)(?:完|一遍|一下)|这篇")
_AMONG_ZH = re.compile(r"[在从](?P<what>[^，]{2,16}?)(?:里|中|里面|当中)选")
_WHETHER_ZH = re.compile(r"是否|要不要|该不该|能否|能不能|值不值")
_HOW_ZH = re.compile(r"如何|怎么|怎样")
_ODD = re.compile(r"[{}<>“”\"「」『』\n:：;；|\\]")


def topic(intent: str, language: Language, title: str = "") -> str:
    """The topic as worded after "on" or 关于. The title, if the intent names none that can be worded."""
    line = _line(intent)
    if line and script_language(line) == language and not _ODD.search(line):
        worded = _chinese(line) if language == "zh" else _english(line)
        if not _CLAUSE.search(worded) and (not title or _is_specific(worded)):
            return worded
        line = ""
    name = site_free(title) or line
    return quoted_topic(name, language, 60) if name else NO_TOPIC[language]


def _is_specific(worded: str) -> bool:
    """False for "another way" or 换个办法, which the title says better."""
    return bool(intent_parts(worded).topic)


def thing(about: str, language: Language) -> str:
    """The topic as an activity or thing. Empty if the topic is a question."""
    if language == "zh":
        rest = _HOW_ZH.sub("", about, count=1)
        return "" if _QUESTION_ZH.search(rest) or len(rest) < 2 else rest
    if about.lower().startswith("how to "):
        verb, _, rest = about[7:].partition(" ")
        return f"{gerund(verb)} {rest}" if rest and verb.isalpha() else ""
    return "" if _QUESTION.match(about) else about


def either(about: str, language: Language) -> str:
    """Two alternatives of the topic, worded as a choice. Empty if it names no alternatives."""
    if language == "zh":
        return about if re.search(r"[和与跟、]|^[几两三]", about) else ""
    parts = re.split(r" (?:and|or|vs\.?|versus|with|to) ", thing(about, language), maxsplit=1)
    return " or ".join(parts) if len(parts) == 2 and not _AMOUNT.search(parts[0]) else ""


def question(intent: str, language: Language) -> str:
    """The question as worded after "decide" or 决定. Empty if the intent requires no decision."""
    line = _line(intent)
    if script_language(line) != language or _ODD.search(line):
        return ""
    if language == "zh":
        core = _strip_wish(line, _WISH_ZH)
        rest = _DECIDES_ZH.sub("", core, count=1) if _DECIDES_ZH.match(core) else core
        among = _AMONG_ZH.match(rest)
        if among:
            return f"在{among['what']}里选哪一个"
        if _QUESTION_ZH.search(rest) and (rest != core or _WHETHER_ZH.search(rest)):
            return _short_zh(rest)
        choice = _CHOOSES_ZH.match(rest)
        return f"选哪一种{_short_zh(rest[choice.end() :])}" if choice else ""
    line = _strip_wish(line, _WISH)
    choice = _CHOOSES.match(line)
    if choice and not _QUESTION.match(line[choice.end() :]):
        return f"on {_short(line[choice.end() :])}"
    asked_text = _to_question(line)
    decides = asked_text != line or asked_text.lower().startswith(("whether", "which"))
    return _short(asked_text) if decides and _QUESTION.match(asked_text) else ""


def _line(intent: str) -> str:
    """The intent without its audience and deadline. Empty if it names no topic, or points at the text."""
    parts = intent_parts(intent)
    return parts.wording.strip(_ENDS).removesuffix("的") if parts.topic and not parts.points else ""


def _strip_wish(line: str, pattern: re.Pattern[str]) -> str:
    match = pattern.match(line)
    return line[match.end() :] if match else line


def _to_question(line: str) -> str:
    decides = cue("decides").match(line)
    rest = line[decides.end() :] if decides else line
    should = _SHOULD.match(rest)
    worth = _WORTH.match(rest)
    if worth:
        return f"whether {worth['what']} {worth[1].lower()} {worth['how']}"
    if should:
        return f"whether to {rest[should.end() :]}"
    return f"whether {rest[3:]}" if rest.lower().startswith("if ") else rest


def _english(line: str) -> str:
    line = _strip_wish(line, _WISH)
    asked_text = _to_question(line)
    leads = cue("object_leads").match(line) or _CHOOSES.match(line)
    rest = asked_text if _QUESTION.match(asked_text) else line[leads.end() :] if leads else line
    if _THIS.match(line):
        return "what it says"
    rest = _as_object(rest, line)
    first, space, other = rest.partition(" ")
    verb = first.lower()
    if space and not leads and (commands(rest) or verb in word_set("intent_verbs_en")):
        rest = f"{gerund(verb)} {other}"
    elif first.istitle() and not leads and other == other.lower():
        rest = rest[:1].lower() + rest[1:]
    return _short(rest)


def _as_object(rest: str, line: str) -> str:
    """Reword as an object: "learn to keep" → "how to keep", "learn from others" → "learning from others"."""
    opening = rest.partition(" ")[0].lower()
    if opening == "if":
        return f"whether {rest[3:]}"
    if opening == "to":
        return f"how {rest}"
    verb, _, other = line.partition(" ")
    return f"{gerund(verb.lower())} {other}" if opening in {"from", "by", "with"} and rest != line else rest


def _short(line: str) -> str:
    if len(line) <= _ROOM:
        return line
    ends = [match.start() for match in _SHORTER.finditer(line) if 16 <= match.start() <= _ROOM]
    return line[: ends[-1]] if ends else cut(line, _ROOM).rstrip("…")


def _chinese(line: str) -> str:
    match = _THEN_ZH.search(line)
    rest = _strip_wish(line[match.end() :] if match else line, _WISH_ZH)
    rest = (_DECIDES_ZH.sub("", rest, count=1) if _QUESTION_ZH.search(rest) else rest).removeprefix("让")
    among = _AMONG_ZH.match(rest)
    if among or _THIS_ZH.search(rest.partition("，")[0]):
        return among["what"] if among else "原文的内容"
    for lead in (cue("object_leads_zh"), _CHOOSES_ZH, _MAKES_ZH, _DECIDES_ZH):
        match = lead.match(rest)
        rest = rest[match.end() :] if match and len(rest) - match.end() >= 2 else rest
    return _short_zh(_PICKS_ZH.sub("", _KIND_ZH.sub("", rest)))


def _short_zh(line: str) -> str:
    # The text after the first pause is only a condition.
    first = re.split("[，,]", line, maxsplit=1)[0]
    return cut(first if len(first) > _FIRST_ZH else line, LONGEST_ZH).rstrip("…")
