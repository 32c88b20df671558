"""The text files are complete and safe in any program that opens them."""

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
    """Replace each escaped character with a placeholder. Remaining marks have their Markdown meaning."""
    return re.sub(r"\\[!-/:-@\[-`{-~]", "¤", text)


def test_document_contains_the_complete_card(source: CardSource) -> None:
    card = cards.english()
    lines = markdown(card, source).splitlines()
    assert lines[0] == f"# {card['headline']}"
    assert [line for line in lines if line.startswith("- ")][:3] == [f"- {point}" for point in card["points"]]
    assert f"> {card['insight']}" in lines
    assert f"- [ ] {card['action']}" in lines
    assert r"Source: [Queues \<b\>](<https://example.com/q?a=1>)" in lines
    assert "Saved because: why queues lie" in lines


def test_chinese_card_has_chinese_labels(source: CardSource) -> None:
    text = markdown(cards.chinese(), source)
    assert "## 下一步\n" in text
    assert "来源：[" in text
    assert "收藏目的：why" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_escaped(text: str) -> None:
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


def test_escape_replaces_line_breaks() -> None:
    assert escape("one\n\ntwo\u2028three") == "one two three"


@given(st.text(max_size=80))
@settings(max_examples=300, derandomize=True, deadline=None)
def test_escape_returns_one_line_without_markup(text: str) -> None:
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
def test_link_accepts_web_addresses_only(url: str) -> None:
    assert "](" not in unescaped(link("title", url))
    assert "title" in link("title", url)


def test_link_escapes_the_address() -> None:
    markdown_link = link("t", "https://a.example/x>) <b> (y)&copy; z\\")
    assert markdown_link == "[t](<https://a.example/x%3E%29%20%3Cb%3E%20%28y%29%26copy;%20z%5C>)"


def test_caption_of_the_card_is_used() -> None:
    files = render(cards.english(caption="Mine.\r\nReally. 🚀\n\n"), formats=["caption"], source=CardSource())
    assert files["caption"] == "Mine.\nReally. 🚀\n".encode()


def test_empty_caption_is_generated() -> None:
    caption = render(cards.chinese(caption=" \n"), formats=["caption"], source=CardSource())["caption"].decode()
    card = cards.chinese()
    points = "\n".join(f"• {point}" for point in card["points"])
    assert caption == f"{card['headline']}\n\n{points}\n\n#queues #读后即行\n"


def test_json_contains_card_and_source(source: CardSource) -> None:
    data = render(cards.chinese(), formats=["json"], source=source)["json"].decode()
    assert json.loads(data)["card"] == cards.chinese()
    assert json.loads(data)["source"]["intent"] == "why queues lie"
    assert data == json.dumps(json.loads(data), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    assert "队列" in data


def test_lone_surrogate_does_not_break_any_file() -> None:
    card = cards.english() | {"headline": "half a pair \ud83d here"}
    files = render(card, formats=list(FILE_NAMES), source=CardSource())
    assert all(files.values())


def test_unknown_format_does_not_affect_the_others() -> None:
    with pytest.raises(RenderError, match="no such format; there are png") as caught:
        render(cards.english(), formats=["gif", "json", "md"], source=CardSource())
    assert set(caught.value.made) == {"json", "md"}


def test_incomplete_card_fails_with_a_message() -> None:
    with pytest.raises(RenderError, match="not whole"):
        render({"headline": "x"}, formats=["md"], source=CardSource())


def test_file_names_and_renderer_version() -> None:
    names = {"png": "card.png", "md": "card.md", "caption": "caption.txt"}
    assert names | {"html": "card.html", "pdf": "card.pdf", "json": "card.json"} == FILE_NAMES
    assert file_name("caption") == "caption.txt"
    assert RENDERER["name"] == "readdo-typst"
    assert re.fullmatch(r"\d+\+typst-\d+\.\d+\.\d+", RENDERER["version"])


@pytest.mark.parametrize(("theme", "layout", "height"), [("DARK", "CARD_1x1_V1", 1080), ("LIGHT", "CARD_4x5_V1", 1350)])
def test_json_contains_theme_and_layout_of_the_export(theme: str, layout: str, height: int) -> None:
    data = render(cards.english(), formats=["json"], theme=theme, layout=layout, source=CardSource())["json"]
    card = json.loads(data)["card"]
    spec = card["render_spec"]
    assert (spec["theme"], spec["height"], spec["payload"]["layout"]["variant"]) == (theme, height, layout)
