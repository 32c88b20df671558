"""The picture has the right size and shows every word completely."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from readdo.render import fonts
from readdo.render.files import render
from readdo.render.palette import PALETTES
from readdo.render.render_request import CardSource, RenderError, RenderRequest
from readdo.render.typst_data import page_data
from unit.render import cards
from unit.render.cards import Fit
from unit.render.pixels import changed_box, drawn_box, header_size, image

OVERSHOOT = 5  # a j or an Arabic letter extends a few pixels beyond its box
EDGES = [(layout, padding) for layout in cards.LAYOUTS for padding in (16, 80)]
UNITS = ["深", "读完之后要行动，", "W", "x", "word and ", "snake_case_", cards.URL, "カー", "한국어 ", "”“ (", "—"]


def png(card: dict[str, Any], **more: Any) -> bytes:
    source = CardSource(domain=more.pop("domain", "example.com"))
    return render(card, formats=["png"], source=source, **more)["png"]


@pytest.mark.parametrize("layout", cards.LAYOUTS)
@pytest.mark.parametrize("theme", ["LIGHT", "DARK"])
def test_picture_has_the_size_of_its_layout(layout: str, theme: str) -> None:
    assert header_size(png(cards.english(), layout=layout, theme=theme)) == cards.LAYOUTS[layout]


def test_theme_and_layout_default_to_the_cards_own() -> None:
    card = cards.chinese(theme="DARK", layout="CARD_1x1_V1")
    assert png(card) == png(cards.chinese(), theme="DARK", layout="CARD_1x1_V1")
    assert png(card, theme="LIGHT", layout="CARD_4x5_V1") == png(cards.chinese())


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("layout", "padding"), EDGES)
def test_fullest_card_fits_into_the_picture(unit: str, layout: str, padding: int, fit: Fit) -> None:
    card = cards.fullest(unit, layout=layout, padding=padding)
    jsonschema.validate(card, cards.schema())
    sizes = fit(card)
    assert sizes["floor"] <= sizes["size"]
    assert sizes["natural"] <= sizes["room"]
    left, top, right, bottom = drawn_box(png(card, domain="d" * 200))
    width, height = cards.LAYOUTS[layout]
    assert min(left, top) >= padding - OVERSHOOT
    assert right <= width - padding + OVERSHOOT
    assert bottom <= height - padding + OVERSHOOT


@pytest.mark.parametrize(("layout", "padding"), EDGES)
@pytest.mark.parametrize("field", ["headline", "points", "insight", "action", "watermark"])
def test_last_letter_of_each_text_is_visible(field: str, layout: str, padding: int) -> None:
    card = cards.fullest("深", layout=layout, padding=padding)
    other = cards.fullest("深", layout=layout, padding=padding)
    if field == "watermark":
        brand = other["render_spec"]["payload"]["brand"]
        brand["watermark"] = brand["watermark"][:-1] + "二"
    elif field == "points":
        other["points"] = [*other["points"][:2], other["points"][2][:-1] + "二"]
    else:
        other[field] = other[field][:-1] + "二"
    box = changed_box(png(card), png(other))
    assert box is not None, "the letter is missing"
    assert max(box[2] - box[0], box[3] - box[1]) < 100, "only one letter has changed"


@pytest.mark.parametrize("layout", cards.LAYOUTS)
def test_short_card_has_a_larger_font_than_a_full_one(layout: str, fit: Fit) -> None:
    short, usual, full = (
        fit(card) for card in (cards.shortest(layout=layout), cards.english(layout=layout), cards.fullest("深"))
    )
    assert short["size"] > usual["size"] > full["size"]
    assert short["head"] >= 1.5 * short["size"]


def test_long_word_reduces_the_headline_size(fit: Fit) -> None:
    card = cards.shortest() | {"headline": "W" * 20}
    assert fit(card)["head"] < fit(cards.shortest())["head"]
    assert drawn_box(png(card))[2] <= 1080 - 64 + OVERSHOOT


@pytest.mark.parametrize("theme", ["LIGHT", "DARK"])
def test_insight_has_the_colour_of_the_text_around_it(theme: str) -> None:
    """A thin stem may be weaker than its colour, but never stronger."""
    card = cards.english() | {"insight": "M" * 12}
    picture, other = (png(one, theme=theme) for one in (card, card | {"insight": "I" * 12}))
    box = changed_box(picture, other)
    assert box is not None
    quiet = int(PALETTES[theme]["quiet"][1:3], 16)
    reds = [colour[0] for _, colour in image(picture).crop(box).getcolors(1 << 21) or [] if isinstance(colour, tuple)]
    assert max(reds) > quiet + 20 if theme == "DARK" else min(reds) < quiet - 20


@pytest.mark.parametrize(
    ("card", "action", "label"),
    [
        (cards.chinese(), "List every queue and write down its bound.", "Do"),
        (cards.english(), "列出订单服务里的所有队列，写下各自的上限。", "下一步"),
        (cards.chinese(), "Follow this advice: “列出订单服务里的所有队列”", "Do"),
    ],
)
def test_label_is_in_the_language_of_the_action(card: dict[str, Any], action: str, label: str) -> None:
    changed = card | {"action": action}
    page = page_data(
        RenderRequest(changed, CardSource(), "LIGHT", "CARD_4x5_V1"), fonts.letters(fonts.directory()), "png"
    )
    assert page["do"] == label
    document = render(changed, formats=["md"], source=CardSource())["md"].decode()
    assert f"\n## {label}\n" in document


def test_typst_code_in_a_text_is_plain_text() -> None:
    hostile = ['#panic("x")', "#set page(width: 9pt)", "$ x^2 $ *b* // gone"]
    plain = cards.english() | {"points": hostile}
    picture = png(plain)
    assert header_size(picture) == (1080, 1350)
    for index in range(3):
        other = plain | {"points": [*hostile[:index], hostile[index][:-1] + "W", *hostile[index + 1 :]]}
        assert changed_box(picture, png(other)), "the last letter of the code must be visible"
    red = png(cards.english() | {"action": "#text(fill: rgb(255, 0, 255))[magenta]"})
    assert (255, 0, 255) not in {colour for _, colour in image(red).getcolors(1 << 21) or []}


def test_a_card_beyond_the_schema_is_refused_and_not_cut() -> None:
    with pytest.raises(RenderError, match="too long"):
        png(cards.english() | {"insight": "深" * 3000})


def test_files_are_the_same_in_every_process() -> None:
    code = (
        "import sys; from unit.render import cards\n"
        "from readdo.render.files import *; from readdo.render.render_request import CardSource\n"
        "made = render(cards.chinese(), formats=list(FILE_NAMES), source=CardSource())\n"
        "sys.stdout.buffer.write(b''.join(made.values()))"
    )
    here = Path(__file__).parents[3]
    path = os.pathsep.join([str(here / "layers" / "domain"), str(here / "tests")])
    runs = [
        subprocess.run(  # noqa: S603
            [sys.executable, "-c", code],
            # typst reads a clock. It must not affect the file.
            env=os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": f"{seed}00000000"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] != b""
