"""The PDF looks like the picture, and its text can be searched, copied and read aloud."""

import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from readdo.render.files import render
from readdo.render.render_request import CardSource, RenderError
from unit.render import cards
from unit.render.documents import copied_text

LONG = cards.english() | {
    "headline": "Internationalisation_of_a_very_long_name",
    "insight": cards.URL,
    "action": 'Say “ (quoted) ” and "( x )" to ' + "W" * 60,
}
CARDS = {"english": cards.english(), "chinese": cards.chinese(), "mixed": cards.mixed(), "long": LONG}
by_card = pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
SOURCE = CardSource("Fencing tokens", "https://example.com/leases?a=1", "example.com", "a private reason")


def pdf(card: dict[str, Any], source: CardSource = SOURCE, **more: Any) -> bytes:
    return render(card, formats=["pdf"], source=source, **more)["pdf"]


@by_card
@pytest.mark.parametrize("layout", cards.LAYOUTS)
@pytest.mark.parametrize("theme", ["LIGHT", "DARK"])
def test_all_text_of_the_card_can_be_copied(card: dict[str, Any], theme: str, layout: str) -> None:
    document = pdf(card, theme=theme, layout=layout)
    text = copied_text(document)
    for expected in (card["headline"], *card["points"], card["insight"], card["action"], "example.com", "Read→Do"):
        assert "".join(expected.split()) in text
    (page,) = pypdfium2.PdfDocument(document)
    assert page.get_size() == cards.LAYOUTS[layout]


@by_card
def test_copied_text_contains_no_break_characters(card: dict[str, Any]) -> None:
    text = pypdfium2.PdfDocument(pdf(card))[0].get_textpage().get_text_range()
    assert "\u200b" not in text
    assert "Act once" in pypdfium2.PdfDocument(pdf(cards.shortest()))[0].get_textpage().get_text_range()


@pytest.mark.parametrize(
    ("card", "word"),
    [
        (LONG, "a_very_long_name"),
        (LONG, "and?query=parameters"),
        (cards.chinese(), "无界队列"),
        (cards.mixed(), "Redlock"),
    ],
)
def test_words_can_be_searched(card: dict[str, Any], word: str) -> None:
    assert pypdfium2.PdfDocument(pdf(card))[0].get_textpage().search(word).get_next() is not None


@by_card
def test_metadata_has_title_and_language_only(card: dict[str, Any]) -> None:
    document = pdf(card)
    metadata = pypdfium2.PdfDocument(document).get_metadata_dict(skip_empty=True)
    assert metadata.pop("Creator").startswith("Typst")
    assert metadata == {"Title": card["headline"]}
    lang = b"zh" if card in (cards.chinese(), cards.mixed()) else b"en"
    assert b"/Lang(" + lang + b")" in document
    assert b"/S/H1" in document, "the headline is a heading for screen readers"
    assert b"<pdfuaid:part>1<" in document, "the document claims PDF/UA-1"
    assert SOURCE.intent.encode() not in document


def test_pdf_contains_no_date() -> None:
    assert not re.search(rb"D:\d{8}|\d{4}-\d\d-\d\dT|CreateDate|ModifyDate", pdf(cards.english()))


@pytest.mark.parametrize(
    "headline",
    [
        'a title) /Author (me) /Title (" + panic() + ")',
        '#panic("x") $ x^2 $ *b* // gone',
        "</dc:title></rdf:Description> & <script>",
        "反斜杠 \\ 和括号 ) ( 都只是字",
    ],
)
def test_hostile_title_is_plain_text(headline: str) -> None:
    document = pdf(cards.english() | {"headline": headline})
    metadata = pypdfium2.PdfDocument(document).get_metadata_dict(skip_empty=True)
    assert metadata["Title"] == headline
    assert set(metadata) == {"Title", "Creator"}
    assert "".join(headline.split()) in copied_text(document)


def test_source_is_a_link_only_for_web_addresses() -> None:
    assert b"/URI(https://example.com/leases?a=1)" in pdf(cards.english())
    han = pdf(cards.chinese(), CardSource(url="https://example.com/文章 (1)", domain="example.com"))
    assert b"/URI(https://example.com/%E6%96%87%E7%AB%A0%20%281%29)" in han
    for url in ("javascript:alert(1)", "file:///etc/passwd", ""):
        assert b"/URI" not in pdf(cards.english(), CardSource(url=url, domain="example.com"))


UNITS = ["深", "读完之后要行动，", "W", "word and ", "snake_case_", cards.URL, "カー", "한국어 ", "”“ (", "—"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("layout", cards.LAYOUTS)
def test_fullest_card_fits_on_one_page(unit: str, layout: str) -> None:
    card = cards.fullest(unit, layout=layout, padding=80)
    document = pdf(card, CardSource(url=cards.URL, domain="d" * 200))
    assert len(pypdfium2.PdfDocument(document)) == 1
    text = copied_text(document)
    assert text.count("".join(card["points"][0].split())) >= 3
    assert "".join(card["action"].split()) in text


def test_letter_without_a_font_fails_the_pdf() -> None:
    card = cards.english() | {"insight": "This is ภาษาไทย, my dear"}
    with pytest.raises(RenderError, match=r"The pdf file could not be made: no font here .*U\+0E20") as caught:
        render(card, formats=["pdf", "html"], source=SOURCE)
    assert caught.value.format == "pdf"
    assert "ภาษาไทย" in caught.value.made["html"].decode()


def test_missing_font_fails_the_pdf_but_not_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def find_nothing(_name: str) -> Any:
        return None

    monkeypatch.setenv("READDO_FONTS", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", find_nothing)
    with pytest.raises(RenderError, match="The pdf file could not be made: the card's font") as caught:
        render(cards.chinese(), formats=["pdf", "html"], source=SOURCE)
    assert set(caught.value.made) == {"html"}


def test_a_card_beyond_the_schema_is_refused_and_not_cut() -> None:
    with pytest.raises(RenderError, match="too long"):
        pdf(cards.english() | {"insight": "深" * 3000})
