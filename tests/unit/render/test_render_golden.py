"""Every card looks as it did when somebody last looked, and the measure of that sees what a reader would see."""

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
# One theme and layout each is enough for the measure itself.
MEASURED = [Case("english", "LIGHT", "CARD_1x1_V1"), Case("chinese", "DARK", "CARD_4x5_V1")]
SHORTEST_WORDS = {"english": "it", "chinese": "时了"}


def rasterised(pdf: bytes) -> Image.Image:
    (page,) = pypdfium2.PdfDocument(pdf)
    drawn: Image.Image = page.render(scale=1).to_pil()
    return drawn


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_the_picture_and_the_pdf_look_as_they_did(case: Case) -> None:
    kept = Image.open(case.path)
    for drawn in (picture(case.drawn("png")), rasterised(case.drawn("pdf"))):
        found = difference(reduced(drawn), kept)
        assert found.same, f"{case.path.name}: {found}. If it is meant: golden.py --renew, and look at it."


def test_there_is_no_picture_without_a_card() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {case.path.name for case in CASES}


def compared(case: Case, change: Callable[[Image.Image], Image.Image]) -> Difference:
    original = picture(case.drawn("png"))
    return difference(reduced(change(original)), reduced(original))


def measured(test: Callable[..., None]) -> Callable[..., None]:
    return pytest.mark.parametrize("case", MEASURED, ids=["english", "chinese"])(test)


def box_of(word: str, case: Case) -> tuple[int, int, int, int]:
    """Where a word stands on the picture: the PDF of the same card knows."""
    (page,) = pypdfium2.PdfDocument(case.drawn("pdf"))
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


@measured
@pytest.mark.parametrize("change", HARMLESS.values(), ids=HARMLESS)
def test_what_no_reader_sees_is_no_difference(case: Case, change: Callable[[Image.Image], Image.Image]) -> None:
    found = compared(case, change)
    assert found.same, found
    assert found.spot > 0, "nothing was changed"


@measured
def test_a_word_of_two_letters_that_is_missing_is_seen(case: Case) -> None:
    def without(original: Image.Image) -> Image.Image:
        ImageDraw.Draw(changed := original.copy()).rectangle(
            box_of(SHORTEST_WORDS[case.card], case), fill=PALETTES[case.theme]["paper"]
        )
        return changed

    assert not compared(case, without).same


@measured
@pytest.mark.parametrize("pixels", [20, -20, 10])
def test_a_line_that_moved_is_seen(case: Case, pixels: int) -> None:
    def moved(original: Image.Image) -> Image.Image:
        _, top, _, bottom = box_of("429", case)
        line = original.crop((100, top, 1060, bottom))
        ImageDraw.Draw(changed := original.copy()).rectangle(
            (100, top, 1060, bottom), fill=PALETTES[case.theme]["paper"]
        )
        changed.paste(line, (100, top + pixels))
        return changed

    assert not compared(case, moved).same


@measured
def test_another_theme_another_accent_and_another_paper_are_seen(case: Case) -> None:
    other = case._replace(theme="DARK" if case.theme == "LIGHT" else "LIGHT")
    assert not compared(case, lambda _: picture(other.drawn("png"))).same
    tint = Image.new("RGB", cards.LAYOUTS[case.layout], "#040404")
    assert not compared(case, lambda one: ImageChops.subtract(one, tint)).same
    swapped = compared(case, lambda one: Image.merge("RGB", one.split()[::-1]))
    assert not swapped.same


@measured
def test_a_card_whose_text_has_one_word_less_is_seen(case: Case) -> None:
    card = {"english": cards.english, "chinese": cards.chinese}[case.card]()
    card["points"][2] = card["points"][2].replace(" clear", "").replace("明确", "")
    made = render(card, formats=["png"], theme=case.theme, layout=case.layout, source=CardSource(domain="example.com"))
    assert not compared(case, lambda _: picture(made["png"])).same


@measured
def test_what_is_kept_is_the_picture_itself(case: Case) -> None:
    drawn = reduced(picture(case.drawn("png")))
    found = difference(drawn, Image.open(io.BytesIO(packed(drawn))))
    assert found.spot <= 3
    assert found.whole < 0.5
    assert case.path.stat().st_size < 12_000


def test_pictures_of_other_sizes_are_never_the_same() -> None:
    assert not difference(Image.new("RGB", (270, 270)), Image.new("RGB", (270, 338))).same
