"""Build HTML elements as text. Plain strings are escaped."""

from html import escape


class Html(str):
    """Markup that must not be escaped."""

    __slots__ = ()


Inside = Html | str | None
_EMPTY = frozenset({"meta", "wbr"})


def tag(name: str, /, *inside: Inside, **attributes: str) -> Html:
    """An element. `class_` becomes the attribute `class`, and `data_label` becomes `data-label`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"' for key, value in attributes.items() if value
    )
    if name in _EMPTY:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(*inside)}</{name}>")


def joined(*parts: Inside) -> Html:
    return Html("".join(part if isinstance(part, Html) else escape(part, quote=False) for part in parts if part))


def prose(words: str) -> Html:
    """A text with `code` in backticks."""
    parts = words.split("`")
    return joined(*(tag("code", part) if n % 2 else part for n, part in enumerate(parts)))
