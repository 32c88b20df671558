"""Request to render a card, and the error if a format fails."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from readdo.render.palette import PALETTES, PIXELS
from readdo.render.script_language import language


@dataclass(frozen=True)
class CardSource:
    """The source of a card and the reason for saving it. All fields may be empty."""

    title: str = ""
    url: str = ""
    domain: str = ""
    intent: str = ""


class RenderError(Exception):
    """A format failed, with one sentence for the user. `made` holds the formats that succeeded."""

    def __init__(self, format_: str, why: str) -> None:
        super().__init__(f"The {format_} file could not be made: {why}")
        self.format = format_
        self.why = why
        self.made: dict[str, bytes] = {}


@dataclass(frozen=True)
class RenderRequest:
    """A card with its source, theme and layout."""

    card: Mapping[str, Any]
    source: CardSource
    theme: str
    layout: str
    beside: Collection[str] = ()  # the formats known to be in the same set of files

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        # Not the copy in render_spec, which is outdated after an edit of the card.
        card = self.card
        return {
            "headline": [card["headline"]],
            "points": list(card["points"]),
            "insight": [card["insight"]],
            "action": [card["action"]],
        }

    @cached_property
    def language(self) -> str:
        return language(" ".join(text for group in self.texts.values() for text in group))

    def look(self, form: str) -> tuple[dict[str, str], tuple[int, int]]:
        """The colours, and the width and height in pixels."""
        if self.theme not in PALETTES or self.layout not in PIXELS:
            raise RenderError(form, f"there is no theme {self.theme} with layout {self.layout}.")
        return PALETTES[self.theme], PIXELS[self.layout]

    @property
    def brand(self) -> Mapping[str, Any]:
        brand: Mapping[str, Any] = self.card["render_spec"]["payload"]["brand"]
        return brand

    @property
    def padding(self) -> int:
        return int(self.card["render_spec"]["payload"]["layout"]["padding"])


def utf8(text: str) -> bytes:
    # A lone surrogate is valid in JSON's \\u notation but cannot be encoded, so it becomes "?".
    return text.encode("utf-8", errors="replace")
