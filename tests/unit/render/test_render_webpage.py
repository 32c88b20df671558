"""The web page: its content, its language, and the metadata for link previews."""

import re
from typing import Any
from urllib.parse import unquote

import pytest

from readdo.render.download_names import download_name
from readdo.render.files import render
from readdo.render.palette import PALETTES
from readdo.render.render_request import CardSource, RenderError, RenderRequest
from readdo.render.type_scale import scale
from unit.render import cards
from unit.render.cards import Fit
from unit.render.documents import Element, meta, parsed, read, text_of

CARDS = {"english": cards.english(), "chinese": cards.chinese(), "mixed": cards.mixed()}
by_card = pytest.mark.parametrize("card", CARDS.values(), ids=CARDS)
WEB = CardSource("Fencing tokens", "https://example.com/leases?a=1&b=2", "example.com", "a private reason")


def page(card: dict[str, Any], source: CardSource = WEB, **more: Any) -> Element:
    return parsed(render(card, formats=["html"], source=source, **more)["html"])


def rules(document: Element) -> str:
    (style,) = document.xpath("//style")
    return text_of(style)


@by_card
@pytest.mark.parametrize("layout", cards.LAYOUTS)
@pytest.mark.parametrize("theme", PALETTES)
def test_page_contains_the_complete_card_in_every_theme_and_layout(
    card: dict[str, Any], theme: str, layout: str
) -> None:
    document = page(card, theme=theme, layout=layout)
    fields = {"headline": [card["headline"]], "points": card["points"]}
    assert read(document) == fields | {"insight": [card["insight"]], "action": [card["action"]]}
    (title,) = document.xpath("/html/head/title")
    assert text_of(title) == card["headline"]
    width, height = cards.LAYOUTS[layout]
    assert f"--ratio: {width} / {height};" in rules(document)
    assert f"--paper: {PALETTES[theme]['paper']};" in rules(document)
    assert meta(document, "theme-color") == PALETTES[theme]["paper"]


def test_unknown_theme_fails_with_a_message() -> None:
    with pytest.raises(RenderError, match="The html file could not be made: there is no theme PINK"):
        page(cards.english(), theme="PINK")


@by_card
def test_page_does_not_contain_the_intent(card: dict[str, Any]) -> None:
    markup = render(card, formats=["html"], source=WEB, beside=["png"])["html"].decode()
    assert WEB.intent not in markup


def test_page_links_to_its_source() -> None:
    document = page(cards.english())
    (link,) = document.xpath("//a")
    assert link.get("href") == WEB.url
    assert text_of(link) == WEB.title
    assert text_of(document.xpath("//footer/p[@class='source']")[0]) == "Fencing tokens example.com"
    assert text_of(document.xpath("//footer/p[@class='mark']")[0]) == "Read→Do"


@pytest.mark.parametrize(
    ("source", "footer"),
    [
        (CardSource(), []),
        (CardSource(title="只有标题"), ["只有标题"]),
        (CardSource(domain="example.com"), ["example.com"]),
        (CardSource(url="https://example.com/a"), ["https://example.com/a"]),
        (CardSource(url="https://example.com/a", domain="example.com"), ["example.com"]),
        (CardSource(title="A paper", url="doi:10.1000/182"), ["A paper doi:10.1000/182"]),
    ],
)
def test_unknown_parts_of_the_source_are_left_out(source: CardSource, footer: list[str]) -> None:
    document = page(cards.english(watermark=""), source)
    assert [text_of(part) for part in document.xpath("//footer/p")] == footer
    assert bool(document.xpath("//a")) == source.url.startswith("https")


@pytest.mark.parametrize(
    ("card", "lang", "direction", "label"),
    [
        (cards.english(), "en", "ltr", "→ Do"),
        (cards.chinese(), "zh", "ltr", "→ 下一步"),
        (cards.card("קרא פחות ועשה יותר", ["קרא פחות היום"] * 3, "קרא פחות היום", "כתוב רשימה"), "he", "rtl", "← Do"),
    ],
)
def test_page_has_the_language_of_the_card(card: dict[str, Any], lang: str, direction: str, label: str) -> None:
    document = page(card)
    (root,) = document.xpath("/html")
    assert (root.get("lang"), root.get("dir")) == (lang, direction)
    assert text_of(document.xpath("//h2")[0]) == label


def test_text_in_another_language_is_marked() -> None:
    points = ["Little’s law gives the bound", "用 Little 定律算上限，写下来", "اقرأ أقل وافعل أكثر"]
    document = page(cards.chinese() | {"points": points})
    languages = [[(span.get("lang"), span.get("dir")) for span in li.xpath("./span")] for li in document.xpath("//li")]
    assert languages == [[("en", "ltr")], [], [("ar", "rtl")]]


@by_card
def test_page_has_metadata_for_link_previews(card: dict[str, Any]) -> None:
    document = page(card, beside=["md", "png", "html"], layout="CARD_1x1_V1")
    open_graph = {name: meta(document, f"og:{name}") for name in ("type", "title", "description", "url")}
    assert open_graph == {
        "type": "article",
        "title": card["headline"],
        "description": card["insight"],
        "url": WEB.url,
    }
    assert meta(document, "description") == card["insight"]
    image = meta(document, "og:image")
    assert image is not None
    assert re.fullmatch(r"[A-Za-z0-9%._~-]+", image), "a relative address with one segment"
    assert unquote(image) == download_name("png", card, WEB)
    image_properties = [meta(document, f"og:image:{name}") for name in ("type", "width", "height", "alt")]
    assert image_properties == ["image/png", "1080", "1080", card["headline"]]
    assert meta(document, "twitter:card") == "summary_large_image"


def test_preview_image_needs_an_exported_picture() -> None:
    for document in (page(cards.english()), page(cards.english(), beside=["html", "pdf"])):
        assert [meta(document, name) for name in ("og:image", "og:image:width", "og:image:alt")] == [None] * 3
        assert meta(document, "twitter:card") == "summary"
    files = render(cards.english(), formats=["png", "html"], source=WEB)
    assert meta(parsed(files["html"]), "og:image") == download_name("png", cards.english(), WEB).replace(" ", "%20")


def test_preview_url_must_be_a_web_address() -> None:
    assert meta(page(cards.english(), CardSource(url="javascript:alert(1)")), "og:url") is None


@pytest.mark.parametrize("layout", cards.LAYOUTS)
@by_card
def test_font_size_is_close_to_the_pictures(card: dict[str, Any], layout: str, fit: Fit) -> None:
    shaped = cards.card(
        card["headline"], card["points"], card["insight"], card["action"], layout=layout, padding=card_padding(card)
    )
    chosen, estimated = fit(shaped), scale(RenderRequest(shaped, CardSource(), "LIGHT", layout))
    assert estimated.size == pytest.approx(chosen["size"], rel=0.15)
    assert estimated.head == pytest.approx(chosen["head"], rel=0.25)


def card_padding(card: dict[str, Any]) -> int:
    return int(card["render_spec"]["payload"]["layout"]["padding"])


def test_fuller_card_has_a_smaller_font() -> None:
    texts = (cards.shortest(), cards.english(), cards.fullest("word and "), cards.fullest("深"))
    sizes = [scale(RenderRequest(card, CardSource(), "LIGHT", "CARD_4x5_V1")) for card in texts]
    assert [to.size for to in sizes] == sorted({to.size for to in sizes}, reverse=True)
    assert all(to.head >= 1.3 * to.size for to in sizes)


def test_long_word_breaks_but_is_copied_unchanged() -> None:
    document = page(cards.english() | {"insight": cards.URL, "headline": "W" * 90}, CardSource(url=cards.URL))
    assert read(document)["headline"] == ["W" * 90]
    assert read(document)["insight"] == [cards.URL]
    assert len(document.xpath("//h1//wbr")) >= 4
    assert len(document.xpath("//footer//wbr")) >= 4
    assert "\u200b" not in text_of(document)
    assert "overflow-wrap: anywhere" in rules(document)


@pytest.mark.parametrize("theme", PALETTES)
def test_print_style_is_black_on_white_with_addresses(theme: str) -> None:
    style = rules(page(cards.english(), theme=theme))
    printed = style[style.index("@media print") :]
    assert "--ink: #000; --paper: #fff;" in printed
    assert "attr(href)" in printed
    assert "@page" in style
