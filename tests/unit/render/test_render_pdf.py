"""The PDF: the picture's look, with text that can be searched, copied and read aloud."""

import re
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from readdo.render.files import render
from readdo.render.render_request import CardSource, RenderError
from unit.render import cards
from unit.render.documents import copied

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
def test_all_of_the_card_can_be_copied(card: dict[str, Any], theme: str, layout: str) -> None:
    made = pdf(card, theme=theme, layout=layout)
    text = copied(made)
    for wanted in (card["headline"], *card["points"], card["insight"], card["action"], "example.com", "Read→Do"):
        assert "".join(wanted.split()) in text
    (page,) = pypdfium2.PdfDocument(made)
    assert page.get_size() == cards.LAYOUTS[layout]


@by_card
def test_no_place_to_break_is_copied_with_the_text(card: dict[str, Any]) -> None:
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
def test_a_word_is_found(card: dict[str, Any], word: str) -> None:
    assert pypdfium2.PdfDocument(pdf(card))[0].get_textpage().search(word).get_next() is not None


@by_card
def test_it_says_its_title_and_language_and_no_more(card: dict[str, Any]) -> None:
    made = pdf(card)
    told = pypdfium2.PdfDocument(made).get_metadata_dict(skip_empty=True)
    assert told.pop("Creator").startswith("Typst")
    assert told == {"Title": card["headline"]}
    lang = b"zh" if card in (cards.chinese(), cards.mixed()) else b"en"
    assert b"/Lang(" + lang + b")" in made
    assert b"/S/H1" in made, "the headline is a heading for who listens"
    assert b"<pdfuaid:part>1<" in made, "PDF/UA-1: what a screen reader needs is in it"
    assert SOURCE.intent.encode() not in made


def test_it_bears_no_date() -> None:
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
def test_a_hostile_title_is_a_title(headline: str) -> None:
    made = pdf(cards.english() | {"headline": headline})
    told = pypdfium2.PdfDocument(made).get_metadata_dict(skip_empty=True)
    assert told["Title"] == headline
    assert set(told) == {"Title", "Creator"}
    assert "".join(headline.split()) in copied(made)


def test_the_source_is_a_link_if_it_leads_to_the_web() -> None:
    assert b"/URI(https://example.com/leases?a=1)" in pdf(cards.english())
    han = pdf(cards.chinese(), CardSource(url="https://example.com/文章 (1)", domain="example.com"))
    assert b"/URI(https://example.com/%E6%96%87%E7%AB%A0%20%281%29)" in han
    for url in ("javascript:alert(1)", "file:///etc/passwd", ""):
        assert b"/URI" not in pdf(cards.english(), CardSource(url=url, domain="example.com"))


UNITS = ["深", "读完之后要行动，", "W", "word and ", "snake_case_", cards.URL, "カー", "한국어 ", "”“ (", "—"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("layout", cards.LAYOUTS)
def test_the_fullest_card_is_one_page_and_whole(unit: str, layout: str) -> None:
    card = cards.fullest(unit, layout=layout, padding=80)
    made = pdf(card, CardSource(url=cards.URL, domain="d" * 200))
    assert len(pypdfium2.PdfDocument(made)) == 1
    text = copied(made)
    assert text.count("".join(card["points"][0].split())) >= 3
    assert "".join(card["action"].split()) in text


def test_what_no_font_has_refuses_it_as_it_does_the_picture() -> None:
    card = cards.english() | {"insight": "This is ภาษาไทย, my dear"}
    with pytest.raises(RenderError, match=r"The pdf file could not be made: no font here .*U\+0E20") as caught:
        render(card, formats=["pdf", "html"], source=SOURCE)
    assert caught.value.format == "pdf"
    assert "ภาษาไทย" in caught.value.made["html"].decode()


def test_without_a_font_there_is_still_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(_name: str) -> Any:
        return None

    monkeypatch.setenv("READDO_FONTS", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", nothing)
    with pytest.raises(RenderError, match="The pdf file could not be made: the card's font") as caught:
        render(cards.chinese(), formats=["pdf", "html"], source=SOURCE)
    assert set(caught.value.made) == {"html"}


def test_a_card_beyond_the_schema_is_refused_and_not_cut() -> None:
    with pytest.raises(RenderError, match="too long"):
        pdf(cards.english() | {"insight": "深" * 3000})
