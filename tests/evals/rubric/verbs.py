"""Find the verb at the start of an imperative line.

"Write …" and "写一份…" start with a verb; "Notes on …" and "关于…" do not.
"""

import re

from .words_of import words_of

_FIRST = re.compile(r"(?:re-)?([A-Za-z]+(?:[’']t)?)(?![A-Za-z])", re.I)
_COMPOUNDS = ("double-check", "fact-check", "cross-check", "stress-test", "load-test", "spot-check")
_OPENS_A_CLAUSE = frozenset({"that", "what", "which", "who", "whether", "how", "if", "when", "where", "why", "because"})
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?")
_SINGLE = re.compile(r"[写做改发画列放贴交讲跑试换](?![法者家])")
# "写的人", "研究是" and "读了三遍" are descriptions or reports; "决定是否" and "去了解" are not.
_DESCRIBES = re.compile(r"[的者]|是(?!否|不是)|了(?!解)")
_AS_FAR_AS = 5


def verb_of(line: str) -> str:
    """The verb that the line begins with, or "" if it doesn't begin with one."""
    line = line.strip()
    if re.match(r"[\u3400-\u9fff]", line):
        return _chinese(line)
    return _english(line)


def _english(line: str) -> str:
    if line.lower().startswith(_COMPOUNDS):
        return line.split(maxsplit=1)[0].lower()
    match = _FIRST.match(line)
    if not match:
        return ""
    verb, rest = match.group(1).lower().replace("’", "'"), line[match.end() :]
    # "Let me start with …" is the speaker's own account and not a task.
    if verb == "let" and re.match(r"\s+(?:me|us)\b", rest, re.I):
        return ""
    # "Read-only mode", "Test-driven work": the word is part of an adjective.
    if not rest.strip() or rest.startswith(("-", "'", "’", "/", ".")):
        return ""
    if verb in words_of("verbs_en"):
        return verb
    return verb if verb in words_of("verbs_en_or_nouns") and not _is_a_noun(rest) else ""


def _is_a_noun(rest: str) -> bool:
    """Tell from the rest that the word is a noun: "Review of …", "Plan: …", "Test results show …"."""
    if re.match(r"\s*[:,;.!?–—-]", rest):
        return True
    following = _WORD.findall(rest.lower())[:_AS_FAR_AS]
    if following and (following[0] in words_of("after_nouns_en") or following[0] in words_of("compound_heads_en")):
        return True
    for word in following:
        if word in _OPENS_A_CLAUSE:
            return False
        if word in words_of("finite_en"):
            return True
    return False


def _chinese(line: str) -> str:
    if _longest(line, "nouns_zh"):
        return ""
    sure = _longest(line, "verbs_zh")
    either = _longest(line, "verbs_zh_or_nouns")
    verb = max(either, sure, key=len)
    if verb:
        rest = line[len(verb) :]
        return "" if _DESCRIBES.match(rest) or (either and rest.startswith(tuple(words_of("after_nouns_zh")))) else verb
    coverb = _longest(line, "coverbs_zh")
    return coverb if coverb and _has_verb(line[len(coverb) :]) else ""


def _has_verb(rest: str) -> bool:
    """Look for a verb after the object: "把清单发给同事", but not "给读者的一份分析"."""
    sure = (word for word in words_of("verbs_zh") - words_of("verbs_zh_or_nouns") if len(word) > 1)
    return any(word in rest for word in sure) or bool(_SINGLE.search(rest))


def _longest(line: str, name: str) -> str:
    return max((word for word in words_of(name) if line.startswith(word)), key=len, default="")
