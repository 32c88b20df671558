"""Metadata of a page: title, author, date and image, without the site's additions."""

import pytest

from readdo.extraction import metadata

TEXT = (
    "<p>The hall will be repaired, said the council, and the traders may come back. 市场将会修缮，摊主可以回来。</p>"
    * 4
)


LINKED = '<script type="application/ld+json">{"@type":"Article","datePublished":"2026-10-08"}</script>'


def metadata_of(inside: str = "", head: str = "", url: str | None = None) -> dict[str, str]:
    return metadata.read_metadata(f"<html><head>{head}</head><body>{inside}{TEXT}</body></html>", url)


@pytest.mark.parametrize(
    ("tab", "og_title", "head", "title"),
    [
        ("The hall stays - City Paper", "", "The hall stays", "The hall stays"),
        ("The hall stays | City Paper", "The hall stays", "", "The hall stays"),
        ("老市场不拆了_江城在线", "", "老市场不拆了", "老市场不拆了"),
        ("老市场不拆了-江城在线", "老市场不拆了", "", "老市场不拆了"),
        ("City Paper", "The hall stays | City Paper", "The hall stays", "The hall stays"),
        ("The hall stays - or does it?", "", "", "The hall stays - or does it?"),
        ("City Paper", "The hall stays", "City Paper", "The hall stays"),
    ],
)
def test_title_is_the_most_frequent_one_without_the_site_name(tab: str, og_title: str, head: str, title: str) -> None:
    og = f'<meta property="og:title" content="{og_title}">' if og_title else ""
    assert metadata_of(f"<h1>{head}</h1>" if head else "", f"<title>{tab}</title>{og}")["title"] == title


@pytest.mark.parametrize(
    ("declared", "author"),
    [
        ("By Ann Lee", "Ann Lee"),
        ("责任编辑：李默", "李默"),
        ("作者：周岚 2026-10-08 06:10", "周岚"),
        ("文/周岚", "周岚"),
        ("周岚 来源：日报", "周岚"),
        ("Ann Lee, Staff Writer", "Ann Lee"),
        ("https://www.facebook.com/citypaper", ""),
        ("admin", ""),
        ("2026-10-08", ""),
        ("City Paper", ""),
        ("Everything that our editors have collected for you on this long and rainy weekend", ""),
    ],
)
def test_author_is_a_name_or_empty(declared: str, author: str) -> None:
    head = f'<meta name="author" content="{declared}"><meta property="og:site_name" content="City Paper">'
    assert metadata_of(head=head).get("author", "") == author


@pytest.mark.parametrize(
    ("inside", "head", "url", "date"),
    [
        ("", '<meta property="article:published_time" content="2026-10-08T06:10:00+08:00">', None, "2026-10-08"),
        ("", LINKED, None, "2026-10-08"),
        ("<h1>The hall</h1><p>Published 8 October 2026, 07:05</p>", "", None, "2026-10-08"),
        ("<h1>The hall</h1><p>Oct. 8, 2026 | News</p>", "", None, "2026-10-08"),
        ("<h1>老市场</h1><p>2026年10月8日 06:10　来源：日报</p>", "", None, "2026-10-08"),
        ("", "", "https://paper.example/2026/10/08/hall", "2026-10-08"),
        ("<h1>The hall</h1><p>On 31/31/2026 nothing</p>", "", None, ""),
    ],
)  # fmt: skip
def test_date_comes_from_metadata_title_area_or_url(inside: str, head: str, url: str | None, date: str) -> None:
    assert metadata_of(inside, head, url).get("publish_date", "") == date


@pytest.mark.parametrize("line", ["© 2019-01-01 City Paper", "Copyright 2019 City Paper", "版权所有 2019 江城在线"])
def test_date_in_the_footer_is_ignored(line: str) -> None:
    result = metadata.read_metadata(
        f"<html><body><h1>The hall</h1>{TEXT * 3}<footer><p>{line}</p></footer></body></html>", None
    )
    assert "publish_date" not in result


def test_wechat_metadata_is_read() -> None:
    metadata = metadata_of(
        '<h1 id="activity-name">\n 老市场 \n</h1><a id="js_name"> 小城 </a><div id="js_content">文</div>'
        '<script>var ct = "1791411000";</script>',
        url="https://mp.weixin.qq.com/s/x",
    )
    assert metadata == {
        "title": "老市场",
        "author": "小城",
        "site_name": "小城",
        "publish_date": "2026-10-08",
        "source_hint": "mp.weixin.qq.com",
    }


@pytest.mark.parametrize(
    ("declared", "url", "image"),
    [
        ("https://a.example/i.jpg", None, "https://a.example/i.jpg"),
        ("/i.jpg", "https://a.example/p/1", "https://a.example/i.jpg"),
        ("/i.jpg", None, ""),
        ("data:image/png;base64,AAAA", "https://a.example/", ""),
        ("javascript:alert(1)", "https://a.example/", ""),
        ("https://a.example/" + "x" * 2000, None, ""),
    ],
)
def test_image_is_an_absolute_web_address(declared: str, url: str | None, image: str) -> None:
    assert metadata_of(head=f'<meta property="og:image" content="{declared}">', url=url).get("image", "") == image


def test_fields_are_truncated() -> None:
    long = "名" * 500
    metadata = metadata_of(f"<h1>{long}</h1>", f'<meta property="og:site_name" content="{long}"><title>{long}</title>')
    assert len(metadata["title"]) == 300
    assert len(metadata["site_name"]) == 120


@pytest.mark.parametrize("html", ["", "<", "\x00", "<html></html>"])
def test_empty_page_has_no_metadata(html: str) -> None:
    assert metadata.read_metadata(html, "not a url [").get("title") == ""
