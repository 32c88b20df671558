"""Values of the options of a proof job: names of rules and of encodings."""

import codecs

RULES = (
    *("line_ends", "trailing_blanks", "ellipses", "dashes", "cjk_punctuation", "cjk_blanks", "quotes"),
    *("blank_lines", "indent"),
)
OFF_BY_DEFAULT = frozenset({"quotes"})


def known_codec(name: str) -> str | None:
    """Return Python's name of a text encoding; None if there is none."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return codec.name if codec._is_text_encoding else None  # as bytes.decode checks it
