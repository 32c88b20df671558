"""Sites that the generic extraction fails on: where their articles and metadata are."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

WECHAT = "mp.weixin.qq.com"
_PLACES: dict[str, tuple[str, ...]] = {
    WECHAT: ('//*[@id="js_content"]',),
    "github.com": ('//article[contains(@class, "markdown-body")]',),
    "arxiv.org": (
        '//article[contains(@class, "ltx_document")]',
        '//*[@id="abs"]//*[contains(@class, "authors")] | //*[@id="abs"]//blockquote[contains(@class, "abstract")]',
    ),
    "zhuanlan.zhihu.com": ('//*[contains(@class, "Post-RichText")]', '//*[contains(@class, "RichText")]'),
    "zhihu.com": ('//*[contains(@class, "RichContent-inner")]',),
    "juejin.cn": ('//*[@id="article-root"]', '//*[contains(@class, "article-content")]'),
    "blog.csdn.net": ('//*[@id="content_views"]', '//*[@id="article_content"]'),
    "jianshu.com": ("//article",),
    "cnblogs.com": ('//*[@id="cnblogs_post_body"]',),
    "segmentfault.com": ("//article",),
}
_NOISE: dict[str, str] = {
    "arxiv.org": './/*[contains(@class, "ltx_bibliography") or contains(@class, "ltx_role_footnote") '
    'or contains(@class, "ltx_page_footer") or contains(@class, "descriptor")] '
    '| .//h1[contains(@class, "ltx_title_document")]',
    "github.com": './/*[contains(@class, "anchor") or self::clipboard-copy]',
}
_SECONDS = re.compile(r"""\bct\s*=\s*["'](\d{10})["']""")
_CHINA = timedelta(hours=8)


def article_elements(tree: Any, url: str | None) -> list[Any]:
    """The elements of the article. Empty for an unknown site."""
    site = _site(tree, url)
    for path in _PLACES.get(site, ()):
        elements = tree.xpath(path)
        if elements:
            break
    else:
        return []
    elements = _drop_nested(elements)
    if site not in ("arxiv.org", "zhihu.com"):
        elements = [max(elements, key=lambda node: len("".join(node.itertext())))]
    for node in elements:
        _clean(node, _NOISE.get(site, ""))
    return list(elements)


def _drop_nested(elements: list[Any]) -> list[Any]:
    """Drop matches inside another match, so that each text appears once."""
    matches = set(elements)
    return [node for node in elements if not any(above in matches for above in node.iterancestors())]


def facts(tree: Any, url: str | None, html: str) -> dict[str, str]:
    """Metadata from the site's own markup. The general rules find the rest."""
    site = _site(tree, url)
    if site == WECHAT:
        seconds = _SECONDS.search(html)
        date = datetime.fromtimestamp(int(seconds[1]), UTC) + _CHINA if seconds else None
        name = _text(tree, '//*[@id="js_name"]')
        return _nonempty(
            title=_text(tree, '//*[@id="activity-name"]'),
            author=name,
            site_name=name,
            publish_date=date.date().isoformat() if date else "",
        )
    if site == "arxiv.org":
        authors = [
            " ".join(reversed([part.strip() for part in name.split(",", 1)]))
            for name in tree.xpath('//meta[@name="citation_author"]/@content')
        ]
        names = ", ".join(authors)
        return _nonempty(
            title=next(iter(tree.xpath('//meta[@name="citation_title"]/@content')), ""),
            author=names if len(names) <= 120 else f"{authors[0]} et al." if authors else "",
            site_name="arXiv",
        )
    if site == "github.com":
        title = next(iter(tree.xpath('//meta[@property="og:title"]/@content')), "")
        return _nonempty(title=title.removeprefix("GitHub - "), site_name="GitHub")
    return {}


def _site(tree: Any, url: str | None) -> str:
    try:
        host = (urlsplit(url).hostname or "") if url else ""
    except ValueError:
        host = ""
    for name in _PLACES:
        if host == name or host.endswith("." + name):
            return name
    # Saved and forwarded pages have no URL.
    wechat = tree.xpath('boolean(//*[@id="js_content"]) and boolean(//*[@id="activity-name"])')
    return WECHAT if wechat and not host else ""


def _clean(node: Any, noise: str) -> None:
    # WeChat hides the text until a script has run.
    for hidden in (node, *node.xpath('.//*[contains(@style, "visibility")]')):
        hidden.attrib.pop("style", None)
    for element in node.xpath(noise) if noise else ():
        if element.getparent() is not None:
            element.drop_tree()
    for formula in list(node.iter("math")):
        alttext = formula.get("alttext")
        if alttext and formula.getparent() is not None:
            tail = formula.tail
            formula.clear()
            formula.tag, formula.text, formula.tail = "span", f"${alttext}$", tail


def _text(tree: Any, path: str) -> str:
    elements = tree.xpath(path)
    return " ".join("".join(elements[0].itertext()).split()) if elements else ""


def _nonempty(**facts: str) -> dict[str, str]:
    return {name: " ".join(value.split()) for name, value in facts.items() if value.strip()}
