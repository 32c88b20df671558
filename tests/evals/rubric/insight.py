"""P2: the insight says more than the bullets."""

from .judging import Case, Check, Made
from .reasons import without_intent
from .tokens import is_chinese, overlap, tokens
from .words_of import words_of

_A_BULLET = 0.75
_ENOUGH = 2000
_NEW = {True: 4, False: 3}


def says_more(case: Case, made: Made) -> str:
    """A bullet in a frame is no insight, nor is the intent said back: what is new must be words of its own."""
    shown, bullets = made.summary["insight"], made.summary["bullets"]
    line = without_intent(shown, case.intent)
    said = max(bullets, key=lambda bullet: overlap(line, bullet))
    if overlap(line, said) >= _A_BULLET:
        return f"it repeats a bullet: “{shown}”"
    known = tokens(" ".join((*bullets, case.intent, case.title, *words_of("about_texts"))))
    new = tokens(line) - known
    if len(new) < _NEW[is_chinese(line)]:
        return f"nothing in it is new: “{shown}”"
    # "Which of this helps?" fits any text. An insight in another language than the text's shares no words with it.
    if is_chinese(line) == is_chinese(case.text[:_ENOUGH]) and len(tokens(line) & tokens(case.text)) < 2:
        return f"it has nothing of this text: “{shown}”"
    return ""


INSIGHT = (Check("P2", "the insight says more than the bullets", says_more),)
