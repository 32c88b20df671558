"""Scan a page for the judge: its visible text in blocks, its links and forms, signs in its markup.

One pass over the tags without a tree, so the time is linear for any markup. The scan stops after TAGS_MAX tags.
"""

import html as entities
import re
from dataclasses import dataclass, field
from typing import NamedTuple

TAGS_MAX = 20_000
BLOCK_MAX = 60_000  # characters; more than a complete extraction
_TAG = re.compile(r"<(/?)([a-zA-Z][\w:-]{0,30}+)([^<>]*+)>|<!--|<[!?][^<>]*+>")
_ANY_TAG = re.compile(r"<[^<>]*+>")
_ATTRIBUTE = re.compile(r"([\w:-]{1,40}+)\s{0,9}=\s{0,9}(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))")
_UNSEEN = frozenset({
    "script", "style", "template", "svg", "textarea", "noscript", "iframe", "select", "object", "audio",
    "video", "canvas",
})  # fmt: skip
_BLOCKS = frozenset({
    "div", "section", "nav", "footer", "aside", "header", "main", "article", "form", "dialog", "ul", "ol",
    "table", "tr", "li", "dt", "dd", "dl", "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "br",
    "hr", "td", "th", "figure", "figcaption", "button", "label", "legend", "option", "body", "center",
    "summary", "details", "address",
})  # fmt: skip
_BOXES = frozenset({
    "div", "section", "nav", "footer", "aside", "header", "main", "article", "form", "dialog", "ul", "ol",
    "table",
})  # fmt: skip
_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_CONSENT_BOX = re.compile(
    r"cookie|consent|gdpr|onetrust|didomi|qc-cmp|truste|cc-window|privacy-(?:banner|notice)", re.I
)
_FREE_NOT = re.compile(r"\"isaccessibleforfree\"\s{0,3}:\s{0,3}\"?false")
_HIDDEN = re.compile(r"display\s{0,3}:\s{0,3}none|visibility\s{0,3}:\s{0,3}hidden", re.I)
_NOT_SHOWN = re.compile(r"(?:^|\s)hidden(?:\s|$|=)|aria-hidden\s{0,3}=\s{0,3}[\"']?true", re.I)
_MOUNTS = frozenset({"root", "app", "__next", "__nuxt", "react-root", "app-root", "q-app", "svelte", "main-app"})
# Signs of a bot check in the markup. Articles can have such scripts, too, so a sign proves nothing alone.
_CAPTCHAS = (
    "g-recaptcha",
    "recaptcha/api",
    "h-captcha",
    "hcaptcha.com",
    "cf-turnstile",
    "challenge-platform",
    "challenges.cloudflare.com",
    "cf-challenge",
    "cf-browser-verification",
    "captcha-delivery.com",
    "px-captcha",
    "perimeterx",
    "_incapsula_resource",
    "distil_r_captcha",
    "geetest",
    "tencentcaptcha",
    "tcaptcha",
    "awswafcaptcha",
    "nocaptcha",
    "_abck",
)


class VisibleBlock(NamedTuple):
    text: str
    linked: int  # number of characters in links
    tag: str
    aside: str  # the furniture around the block: "nav", "consent", "hidden" or ""


class Link(NamedTuple):
    text: str
    href: str
    heads: bool  # inside a heading, or around one


@dataclass
class VisiblePage:
    titles: list[str] = field(default_factory=list)
    blocks: list[VisibleBlock] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    noscript: str = ""
    password: bool = False
    captcha: bool = False
    mount: bool = False
    unfree: bool = False  # the page declares isAccessibleForFree: false
    articles: int = 0
    times: int = 0
    scripts: int = 0

    def visible(self) -> list[VisibleBlock]:
        """Blocks outside the furniture, or all blocks that are not hidden if there is almost nothing else."""
        inside = [b for b in self.blocks if not b.aside]
        if sum(len(b.text) for b in inside) >= 30:
            return inside
        return [b for b in self.blocks if b.aside != "hidden"] or inside


def scan(html: str) -> VisiblePage:
    scanner = _Scanner(html)
    scanner.run()
    page = scanner.page
    low = html[:1_000_000].lower()
    page.captcha = any(mark in low for mark in _CAPTCHAS)
    page.unfree = bool(_FREE_NOT.search(low))
    return page


class _Scanner:
    def __init__(self, html: str) -> None:
        self.html, self.page = html, VisiblePage()
        self.pieces: list[str] = []
        self.linked, self.tag = 0, ""
        self.boxes: list[tuple[str, str]] = []
        self.link: list[str] | None = None
        self.href, self.heads = "", False

    def run(self) -> None:
        position, count = 0, 0
        while count < TAGS_MAX and (tag := _TAG.search(self.html, position)):
            count += 1
            self._text(self.html[position : tag.start()])
            position = tag.end()
            if tag.group() == "<!--":
                end = self.html.find("-->", position)
                position = end + 3 if end >= 0 else len(self.html)
                continue
            name = (tag.group(2) or "").lower()
            if not name:
                continue  # a doctype or the like
            if tag.group(1):
                self._close(name)
            else:
                self._open(name, tag.group(3))
                if name in _UNSEEN or name == "title":
                    position = self._skip(name, position)
        if count < TAGS_MAX:
            self._text(self.html[position:])
        self._end_link()
        self._end_block()

    def _skip(self, name: str, place: int) -> int:
        """Skip a script or the like. An unclosed one hides the rest of the page, as in a browser."""
        end = self.html.find(f"</{name}", place)
        end = end if end >= 0 else self.html.find(f"</{name.upper()}", place)
        end = end if end >= 0 else len(self.html)
        inside = self.html[place : min(end, place + 5_000)]
        if name == "title" and (title := _fold(inside)):
            self.page.titles.append(title)
        if name == "noscript":
            self.page.noscript += " " + _fold(_ANY_TAG.sub(" ", inside))
        return end

    def _text(self, raw: str) -> None:
        if raw:
            self.pieces.append(raw)
            if self.link is not None:
                self.link.append(raw)
                self.linked += len(raw.strip())

    def _open(self, name: str, raw: str) -> None:
        if name in _BLOCKS:
            self._end_block()
            self.tag = name
        if name in _BOXES:
            self.boxes.append((name, self._aside(name, raw)))
            self.page.articles += name == "article"
        if name in _HEADINGS and self.link is not None:
            self.heads = True
        if name in ("a", "input", "meta", "time", "script", "div", "main", "app-root"):
            self._note_element(name, raw)

    def _note_element(self, name: str, raw: str) -> None:
        page = self.page
        page.times += name == "time"
        page.scripts += name == "script"
        if name == "a":
            self._end_link()
            self.link, self.href = [], _attributes(raw).get("href", "")
            self.heads = self.tag in _HEADINGS
        elif name == "input":
            attributes = _attributes(raw)
            page.password |= attributes.get("type", "").lower() == "password"
            if attributes.get("type", "").lower() in ("submit", "button") and attributes.get("value"):
                self._end_block()
                page.blocks.append(VisibleBlock(_fold(attributes["value"]), 0, "button", self._where()))
        elif name == "meta":
            if "og:title" in raw.lower() and (title := _attributes(raw).get("content")):
                page.titles.append(_fold(title))
        elif name in ("div", "main", "app-root"):
            page.mount |= name == "app-root" or _attributes(raw).get("id", "").lower() in _MOUNTS

    def _close(self, name: str) -> None:
        if name == "a":
            self._end_link()
        if name in _BLOCKS:
            self._end_block()
            self.tag = ""
        if name in _BOXES:
            for depth in range(1, min(len(self.boxes), 30) + 1):
                if self.boxes[-depth][0] == name:
                    del self.boxes[-depth:]
                    break

    def _where(self) -> str:
        return self.boxes[-1][1] if self.boxes else ""

    def _aside(self, name: str, raw: str) -> str:
        outer = self._where()
        if outer:
            return outer
        if _HIDDEN.search(raw) or _NOT_SHOWN.search(raw):
            return "hidden"
        in_text = any(tag in ("main", "article") for tag, _ in self.boxes[-10:])
        if name in ("nav", "footer", "aside") or (name == "header" and not in_text):
            return "nav"
        attributes = _attributes(raw)
        box = name not in ("article", "main") and _CONSENT_BOX.search(
            f"{attributes.get('id')} {attributes.get('class')}"
        )
        return "consent" if box else ""

    def _end_link(self) -> None:
        if self.link is not None:
            self.page.links.append(Link(_fold("".join(self.link)), self.href, self.heads))
        self.link = None

    def _end_block(self) -> None:
        text = _fold("".join(self.pieces))[:BLOCK_MAX]
        if text:
            self.page.blocks.append(VisibleBlock(text, min(self.linked, len(text)), self.tag, self._where()))
        self.pieces, self.linked = [], 0


def _attributes(raw: str) -> dict[str, str]:
    matches = _ATTRIBUTE.finditer(raw[:4_000])
    return {m.group(1).lower(): entities.unescape(m.group(2) or m.group(3) or m.group(4) or "") for m in matches}


def _fold(raw: str) -> str:
    return " ".join((entities.unescape(raw) if "&" in raw else raw).split())
