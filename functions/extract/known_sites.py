"""Sites on which the generic reading is known to fail: where their articles stand, and what they call their facts."""

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


def parts(tree: Any, url: str | None) -> list[Any]:
    """The elements that hold the article, or none where nothing is known of the site."""
    site = _site(tree, url)
    for path in _PLACES.get(site, ()):
        found = tree.xpath(path)
        if found:
            break
    else:
        return []
    found = _outermost(found)
    if site not in ("arxiv.org", "zhihu.com"):
        found = [max(found, key=lambda node: len("".join(node.itertext())))]
    for node in found:
        _clean(node, _NOISE.get(site, ""))
    return list(found)


def _outermost(found: list[Any]) -> list[Any]:
    """Each text once: what lies within another match is part of it, however deeply a page nests them."""
    matches = set(found)
    return [node for node in found if not any(above in matches for above in node.iterancestors())]


def facts(tree: Any, url: str | None, html: str) -> dict[str, str]:
    """What the site's own marks say; the rest is left to the general rules."""
    site = _site(tree, url)
    if site == WECHAT:
        seconds = _SECONDS.search(html)
        date = datetime.fromtimestamp(int(seconds[1]), UTC) + _CHINA if seconds else None
        name = _text(tree, '//*[@id="js_name"]')
        return _filled(
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
        return _filled(
            title=next(iter(tree.xpath('//meta[@name="citation_title"]/@content')), ""),
            author=names if len(names) <= 120 else f"{authors[0]} et al." if authors else "",
            site_name="arXiv",
        )
    if site == "github.com":
        told = next(iter(tree.xpath('//meta[@property="og:title"]/@content')), "")
        return _filled(title=told.removeprefix("GitHub - "), site_name="GitHub")
    return {}


def _site(tree: Any, url: str | None) -> str:
    try:
        host = (urlsplit(url).hostname or "") if url else ""
    except ValueError:
        host = ""
    for name in _PLACES:
        if host == name or host.endswith("." + name):
            return name
    # Saved and forwarded pages come without their address.
    wechat = tree.xpath('boolean(//*[@id="js_content"]) and boolean(//*[@id="activity-name"])')
    return WECHAT if wechat and not host else ""


def _clean(node: Any, noise: str) -> None:
    # WeChat hides its text until a script has run.
    for hidden in (node, *node.xpath('.//*[contains(@style, "visibility")]')):
        hidden.attrib.pop("style", None)
    for found in node.xpath(noise) if noise else ():
        if found.getparent() is not None:
            found.drop_tree()
    for formula in list(node.iter("math")):
        said = formula.get("alttext")
        if said and formula.getparent() is not None:
            tail = formula.tail
            formula.clear()
            formula.tag, formula.text, formula.tail = "span", f"${said}$", tail


def _text(tree: Any, path: str) -> str:
    found = tree.xpath(path)
    return " ".join("".join(found[0].itertext()).split()) if found else ""


def _filled(**facts: str) -> dict[str, str]:
    return {name: " ".join(value.split()) for name, value in facts.items() if value.strip()}
