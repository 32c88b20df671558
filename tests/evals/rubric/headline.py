"""P2: the headline belongs to this text and to no other."""

from .judging import Case, Check, Made
from .reasons import without_intent
from .tokens import plain, tokens
from .words_of import words_of


def specific(case: Case, made: Made) -> str:
    headline = made.card["headline"]
    own = tokens(without_intent(headline, case.intent))
    for word in sorted(words_of("generic_headline"), key=len, reverse=True):
        own -= tokens(word)
    if not own:
        return f"it fits any text: “{headline}”"
    if case.title and plain(case.title) == plain(headline):
        return ""
    if own <= tokens(case.intent):
        return f"it is only the intent: “{headline}”"
    # One word in front of the intent is no headline: two must be of this text.
    grounded = own & (tokens(case.text) | tokens(case.title))
    return "" if len(grounded) >= 2 else f"hardly anything in it is of this text: “{headline}”"


HEADLINE = (Check("P2", "the headline is specific", specific),)
