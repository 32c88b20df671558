"""Known differences of implementations from DynamoDB, each with the reason why it does no harm."""

import re

_THERE = r"(text|empty|number|fraction|yes|map|list|Chinese|map\.in|map\.deep\.er|pk|sk)"
_NOT_THERE = r"(missing|map\.none|none\.in|text\.in|list\.in)"
# Implementation → (pattern of case names, reason).
KNOWN: dict[str, tuple[tuple[str, str], ...]] = {
    "double": (("together: the same sent again under its token", "it knows no tokens: a transaction is one call"),),
    "moto": (
        (
            "together: the same sent again under its token",
            "it does not know ClientRequestToken: what is sent again is made or refused again; `last_write` tells then",
        ),
        (f"compared to another type: {_THERE} [<>]=?", "it stops at an order between two types, which is just false"),
        (f"compared to another type: {_NOT_THERE} =", "it takes what is not there for NULL; the store never asks that"),
        ("compared to another type: yes =", "it takes true for 1; the store keeps numbers where it compares them"),
        ("update: sets in (what is no map|a list)", "it ignores a name within a text or a list"),
        ("update: sets (a map and in it|in a map and removes it)", "it does not see that two paths overlap"),
        ("key: without letters", "it takes an empty key"),
        ("index: a key of another type", "it takes what the index cannot hold"),
        ("read: a stretch the wrong way round", "it finds nothing"),
    ),
    "ministack": (
        ("update(?: of no row)?: removes in (?:a map|what is no map).*", "it does not miss the map"),
        ("update of no row: adds in a map.*|update: adds in a map that is missing", "it makes the map"),
        ("update: appends to a text", "it takes the text for an empty list"),
        ("update(?: of no row)?: (?:sets|adds) and (?:removes|sets) the same", "it does not see that paths overlap"),
        ("update: sets (?:a map and in it|in a map and removes it)", "it does not see that paths overlap"),
    ),
}


def reason(implementation: str, case: str) -> str | None:
    return next((why for pattern, why in KNOWN.get(implementation, ()) if re.fullmatch(pattern, case)), None)
