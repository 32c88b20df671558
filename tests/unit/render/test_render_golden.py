"""Every card looks like its reference picture, and the comparison detects visible changes only."""

import io
from collections.abc import Callable

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from readdo.render.files import render
from readdo.render.palette import PALETTES
from readdo.render.render_request import CardSource
from unit.render import cards
from unit.render.golden import FOLDER, Case, cases, picture
from unit.render.likeness import Difference, difference, packed, reduced

CASES = list(cases())
NAMES = [case.path.stem for case in CASES]
# One theme and layout each is enough to test the comparison.
MEASURED = [Case("english", "LIGHT", "CARD_1x1_V1"), Case("chinese", "DARK", "CARD_4x5_V1")]
SHORTEST_WORDS = {"english": "it", "chinese": "时了"}


def rasterised(pdf: bytes) -> Image.Image:
    (page,) = pypdfium2.PdfDocument(pdf)
    rendered: Image.Image = page.render(scale=1).to_pil()
    return rendered


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_picture_and_pdf_match_their_reference(case: Case) -> None:
    reference = Image.open(case.path)
    for rendered in (picture(case.rendered("png")), rasterised(case.rendered("pdf"))):
        result = difference(reduced(rendered), reference)
        assert result.same, f"{case.path.name}: {result}. If the change is intended: golden.py --renew, and look at it."


def test_every_reference_picture_has_a_card() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {case.path.name for case in CASES}


def compare_after(case: Case, change: Callable[[Image.Image], Image.Image]) -> Difference:
    original = picture(case.rendered("png"))
    return difference(reduced(change(original)), reduced(original))


def with_measured_cards(test: Callable[..., None]) -> Callable[..., None]:
    return pytest.mark.parametrize("case", MEASURED, ids=["english", "chinese"])(test)


def box_of(word: str, case: Case) -> tuple[int, int, int, int]:
    """Find the position of a word with the PDF of the same card."""
    (page,) = pypdfium2.PdfDocument(case.rendered("pdf"))
    text = page.get_textpage()
    start, count = text.search(word).get_next()
    boxes = [text.get_charbox(index) for index in range(start, start + count)]
    height = page.get_size()[1]
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    top, bottom = height - max(box[3] for box in boxes), height - min(box[1] for box in boxes)
    return int(left) - 2, int(top) - 2, int(right) + 3, int(bottom) + 3


def as_jpeg(original: Image.Image) -> Image.Image:
    buffer = io.BytesIO()
    original.save(buffer, "JPEG", quality=60)
    return Image.open(buffer).convert("RGB")


HARMLESS: dict[str, Callable[[Image.Image], Image.Image]] = {
    "one pixel to the right": lambda one: ImageChops.offset(one, 1, 0),
    "one pixel to the right and down": lambda one: ImageChops.offset(one, 1, 1),
    "stored as a JPEG": as_jpeg,
    "softer edges": lambda one: one.filter(ImageFilter.GaussianBlur(1)),
}


@with_measured_cards
@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_harmless_change_is_no_difference(case: Case, change: Callable[[Image.Image], Image.Image]) -> None:
    result = compare_after(case, change)
    assert result.same, result
    assert result.spot > 0, "nothing was changed"


@with_measured_cards
def test_missing_short_word_is_detected(case: Case) -> None:
    def without_word(original: Image.Image) -> Image.Image:
        ImageDraw.Draw(changed := original.copy()).rectangle(
            box_of(SHORTEST_WORDS[case.card], case), fill=PALETTES[case.theme]["paper"]
        )
        return changed

    assert not compare_after(case, without_word).same


@with_measured_cards
@pytest.mark.parametrize("pixels", [20, -20, 10])
def test_moved_line_is_detected(case: Case, pixels: int) -> None:
    def move_line(original: Image.Image) -> Image.Image:
        _, top, _, bottom = box_of("429", case)
        line = original.crop((100, top, 1060, bottom))
        ImageDraw.Draw(changed := original.copy()).rectangle(
            (100, top, 1060, bottom), fill=PALETTES[case.theme]["paper"]
        )
        changed.paste(line, (100, top + pixels))
        return changed

    assert not compare_after(case, move_line).same


@with_measured_cards
def test_other_theme_accent_or_paper_is_detected(case: Case) -> None:
    other = case._replace(theme="DARK" if case.theme == "LIGHT" else "LIGHT")
    assert not compare_after(case, lambda _: picture(other.rendered("png"))).same
    tint = Image.new("RGB", cards.LAYOUTS[case.layout], "#040404")
    assert not compare_after(case, lambda one: ImageChops.subtract(one, tint)).same
    swapped = compare_after(case, lambda one: Image.merge("RGB", one.split()[::-1]))
    assert not swapped.same


@with_measured_cards
def test_card_with_one_word_less_is_detected(case: Case) -> None:
    card = {"english": cards.english, "chinese": cards.chinese}[case.card]()
    card["points"][2] = card["points"][2].replace(" clear", "").replace("明确", "")
    files = render(card, formats=["png"], theme=case.theme, layout=case.layout, source=CardSource(domain="example.com"))
    assert not compare_after(case, lambda _: picture(files["png"])).same


@with_measured_cards
def test_packed_picture_is_nearly_unchanged(case: Case) -> None:
    rendered = reduced(picture(case.rendered("png")))
    result = difference(rendered, Image.open(io.BytesIO(packed(rendered))))
    assert result.spot <= 3
    assert result.whole < 0.5
    assert case.path.stat().st_size < 12_000


def test_pictures_of_different_sizes_differ() -> None:
    assert not difference(Image.new("RGB", (270, 270)), Image.new("RGB", (270, 338))).same
