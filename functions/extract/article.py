"""A page or a pasted text → the article in it. Pure: no network, and the same bytes give the same article."""

import re
from typing import Any

import article_text
import input_limits
import judge
import meta
import pdf
from decode import decode
from readdo.errors import StepFailed
from readdo.ids import digest
from readdo.messages import Message, message

TEXT_MIN, TEXT_MAX = 50, 50_000
TITLE_MAX = 300
LOOKED_AT_MAX = 1_000_000  # of a text of which 50,000 characters are kept
CLOSED_TAGS = 3
META_LIMITS = {"author": 120, "publish_date": 40, "site_name": 120, "source_hint": 120, "image": 2000}
DURATION_MAX = 10_000_000
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_BLOCK = r"(?:html|head|body|article|main|section|div|p|h[1-6]|ul|ol|li|table|tr|td|blockquote)"
_STARTS = re.compile(rf"<(?:!doctype\s+html|{_BLOCK})\b", re.I)
_CLOSED = re.compile(rf"</{_BLOCK}\s*>", re.I)
_ROOT = re.compile(r"<(?:html|body)\b", re.I)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.S)
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2028\u2029\u2060\ufeff\ud800-\udfff]")


def read_article(body: bytes, url: str | None, content_type: str | None) -> dict[str, Any]:
    """The extraction's payload, and `title` where the page has one. StepFailed says what is wrong with the page."""
    kind = input_limits.kind_of(body, content_type)
    return payload(pdf.read(body) if kind == "pdf" else _from_text(decode(body, content_type), url, kind))


def payload(found: dict[str, Any]) -> dict[str, Any]:
    """`found`: text, title, what is missing (`partial`), and whatever of content_meta is known."""
    text, cut = _whole_paragraphs(_tidy(found.pop("text")[:LOOKED_AT_MAX]))
    if len(text) < TEXT_MIN:
        raise StepFailed("EXTRACTION_PARSE_FAILED", _too_short(text))
    title = _plain(found.pop("title", ""))[:TITLE_MAX]
    warnings = [w for w in (found.pop("partial", ""),) if w]
    if cut:
        warnings.append(message("partial.too_long", n=TEXT_MAX))
    known = {"language": _language(text), "word_count": len(_WORD.findall(text)), **_within_limits(found)}
    made = {"normalized_text": text, "extraction_hash": digest(text), "content_meta": known, "warnings": warnings}
    return made | ({"title": title} if title else {})


def _plain(value: object) -> str:
    return " ".join(_UNSEEN.sub("", str(value)).split())


def _within_limits(found: dict[str, Any]) -> dict[str, Any]:
    """What a page says of itself, as far as it can be told on: a page must not fail for its author's long name."""
    kept: dict[str, Any] = {}
    for name, limit in META_LIMITS.items():
        value = _plain(found.get(name, ""))[:limit].strip()
        if value and (name != "image" or value.startswith(("http://", "https://"))):
            kept[name] = value
    seconds = found.get("duration_seconds", 0)
    return kept | ({"duration_seconds": seconds} if 0 < seconds < DURATION_MAX else {})


def looks_like_html(raw: str) -> bool:
    """A page begins with a tag, or closes several. A text that only mentions tags, or shows code, is a text."""
    head = _past_preamble(_CODE.sub("", raw[:50_000]))
    return bool(_STARTS.match(head)) or len(_CLOSED.findall(head)) >= CLOSED_TAGS


def _past_preamble(head: str) -> str:
    """Past marks, XML's own line and comments: what a page may carry before it begins."""
    while True:
        head = head.lstrip("\ufeff \t\r\n")
        for opens, closes in (("<?xml", ">"), ("<!--", "-->")):
            if head.startswith(opens) and closes in head:
                head = head.partition(closes)[2]
                break
        else:
            return head


def _from_text(raw: str, url: str | None, kind: str) -> dict[str, Any]:
    if kind == "text" or (kind == "unknown" and not looks_like_html(raw)):
        return {"text": raw, "title": _heading(raw)}
    html = input_limits.lightened(raw)
    if not _ROOT.search(html[:5_000]):
        html = f"<html><body>{html}</body></html>"  # a piece of a page is parsed as one, or not at all
    found = {"text": article_text.best(html, url), **meta.known(html, url)}
    verdict = judge.judge(text=found["text"], html=html, title=found["title"], url=url)
    if verdict.refused:
        raise StepFailed("EXTRACTION_PARSE_FAILED", verdict.refused)
    return found | ({"partial": verdict.partial} if verdict.partial else {})


def _heading(raw: str) -> str:
    """A Markdown text's first heading."""
    first = next((line.strip() for line in raw.splitlines() if line.strip()), "")
    return " ".join(first.lstrip("#").split()) if first.startswith("# ") else ""


def _tidy(text: str) -> str:
    lines = (line.rstrip() for line in _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _whole_paragraphs(text: str) -> tuple[str, bool]:
    if len(text) <= TEXT_MAX:
        return text, False
    end = max(text.rfind("\n\n", TEXT_MAX // 2, TEXT_MAX), 0) or max(text.rfind("\n", TEXT_MAX // 2, TEXT_MAX), 0)
    return text[: end or TEXT_MAX].rstrip(), True


def _language(text: str) -> str:
    """By script: pages rarely declare it, and what they declare is often wrong."""
    letters = [c for c in text[:5_000] if c.isalpha()]
    if any("\u3040" <= c <= "\u30ff" for c in letters[:500]):
        return "ja"
    chinese = sum("\u3400" <= c <= "\u9fff" for c in letters)
    if chinese * 5 > len(letters):
        return "zh"
    latin = sum(c.isascii() for c in letters)
    return "en" if latin * 10 > len(letters) * 9 else "und"


def _too_short(text: str) -> Message:
    if not text:
        return message("text.empty")
    return message("text.too_short", n=len(text), least=TEXT_MIN)
