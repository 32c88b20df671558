"""Values for the placeholders of tasks: claims of the text, gains, counterarguments and the topic."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from .clauses import width
from .field_text import clean
from .language import Language, script_language
from .plans import Plan
from .quotes import repair_quotes
from .standalone import standalone

TITLE = 140
_LEAST = {"en": 18, "zh": 7}
# The end of a clause. In English, a comma counts only before a conjunction, as it may follow a bare subject.
_PAUSE = re.compile(r"[；，]|;(?=\s)|,(?= (?:and|but|so|because|while|although|whereas|yet)\b)| [—–] |——")
_PLACE = re.compile(r"\{(topic|thing|either|ask|pro|con|aspects|lead)\}")
# A clause with such an opening is not a complete claim.
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
    """The complete line if it fits, otherwise its first clauses. Empty if neither makes sense alone."""
    text = repair_quotes(standalone(clean(line))).strip().rstrip("。.；;，,：:…")
    if len(text) <= room and not clean(line).endswith("…"):
        return text
    least = _LEAST[script_language(text)]
    ends = [match.start() for match in _PAUSE.finditer(text) if match.start() <= room]
    fitting = text[: ends[-1]].rstrip() if ends else ""
    # In "The factory, which makes chips" the text before the comma is no claim.
    bare = bool(_RELATIVE.match(text[len(fitting) :])) or (fitting.isascii() and fitting.count(" ") < 4)
    complete = not bare and not _LOOSE.match(fitting) and repair_quotes(fitting) == fitting
    return fitting if width(fitting) >= least and len(fitting) >= least and complete else ""


def fill_wording(plan: Plan, words: TaskWords, line: str) -> tuple[str, bool]:
    """The first wording whose placeholders have values, and whether it uses the line. Empty if none."""
    for row in plan.zh if words.language == "zh" else plan.en:
        title = _fill(row, words, line)
        if title:
            return title, "{lead}" in row
    return "", False


def _fill(row: str, words: TaskWords, line: str) -> str:
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
    """Replace all placeholders in one pass, because an intent may contain braces."""
    return _PLACE.sub(lambda match: put[match.group(1)], row)


def _inner(text: str, language: Language) -> str:
    """Use inner quotation marks within a quotation."""
    marks = "『』『』" if language == "zh" else "‘’‘’"
    text = text.translate(str.maketrans("“”「」", marks))
    while '"' in text:
        text = text.replace('"', marks[0], 1).replace('"', marks[1], 1)
    return text
