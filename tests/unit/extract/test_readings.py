"""Extract the article of a page, without its surroundings, as Markdown."""

import pytest

from readdo.extraction import article_text
from readdo.extraction.page_blocks import blocks
from readdo.extraction.text_density import find_dense_blocks

ENGLISH = [
    "The council decided on Tuesday that the old market hall will not be pulled down, after all, but repaired.",
    "It will cost four million, of which the region pays half, and the work is to begin before the winter.",
    "“We have been heard,” said Dana Reed, who sells cheese there, “and I did not expect that any more.”",
    "The traders will move to the car park for a year, and pay no rent until they can come back.",
]
CHINESE = [
    "市议会周二决定，老菜市场不再拆除，改为修缮，摊主们听到消息以后，纷纷鼓起掌来。",
    "工程预计花费四百万元，省里承担一半，其余由市财政支出，入冬以前就要动工。",
    "“他们终于听见了我们的话。”在市场卖了三十年豆腐的老陈说，“我本来已经不抱希望了。”",
    "修缮期间，摊位搬到旁边的停车场，为期一年，租金全免，直到大家重新搬回来为止。",
]
BOTH = pytest.mark.parametrize("texts", [ENGLISH, CHINESE], ids=["en", "zh"])


def page(inside: str, head: str = "") -> str:
    return f"<html><head>{head}</head><body>{inside}</body></html>"


def paragraphs(texts: list[str]) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


@BOTH
def test_only_the_article_is_read(texts: list[str]) -> None:
    menu = "".join(f'<li><a href="/{i}">Menu entry {i} 菜单</a></li>' for i in range(12))
    text = article_text.extract_markdown(
        page(
            f"<ul class='nav'>{menu}</ul><div class='main'><h1>The hall stays 保留</h1>{paragraphs(texts)}</div>"
            "<div class='sidebar'><p>Subscribe to our newsletter, it is free. 订阅我们的通讯，完全免费。</p></div>"
            "<div class='footer'><p>© 2026 Some Paper Ltd. All rights reserved. 版权所有</p></div>"
        ),
        None,
    )
    assert text == "\n\n".join(texts)


@BOTH
def test_structure_becomes_markdown(texts: list[str]) -> None:
    text = article_text.extract_markdown(
        page(
            f"<article><h1>Title 标题</h1><p>{texts[0]}</p><h2>Steps 步骤</h2>"
            f"<ol><li>{texts[1]}</li><li>{texts[2]}</li></ol>"
            f"<ul><li>{texts[3]}</li></ul><blockquote><p>{texts[0]}!</p></blockquote>"
            '<pre><code class="language-python">if a_b &lt; 1:\n    print("*")</code></pre>'
            "<table><tr><th>Name</th><th>Size</th></tr><tr><td>one</td><td>1</td></tr></table>"
            f"<p>{texts[1]} <code>a_b</code> &lt;tag&gt; 1 * 2</p></article>"
        ),
        None,
    )
    assert "## Steps 步骤\n\n1. " + texts[1] + "\n2. " + texts[2] in text
    assert "\n- " + texts[3] in text
    assert "\n> " + texts[0] in text
    assert '```python\nif a_b < 1:\n    print("*")\n```' in text
    assert "| Name | Size |\n| --- | --- |\n| one | 1 |" in text
    assert "`a_b` <tag> 1 * 2" in text
    assert "\\" not in text


@BOTH
def test_article_in_a_table_layout_is_read(texts: list[str]) -> None:
    side = "<br>".join(f'<a href="{i}.htm">Page {i} 页面</a>' for i in range(9))
    text = article_text.extract_markdown(
        page(f"<table><tr><td>{side}</td><td><font>{'<br><br>'.join(texts)}</font></td></tr></table>"), None
    )
    assert text == "\n\n".join(texts)


@BOTH
def test_title_byline_and_related_links_are_removed(texts: list[str]) -> None:
    """Title, byline, share bar and related links are inside the element that holds the text."""
    text = article_text.extract_markdown(
        page(
            "<div class='content'><p>The hall stays</p><p>2026-10-08 来源：日报</p><p>责任编辑：李默</p>"
            f"{paragraphs(texts)}<p>（责任编辑：李默）</p><p>Share this on Facebook</p>"
            "<h3>Related articles</h3><ul><li><a href='/a'>Another article 另一篇</a></li></ul></div>",
            "<title>The hall stays</title>",
        ),
        None,
    )
    assert text == "\n\n".join(texts)


def test_list_item_with_share_is_kept() -> None:
    steps = ["Share the folder with your team", "Print the form", "Source the file, then wait for the prompt."]
    items = "".join(f"<li>{step}</li>" for step in steps)
    text = article_text.extract_markdown(
        page(f"<article>{paragraphs(ENGLISH)}<ol>{items}</ol><p>{ENGLISH[0]}</p></article>"), None
    )
    assert all(step in text for step in steps)


def test_json_ld_text_is_used_if_the_page_has_none() -> None:
    body = " ".join(ENGLISH) * 2
    script = f'<script type="application/ld+json">{{"@type": "NewsArticle", "articleBody": "{body}"}}</script>'
    text = article_text.extract_markdown(
        page('<div id="root"></div><p>Please enable JavaScript to read this.</p>', script), None
    )
    assert ENGLISH[3] in text


def test_hidden_wechat_text_is_read() -> None:
    text = "".join(f"<section><span>{line}</span></section>" for line in CHINESE)
    text = article_text.extract_markdown(
        page(
            '<div id="page-content"><h1 id="activity-name">老市场</h1><a id="js_name">小城</a>'
            f'<div id="js_content" style="visibility: hidden;">{text}</div></div><p>微信扫一扫 关注该公众号</p>'
        ),
        "https://mp.weixin.qq.com/s/x",
    )
    assert text == "\n\n".join(CHINESE)


def test_site_rule_with_little_text_is_ignored() -> None:
    text = article_text.extract_markdown(
        page(f'<article class="markdown-body"><p>Loading.</p></article><main>{paragraphs(ENGLISH * 2)}</main>'),
        "https://github.com/a/b/discussions/1",
    )
    assert ENGLISH[3] in text


def test_arxiv_abstract_and_formulas_are_read() -> None:
    text = article_text.extract_markdown(
        page(
            '<div id="abs"><h1 class="title"><span class="descriptor">Title:</span>On halls</h1>'
            '<div class="authors"><span class="descriptor">Authors:</span><a href="/a">Dana Reed</a></div>'
            '<blockquote class="abstract"><span class="descriptor">Abstract:</span>We show that '
            f'<math alttext="x^2"><mi>x</mi></math> halls stand. {ENGLISH[0]}</blockquote></div>'
            f'<div class="extra">{"<a href=/x>Export citation</a> " * 9}</div>'
        ),
        "https://arxiv.org/abs/2601.00001",
    )
    assert "Abstract:" not in text
    assert "Export citation" not in text
    assert "$x^2$ halls stand." in text


@pytest.mark.parametrize("html", ["", "   ", "<html></html>", "<html><body><p></p></body></html>", "\x00", "<"])
def test_empty_page_gives_no_text(html: str) -> None:
    assert article_text.extract_markdown(html, None).strip() in ("", "<")


def test_extraction_is_deterministic() -> None:
    html = page(f"<article>{paragraphs(ENGLISH)}</article><div>{paragraphs(CHINESE)}</div>")
    first = article_text.extract_markdown(html, None)
    article_text.extract_markdown(page(paragraphs(CHINESE * 3)), None)
    assert article_text.extract_markdown(html, None) == first


@BOTH
def test_dense_selects_the_sentences_of_the_article(texts: list[str]) -> None:
    """Test `dense` alone: it selects all sentences, but not text in an element named otherwise."""
    tree = article_text.parse_html(
        page(
            f"<div class='comments'>{paragraphs(texts[:1])}</div>"
            f"<div><h1>The hall 市场</h1><p>8 October 2026</p>"
            f"{paragraphs(texts)}<p>More</p></div>"
            f"<div><p>{'<a href=/x>A link to something else 别处</a> ' * 20}</p></div>"
        )
    )
    text_blocks = blocks(tree)
    article, unfit = find_dense_blocks(text_blocks)
    assert [text_blocks[i].text for i in sorted(article)] == texts
    assert [text_blocks[i].text for i in sorted(unfit)] == texts[:1]
