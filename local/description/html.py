"""Elements as text. What is not an element already is escaped, so that no word of ours or of an example is markup."""

from html import escape


class Html(str):
    """Text that is markup by intent."""

    __slots__ = ()


Inside = Html | str | None
_EMPTY = frozenset({"meta", "wbr"})


def tag(name: str, /, *inside: Inside, **attributes: str) -> Html:
    """`class_` is a word of Python's, which a trailing underscore frees; an inner one is a dash."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items() if value
    )
    if name in _EMPTY:
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{joined(*inside)}</{name}>")


def joined(*parts: Inside) -> Html:
    return Html("".join(part if isinstance(part, Html) else escape(part, quote=False) for part in parts if part))


def prose(words: str) -> Html:
    """A sentence in which `this` is code."""
    parts = words.split("`")
    return joined(*(tag("code", part) if n % 2 else part for n, part in enumerate(parts)))
