"""The words that a task may use: a claim of the text, what speaks for and against, and what the intent is about."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .clauses import width
from .field_text import clean
from .language import Language, script_language
from .plans import Plan
from .quotes import mended
from .standalone import standalone

TITLE = 140
_LEAST = {"en": 18, "zh": 7}
# Where a clause ends that can stand alone; at a comma in English it may be no more than the subject.
_PAUSE = re.compile(r"[；，]|;(?=\s)|,(?= (?:and|but|so|because|while|although|whereas|yet)\b)| [—–] |——")
_PLACE = re.compile(r"\{(topic|thing|either|ask|pro|con|aspects|lead)\}")
# A clause that begins so is no claim of its own.
_LOOSE = re.compile(
    r"(?:if|when|while|because|since|although|though|as|after|before|once|until|unless|whether|in|on|at|for|with|by|of"
    r"|where|which|who|that|to|from|during|compared|most|today|yesterday|last|one)\b"
    r"|(?:如果|当|虽然|因为|由于|除了|为了|与|和|在|对|从|我问|有一年|去年|今年|三个月|很多人|每个人|用|例如|比如)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(r"\s*[,，]\s*(?:which|who|whose|where)\b")


@dataclass(frozen=True)
class TaskWords:
    topic: str
    thing: str
    either: str
    ask: str
    pro: str
    con: str
    aspects: str
    language: Language


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


def worded(plan: Plan, words: TaskWords, line: str) -> tuple[str, bool]:
    """The first wording that the text has the words for, and whether it took up the line; "" if there is none."""
    for row in plan.zh if words.language == "zh" else plan.en:
        title = _filled(row, words, line)
        if title:
            return title, "{lead}" in row
    return "", False


def _filled(row: str, words: TaskWords, line: str) -> str:
    put = {name: str(getattr(words, name, "")) for name in _PLACE.findall(row) if name != "lead"}
    if not all(put.values()):
        return ""
    if "{lead}" in row:
        lead = claim(line, TITLE - len(_put(row, {**put, "lead": ""})))
        if not lead:
            return ""
        put["lead"] = _inner(lead, words.language)
    title = _put(row, put)
    return title if len(title) <= TITLE else ""


def _put(row: str, put: Mapping[str, str]) -> str:
    """All at once: an intent may hold braces of its own."""
    return _PLACE.sub(lambda match: put[match.group(1)], row)


def _inner(text: str, language: Language) -> str:
    """Speech inside a quotation has its own marks."""
    marks = "『』『』" if language == "zh" else "‘’‘’"
    text = text.translate(str.maketrans("“”「」", marks))
    while '"' in text:
        text = text.replace('"', marks[0], 1).replace('"', marks[1], 1)
    return text
