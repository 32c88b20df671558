"""The words that a task may use: the text's subjects, a whole claim of it, and the intent."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .clauses import width
from .fit import clean
from .keyterms import subjects
from .language import Language, script_language
from .phrases import site_free
from .plans import Plan
from .quotes import mended
from .standalone import standalone
from .topic import enumerated

TITLE = 140
_LEAST = {"en": 18, "zh": 7}
# Where a clause ends that can stand alone; at a comma in English it may be no more than the subject.
_PAUSE = re.compile(r"[；，]|;(?=\s)|,(?= (?:and|but|so|because|while|although|whereas|yet)\b)| [—–] |——")
_SUBJECTS = 3
_PLACE = re.compile(r"\{(intent|aspects|some|lead)\}")
# A clause that begins so is no claim of its own.
_LOOSE = re.compile(
    r"(?:if|when|while|because|since|although|though|as|after|before|once|until|unless|whether|in|on|at|for|with|by|of"
    r"|where|which|who|that|to|from|during|compared|most|today|yesterday|last|one)\b"
    r"|(?:如果|当|虽然|因为|由于|除了|为了|与|和|在|对|从|我问|有一年|去年|今年|三个月|很多人|每个人|用|例如|比如)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\s*[,，]\s*(?:which|who|whose|where)\b")


@dataclass(frozen=True)
class Words:
    intent: str
    briefly: str
    """The intent cut so short that every task has room for it."""
    subjects: tuple[str, ...]
    aspects: str
    language: Language


def told_subjects(title: str, lines: Sequence[str]) -> tuple[str, ...]:
    """What the text is about, in its own nouns: at least two lines or the title must name each."""
    name = site_free(title)
    found = subjects([(name, 1.6), *((line, 1.0) for line in lines)], 8)
    whole = "\n".join([name, *lines]).lower()
    often = [word for word in found if whole.count(word.lower()) > 1]
    return tuple((often + [word for word in found if word not in often])[:_SUBJECTS])


def claim(line: str, room: int) -> str:
    """The whole line if there is room, else its opening clause; "" where neither stands alone."""
    text = mended(standalone(clean(line))).strip().rstrip("。.；;，,：:…")
    if len(text) <= room and not clean(line).endswith("…"):
        return text
    least = _LEAST[script_language(text)]
    ends = [match.start() for match in _PAUSE.finditer(text) if match.start() <= room]
    fitting = text[: ends[-1]].rstrip() if ends else ""
    # "The factory, which makes chips": before the comma there is no claim yet.
    bare = bool(_RELATIVE.match(text[len(fitting) :])) or (fitting.isascii() and fitting.count(" ") < 4)
    stands = not bare and not _LOOSE.match(fitting) and mended(fitting) == fitting
    return fitting if width(fitting) >= least and len(fitting) >= least and stands else ""


def worded(plan: Plan, words: Words, line: str) -> tuple[str, bool]:
    """The first wording that the text has the words for, and whether it took up the line; "" if there is none."""
    for row in plan.zh if words.language == "zh" else plan.en:
        with_line = "{lead}" in row
        for wanted in (words.intent, words.briefly) if "{intent}" in row else ("",):
            title = "" if with_line and not line else _filled(row, wanted, words, line)
            if title:
                return title, with_line
    return "", False


def _filled(row: str, wanted: str, words: Words, line: str) -> str:
    if "{some}" in row and not words.subjects:
        return ""
    put = {"intent": wanted, "aspects": words.aspects, "some": _listed(words.subjects, words.language), "lead": ""}
    if "{lead}" in row:
        lead = claim(line, TITLE - len(_put(row, put)))
        if not lead:
            return ""
        put["lead"] = _inner(lead, words.language)
    title = _put(row, put)
    return title if len(title) <= TITLE else ""


def _put(row: str, put: Mapping[str, str]) -> str:
    """All at once: an intent may hold braces of its own."""
    return _PLACE.sub(lambda match: put[match.group(1)], row)


def _listed(found: Sequence[str], language: Language) -> str:
    return (
        "、".join(f"「{word}」" for word in found).replace("」、「", "」「") if language == "zh" else enumerated(found)
    )


def _inner(text: str, language: Language) -> str:
    """Speech inside a quotation has its own marks."""
    marks = "『』『』" if language == "zh" else "‘’‘’"
    text = text.translate(str.maketrans("“”「」", marks))
    while '"' in text:
        text = text.replace('"', marks[0], 1).replace('"', marks[1], 1)
    return text
