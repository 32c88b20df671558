"""P2: the headline is specific to this text."""

from .judging import Case, Check, Results
from .reasons import without_intent
from .tokens import plain, tokens
from .words_of import words_of


def specific(case: Case, results: Results) -> str:
    headline = results.card["headline"]
    own = tokens(without_intent(headline, case.intent))
    for word in sorted(words_of("generic_headline"), key=len, reverse=True):
        own -= tokens(word)
    if not own:
        return f"the headline fits any text: “{headline}”"
    if case.title and plain(case.title) == plain(headline):
        return ""
    if own <= tokens(case.intent):
        return f"the headline only repeats the intent: “{headline}”"
    # One additional word does not make the intent a headline: two words must come from this text.
    grounded = own & (tokens(case.text) | tokens(case.title))
    return "" if len(grounded) >= 2 else f"the headline has hardly any words of this text: “{headline}”"


HEADLINE = (Check("P2", "the headline is specific", specific),)
