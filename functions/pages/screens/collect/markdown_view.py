"""Documents as safe HTML: no HTML of their own, no images, and headings below those of the page."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from readdo.collect.markdown_parts import split_front_matter

_HEADINGS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}


def render_markdown(content: str) -> Markup:
    """Safe HTML: the parser escapes HTML, and refuses links such as javascript:."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - other pages do not need it

    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    tokens = parser.parse(split_front_matter(content)[1])
    _adapt(tokens)
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 - see above


def _adapt(tokens: Sequence[Any]) -> None:
    for token in tokens:
        token.tag = _HEADINGS.get(token.tag, token.tag)
        if token.type == "link_open":
            token.attrSet("rel", "noopener noreferrer nofollow")
        _adapt(token.children or ())
