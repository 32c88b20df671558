"""Clean titles, authors and dates of pages: remove site names, roles and bylines."""

import re
from copy import deepcopy
from datetime import date
from typing import Any

from htmldate import find_date

from readdo.extraction.embedded_metadata import first, visible_text
from readdo.extraction.page_blocks import blocks, tokens
from readdo.extraction.text_density import find_dense_blocks

AUTHOR_MAX = 60
SHORT = 120  # characters; a date in a longer line belongs to the article's content
NEAR = 400  # characters after the title in which a date is the article's date
_BARS = re.compile(r"\s+[-–—|·»•:]\s+|\s*[|｜_丨]\s*|\s*(?:--|——)\s*|(?<=[\u3040-\u9fff])\s*-\s*(?=[\u3040-\u9fff])")
_ROLE = re.compile(
    r"(?:责任编辑|責任編輯|责编|编辑|編輯|来源|來源|稿源|出处|校对|审核|作者|撰文|撰稿|记者|文字?|图|摄影|著者|執筆|ライター|発信元)\s*(?:[:：/／丨|]|(?=\s))\s*"
)
_BY = re.compile(
    r"^(?:(?:written|posted|published|story|words|reported|geschrieben)\s+)?(?:by|von|par|por)[:\s]+", re.I
)
_AFTER = re.compile(
    r"\s*(?:[|｜•·]|\bpublished\b|\bupdated\b|\bposted\b|\bon\s+(?=(?-i:[A-Z0-9]))|(?:发表|發表|发布|更新)(?:于|时间)|来源|來源|责任编辑|责编|编辑[:：]|\(|（|<|\d{4}\s*[-/.年]).*$",
    re.I | re.S,
)
_TAIL = re.compile(
    r",?\s*(?:staff writer|contributor|senior reporter|reporter|correspondent|editor|special to .*)$|"
    r"\s+(?:关注|等级.*)$",
    re.I,
)
_NO_NAME = re.compile(
    r"https?:|www\.|@|\d{3,}|^(?:admin(?:istrator)?|editor(?:ial)?|staff|user|root|unknown|author|guest|本站|原创|佚名|未知|我已授权|网络|匿名|null|none|undefined)$",
    re.I,
)
_MONTH_NAMES = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_MONTHS = {name: i for i, name in enumerate(_MONTH_NAMES.split("|"), 1)}
_MONTH = rf"({_MONTH_NAMES})[a-z]*\.?"
_YEAR_FIRST = re.compile(r"(?<!\d)((?:19|20)\d\d)\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})(?!\d)")
_MONTH_FIRST = re.compile(rf"\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)\b", re.I)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?{_MONTH}\s+((?:19|20)\d\d)\b", re.I)
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?((?:19|20)\d\d)(?!\d)")
_IN_URL = re.compile(r"/((?:19|20)\d\d)[-/_]?(0[1-9]|1[0-2])[-/_]?(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)")
_FOOT = (
    '//footer | //*[contains(text(), "©") or contains(text(), "opyright") or contains(text(), "版权所有")][not(*[3])]'
)
_PUBLISHED = (
    "article:published_time", "datepublished", "og:article:published_time", "published_time", "pubdate",
    "publishdate", "publish-date", "publish_date", "publication_date", "parsely-pub-date", "sailthru.date",
    "citation_publication_date", "citation_date", "dc.date.issued", "dcterms.created", "dc.date",
    "dcterms.date", "weibo: article:create_at", "bytedance:published_time", "date", "og:release_date",
    "firstpublishedtime", "publishedtime", "apub:time", "_pubtime", "filetime",
)  # fmt: skip


def same(one: str, other: str) -> bool:
    """True for the same title, with or without the site's name after it."""
    a, b = tokens(one), tokens(other)
    if not a or not b:
        return False
    short, long = sorted((a, b), key=len)
    return long[: len(short)] == short and (len(short) >= 3 or len(short) == len(long))


def title_without_site(title: str, others: list[str], site: str) -> str:
    """Cut at a separator if a heading equals the rest, or if the site's name follows the separator."""
    cuts = [title[: bar.start()].strip() for bar in _BARS.finditer(title)]
    for cut in cuts:
        if cut and any(tokens(cut) == tokens(other) for other in others):
            return cut
    for cut in cuts:
        rest = tokens(title[len(cut) :])
        if cut and rest and site and rest == tokens(site):
            return cut
    # A short text after the last separator is the site's name; a short text before it is no title.
    if cuts and len(tokens(cuts[-1])) >= max(4, 2 * len(tokens(title[len(cuts[-1]) :]))):
        return cuts[0] if len(tokens(cuts[0])) >= 6 else cuts[-1]
    return title


def author_of(text: str, site: str) -> str:
    """The name in an author field or a byline. Empty if there is none."""
    line = " ".join(text.split())
    if _NO_NAME.search(line) and "http" in line.lower():
        return ""
    line = _BY.sub("", line)
    line = re.sub(rf"^(?:{_ROLE.pattern})", "", line)
    line = re.sub(r"^(?:文|By)\s*[/／|:：]\s*", "", line, flags=re.I)
    line = _TAIL.sub("", _AFTER.sub("", line)).strip(" ,;:：，、/|-—·@")
    if not line or len(line) > AUTHOR_MAX or _NO_NAME.search(line) or not any(c.isalpha() for c in line):
        return ""
    if tokens(line) == tokens(site) or len(line.split()) > 10:
        return ""
    return line


def date_of(tree: Any, tags: dict[str, str], data: dict[str, str], title: str, url: str | None) -> str:
    """The date in ISO format, as declared or near the title. Never from a copyright line in a footer."""
    times = tree.xpath(
        '//time[@pubdate or contains(@itemprop, "ublished") or contains(@class, "ublish") '
        'or contains(@class, "entry-date")]/@datetime'
    )
    marked = tree.xpath('//*[@itemprop="datePublished"]/@content | //*[@itemprop="datePublished"]/@datetime')
    for candidate in (data.get("published", ""), first(tags, *_PUBLISHED), *times[:1], *marked[:1]):
        if date_text := iso(candidate):
            return date_text
    around = _near_title(tree, title)
    timed = iso(next(iter(tree.xpath("//article//time/@datetime")), ""))
    return iso(around) or timed or _from_address(url) or _before_the_text(tree) or _by_htmldate(tree)


def _by_htmldate(tree: Any) -> str:
    """The date that htmldate finds without the copyright lines, whose years mislead it."""
    tree = deepcopy(tree)
    for node in tree.xpath(_FOOT):
        if node.getparent() is not None:
            node.drop_tree()
    try:
        return find_date(tree, extensive_search=False, original_date=True) or ""
    except (ValueError, TypeError, AttributeError, RecursionError):
        return ""


def _before_the_text(tree: Any) -> str:
    """The date in a short line close to the first sentences, for pages whose title is no heading."""
    page = blocks(tree)
    start = min(find_dense_blocks(page)[0], default=0)
    for block in [*reversed(page[max(0, start - 10) : start + 1]), *page[start + 1 : start + 3]]:
        if len(block.text) < SHORT and block.kind != "li" and "©" not in block.text and (date_text := iso(block.text)):
            return date_text
    return ""


def _is_a_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def iso(text: str) -> str:
    """The first valid date in a text, as YYYY-MM-DD."""
    dates = []
    for pattern, order in (
        (_YEAR_FIRST, (1, 2, 3)),
        (_MONTH_FIRST, (3, 1, 2)),
        (_DAY_FIRST, (3, 2, 1)),
        (_DOTTED, (3, 2, 1)),
    ):
        for hit in pattern.finditer(text):
            year, month, day = (hit[i] for i in order)
            number = _MONTHS.get(month[:3].lower()) or (int(month) if month.isdigit() else 0)
            if _is_a_day(int(year), number, int(day)) and "©" not in text[max(0, hit.start() - 12) : hit.start()]:
                dates.append((hit.start(), f"{year}-{number:02}-{int(day):02}"))
                break
    if not dates and re.fullmatch(r"(?:19|20)\d{6}", text.strip()):
        return iso(f"{text.strip()[:4]}-{text.strip()[4:6]}-{text.strip()[6:]}")
    return min(dates)[1] if dates else ""


def _near_title(tree: Any, title: str) -> str:
    """The visible text just after the title, or just before it if only that has a date."""
    heads = [
        head
        for head in tree.xpath("//h1|//h2")
        if tokens(visible_text(head)) and (not title or same(visible_text(head), title))
    ]
    if not heads:
        return ""
    texts = heads[0].xpath(
        "following::text()[not(ancestor::script or ancestor::style or ancestor::footer)][position() < 60]"
    )
    after = _line(texts)[:NEAR]
    before = _line(
        heads[0].xpath("(preceding::text()[not(ancestor::script or ancestor::style)])[position() > last() - 12]")
    )[-120:]
    return after if iso(after) else before


def _line(texts: list[str]) -> str:
    return " ".join(" ".join(texts).split())


def _from_address(url: str | None) -> str:
    hit = _IN_URL.search(url or "")
    return f"{hit[1]}-{hit[2]}-{hit[3]}" if hit else ""
