"""Extract the article from a pasted text or page in English and Chinese, or refuse it with a message."""

import json

import jsonschema
import pytest

from readdo.errors import StepFailed
from readdo.extraction.article import TEXT_MAX, looks_like_html, read_article
from support.template import definition

ENGLISH = "We cancelled the weekly status meeting and wrote three lines each instead. It saved fourteen hours a week."
CHINESE = (
    "我们取消了每周的例会，改成每人写三行字。每周省下了十四个小时，没有一个人想念它，"
    "也没有漏掉一件重要的事情，大家都说好。"
)
PAGE = """<html><head><title>{title}</title><meta name="author" content="{author}"></head><body>
<nav><a href="/">{home}</a> <a href="/about">{about}</a></nav>
<article><h1>{title}</h1><p>{text}</p><h2>{steps}</h2><ol><li>{one}</li><li>{two}</li></ol>
<p>{more}</p></article><footer>© 2026 <a href="/imprint">{imprint}</a></footer></body></html>"""
PAGES = {
    "en": PAGE.format(
        title="Fewer meetings", author="Ann Lee", home="Home page", about="About us", text=ENGLISH * 3, steps="Steps",
        one="Stop the meeting and tell people why", two="Write three lines and read those of others",
        more="Nobody missed it. " * 12, imprint="Imprint and privacy",
    ),
    "zh": PAGE.format(
        title="少开会", author="李安", home="网站首页", about="关于我们", text=CHINESE * 3, steps="步骤",
        one="取消会议并且说明原因", two="每人写三行，读别人的三行", more="没有一个人想念它。" * 20, imprint="隐私政策",
    ),
}  # fmt: skip


def read(raw: str) -> dict[str, object]:
    return read_article(raw.encode(), None, None)


def refusal(raw: str) -> str:
    with pytest.raises(StepFailed) as failed:
        read(raw)
    assert failed.value.code == "EXTRACTION_PARSE_FAILED"
    assert failed.value.retryable is False
    return failed.value.message


@pytest.mark.parametrize(
    ("language", "home", "about"), [("en", "Home page", "About us"), ("zh", "网站首页", "关于我们")]
)
def test_page_gives_its_article_without_navigation(language: str, home: str, about: str) -> None:
    extraction = read(PAGES[language])
    text = str(extraction["normalized_text"])
    assert home not in text
    assert about not in text
    assert "## Steps" in text or "## 步骤" in text
    assert "1. Stop the meeting" in text or "1. 取消会议" in text
    assert extraction["title"] in ("Fewer meetings", "少开会")
    assert extraction["content_meta"]["language"] == language  # type: ignore[index]


@pytest.mark.parametrize(
    "raw", [*PAGES.values(), ENGLISH, CHINESE, f"<p>{ENGLISH}</p>", f"<div><p>{CHINESE}</p></div>"]
)
def test_extraction_is_valid_and_reproducible(raw: str) -> None:
    extraction = read(raw)
    extraction.pop("title", None)
    jsonschema.validate(extraction, definition("schemas/artifacts/extraction.json"))
    assert read(raw)["extraction_hash"] == extraction["extraction_hash"]


@pytest.mark.parametrize(
    "text",
    [
        "In HTML one writes <div> and <p> to make blocks; here is why they matter to a reader.",
        "# How to\n\n```html\n<div><p>one</p></div><div><p>two</p></div>\n```\n\nThat is how a block is made.",
        "用 <p> 和 <div> 来分段，这里说明它们为什么重要，读者又能从中得到什么好处，以及什么时候不该用它们。",
    ],
)
def test_text_that_mentions_tags_is_not_html(text: str) -> None:
    assert not looks_like_html(text)
    assert read(text)["normalized_text"] == text


def test_markdown_heading_becomes_the_title() -> None:
    assert read(f"# Fewer meetings\n\n{ENGLISH}")["title"] == "Fewer meetings"


@pytest.mark.parametrize("letter", ["word ", "字", "一段话。\n\n"])
def test_long_text_is_truncated_with_a_warning(letter: str) -> None:
    extraction = read(letter * (TEXT_MAX // len(letter) + 100))
    text = str(extraction["normalized_text"])
    assert TEXT_MAX // 2 < len(text) <= TEXT_MAX
    assert not letter.endswith("\n\n") or text.endswith("一段话。")
    assert extraction["warnings"] == ["Only the first 50,000 characters were read. The text is longer."]


@pytest.mark.parametrize("start", ["Riff-based songs ", "GIF87a and GIF89a are ", "%PDF is how ", "PK is short for "])
def test_text_is_not_mistaken_for_a_binary_file(start: str) -> None:
    assert str(read(start + ENGLISH)["normalized_text"]).startswith(start)


def test_malformed_metadata_does_not_fail_the_page() -> None:
    """Metadata that is too long, malformed or not a URL is left out."""
    metadata = {
        "@type": "Article",
        "headline": "A title \ud800 of it",
        "author": {"name": "A" * 500},
        "image": "javascript:x",
    }
    json_ld = f'<script type="application/ld+json">{json.dumps(metadata)}</script>'
    page = f"<html>{json_ld}<h1>A\x01 title</h1><p>{ENGLISH * 3}</p>"
    extraction = read_article(page.encode(), "https://example.com/", "text/html")
    assert json.dumps(extraction, ensure_ascii=False).encode()
    extraction.pop("title", None)
    jsonschema.validate(extraction, definition("schemas/artifacts/extraction.json"))


@pytest.mark.parametrize("text", ["x" * 49, "字" * 49, "<p>short</p><p>page</p>"])
def test_short_text_is_refused_with_the_minimum_length(text: str) -> None:
    assert "at least 50" in refusal(text)


@pytest.mark.parametrize(
    "raw", ["", "  \n", "\x00" * 100, "<html><body><script>var x = 1</script></body></html>", "<div>" * 70_000]
)
def test_empty_input_is_refused_with_advice(raw: str) -> None:
    assert "paste" in refusal(raw).lower()


@pytest.mark.parametrize(
    "raw",
    [
        "<html><body>" + "<p>word " * 40_000,
        "<html><body>" + '<a href="x">link</a>' * 15_000,
        "<html><body><p " + "a=b " * 90_000 + ">" + ENGLISH,
        "\x00\x01\u2028" + ENGLISH + "\ud800".encode("utf-8", "surrogatepass").decode("utf-8", "replace"),
    ],
)
def test_hostile_input_is_read_or_refused(raw: str) -> None:
    try:
        assert len(str(read(raw)["normalized_text"])) <= TEXT_MAX
    except StepFailed as failed:
        assert failed.code == "EXTRACTION_PARSE_FAILED"
