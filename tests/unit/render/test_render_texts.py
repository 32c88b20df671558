"""The files of text: whole, and safe to open in anything that reads them."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readdo.render.escape import escape, link
from readdo.render.files import FILE_NAMES, RENDERER, file_name, render
from readdo.render.render_request import CardSource, RenderError
from unit.render import cards

HOSTILE = [
    "# a heading",
    "<script>alert(1)</script>",
    "[click](javascript:alert(1))",
    "![pixel](https://evil.example/p.png)",
    "text\n\n# a heading\n- [x] done",
    "```\ncode\n```",
    "1. a list of its own",
    "- [x] a task of its own",
    "--- and --- a rule",
    "&lt;b&gt; &#60;",
    "a | b | c $x$ ~~gone~~ ==mark== %%hidden%%",
    "back\\slash at the end\\",
    "<javascript:alert(1)>",
]


def markdown(card: dict[str, Any], source: CardSource | None = None) -> str:
    return render(card, formats=["md"], source=source or CardSource())["md"].decode()


def unescaped(text: str) -> str:
    """The text with a stand-in for each escaped character: what is left over has its Markdown meaning."""
    return re.sub(r"\\[!-/:-@\[-`{-~]", "¤", text)


def test_the_document_has_all_of_the_card(source: CardSource) -> None:
    card = cards.english()
    lines = markdown(card, source).splitlines()
    assert lines[0] == f"# {card['headline']}"
    assert [line for line in lines if line.startswith("- ")][:3] == [f"- {point}" for point in card["points"]]
    assert f"> {card['insight']}" in lines
    assert f"- [ ] {card['action']}" in lines
    assert r"Source: [Queues \<b\>](<https://example.com/q?a=1>)" in lines
    assert "Saved because: why queues lie" in lines


def test_a_chinese_card_has_chinese_labels(source: CardSource) -> None:
    text = markdown(cards.chinese(), source)
    assert "## 去做\n" in text
    assert "来源：[" in text
    assert "收藏缘由：why" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    card = cards.card(text, [text] * 3, text, text)
    document = markdown(card, CardSource(title=text, url="https://example.com/", domain="", intent=text))
    lines = document.splitlines()
    starts = [re.match(r"# |- \[ \] |- |> |## Do$|---$|Source: |Saved because: |$", line) for line in lines]
    assert all(starts)
    assert [line for line in lines if line.startswith("#")] == [lines[0], "## Do"]
    assert sum(line.startswith("- [ ] ") for line in lines) == 1
    bodies = [unescaped(line[match.end() :]) for line, match in zip(lines, starts, strict=True) if match]
    bodies = [body.replace("](<https://example.com/>)", "").removeprefix("[") for body in bodies]
    assert not re.search(r"[<>\[\]`*_#~|$]|&#|&\w+;|==|%%", "\n".join(bodies))
    assert not any(re.match(r"\d+[.)]|[-+=] |--", body) for body in bodies)


def test_a_line_break_becomes_a_space() -> None:
    assert escape("one\n\ntwo\u2028three") == "one two three"


@given(st.text(max_size=80))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_escaping_keeps_every_word_on_one_line(text: str) -> None:
    line = escape(text)
    assert len(line.splitlines()) <= 1
    assert not re.search(r"[<>\[\]`*_#~|$\\]", unescaped(line))


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "java\nscript:x",
        "//x",
        "http://",
        "http://[",
        "javascript://a.example/%0Ax",
    ],
)
def test_only_an_address_of_the_web_becomes_a_link(url: str) -> None:
    assert "](" not in unescaped(link("title", url))
    assert "title" in link("title", url)


def test_an_address_cannot_end_its_own_brackets() -> None:
    made = link("t", "https://a.example/x>) <b> (y)&copy; z\\")
    assert made == "[t](<https://a.example/x%3E%29%20%3Cb%3E%20%28y%29%26copy;%20z%5C>)"


def test_the_caption_is_the_card_s_own() -> None:
    made = render(cards.english(caption="Mine.\r\nReally. 🚀\n\n"), formats=["caption"], source=CardSource())
    assert made["caption"] == "Mine.\nReally. 🚀\n".encode()


def test_an_empty_caption_is_built() -> None:
    made = render(cards.chinese(caption=" \n"), formats=["caption"], source=CardSource())["caption"].decode()
    card = cards.chinese()
    points = "\n".join(f"• {point}" for point in card["points"])
    assert made == f"{card['headline']}\n\n{points}\n\n#queues #读后即行\n"


def test_the_data_is_the_card_and_its_source(source: CardSource) -> None:
    made = render(cards.chinese(), formats=["json"], source=source)["json"].decode()
    assert json.loads(made)["card"] == cards.chinese()
    assert json.loads(made)["source"]["intent"] == "why queues lie"
    assert made == json.dumps(json.loads(made), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    assert "队列" in made


def test_a_lone_surrogate_breaks_no_file() -> None:
    card = cards.english() | {"headline": "half a pair \ud83d here"}
    made = render(card, formats=list(FILE_NAMES), source=CardSource())
    assert all(made.values())


def test_a_format_that_does_not_exist_costs_the_others_nothing() -> None:
    with pytest.raises(RenderError, match="no such format; there are png") as caught:
        render(cards.english(), formats=["gif", "json", "md"], source=CardSource())
    assert set(caught.value.made) == {"json", "md"}


def test_a_broken_card_is_told_in_words() -> None:
    with pytest.raises(RenderError, match="not whole"):
        render({"headline": "x"}, formats=["md"], source=CardSource())


def test_names() -> None:
    names = {"png": "card.png", "md": "card.md", "caption": "caption.txt"}
    assert names | {"html": "card.html", "pdf": "card.pdf", "json": "card.json"} == FILE_NAMES
    assert file_name("caption") == "caption.txt"
    assert RENDERER["name"] == "readdo-typst"
    assert re.fullmatch(r"\d+\+typst-\d+\.\d+\.\d+", RENDERER["version"])


@pytest.mark.parametrize(("theme", "layout", "height"), [("DARK", "CARD_1x1_V1", 1080), ("LIGHT", "CARD_4x5_V1", 1350)])
def test_json_says_how_this_export_is_drawn(theme: str, layout: str, height: int) -> None:
    made = render(cards.english(), formats=["json"], theme=theme, layout=layout, source=CardSource())["json"]
    card = json.loads(made)["card"]
    spec = card["render_spec"]
    assert (spec["theme"], spec["height"], spec["payload"]["layout"]["variant"]) == (theme, height, layout)
