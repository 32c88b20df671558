"""P2: the insight adds something to the bullets."""

from .judging import Case, Check, Results
from .reasons import without_intent
from .tokens import is_chinese, overlap, tokens
from .words_of import words_of

_A_BULLET = 0.75
_ENOUGH = 2000
_NEW = {True: 4, False: 3}


def says_more(case: Case, results: Results) -> str:
    """Require new words: neither a reworded bullet nor the repeated intent is an insight."""
    insight, bullets = results.summary["insight"], results.summary["bullets"]
    line = without_intent(insight, case.intent)
    closest = max(bullets, key=lambda bullet: overlap(line, bullet))
    if overlap(line, closest) >= _A_BULLET:
        return f"the insight repeats a bullet: “{insight}”"
    seen_words = tokens(" ".join((*bullets, case.intent, case.title, *words_of("about_texts"))))
    new = tokens(line) - seen_words
    if len(new) < _NEW[is_chinese(line)]:
        return f"the insight adds nothing new: “{insight}”"
    # "Which of this helps?" fits any text. An insight in another language shares no words with the text.
    if is_chinese(line) == is_chinese(case.text[:_ENOUGH]) and len(tokens(line) & tokens(case.text)) < 2:
        return f"the insight has no words of this text: “{insight}”"
    return ""


INSIGHT = (Check("P2", "the insight says more than the bullets", says_more),)
