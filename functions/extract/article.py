"""A page or a pasted text → the article in it. Pure: no network, and the same bytes give the same article."""

import re
from typing import Any

import trafilatura
from trafilatura.settings import use_config

from readdo.errors import StepFailed
from readdo.ids import digest

TEXT_MIN, TEXT_MAX = 50, 50_000
TITLE_MAX = 300
META_MAX = 120
CLOSED_TAGS = 3
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_BLOCK = r"(?:html|head|body|article|main|section|div|p|h[1-6]|ul|ol|li|table|tr|td|blockquote)"
_STARTS = re.compile(rf"(?:<!--.*?-->\s*)*<(?:!doctype\s+html|{_BLOCK})\b[^<>]*>", re.I | re.S)
_ROOT = re.compile(r"<(?:html|body)\b", re.I)
_CLOSED = re.compile(rf"</{_BLOCK}\s*>", re.I)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.S)
_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b\u2028\u2029\u2060\ufeff\ud800-\udfff]")

_CONFIG = use_config()
# The usual 250 characters suit Latin scripts; a whole Chinese article can be shorter.
_CONFIG.set("DEFAULT", "MIN_EXTRACTED_SIZE", "150")


def read_article(body: bytes, url: str | None, content_type: str | None) -> dict[str, Any]:
    """The extraction's payload, and `title` where the page has one. StepFailed says what is wrong with the page."""
    del content_type  # what is pasted is UTF-8, and says by its tags whether it is HTML
    raw = body.decode("utf-8", "replace")
    found = _from_html(raw, url) if looks_like_html(raw) else {"text": raw, "title": _heading(raw)}
    text, cut = _whole_paragraphs(_tidy(found.pop("text")))
    if len(text) < TEXT_MIN:
        raise StepFailed("EXTRACTION_PARSE_FAILED", _too_short(text))
    meta: dict[str, Any] = {"language": _language(text), "word_count": len(_WORD.findall(text))}
    meta |= {name: value for name in ("author", "publish_date", "site_name") if (value := found.get(name))}
    warnings = [f"Only the first {TEXT_MAX:,} characters were read; the text is longer."] if cut else []
    payload = {"normalized_text": text, "extraction_hash": digest(text), "content_meta": meta, "warnings": warnings}
    return payload | ({"title": found["title"]} if found["title"] else {})


def looks_like_html(raw: str) -> bool:
    """A page begins with a tag, or closes several. A text that only mentions tags, or shows code, is a text."""
    head = _CODE.sub("", raw[:50_000]).lstrip()
    return bool(_STARTS.match(head)) or len(_CLOSED.findall(head)) >= CLOSED_TAGS


def _from_html(raw: str, url: str | None) -> dict[str, Any]:
    if not _ROOT.search(raw[:5_000]):
        raw = f"<html><body>{raw}</body></html>"  # a piece of a page is parsed as one, or not at all
    options: dict[str, Any] = {"include_comments": False, "favor_recall": True, "config": _CONFIG, "url": url}
    text = trafilatura.extract(raw, output_format="markdown", **options) or trafilatura.html2txt(raw) or ""
    known = trafilatura.extract_metadata(raw, default_url=url).as_dict()
    short = {name: _line(known.get(key))[:META_MAX] for name, key in _META.items()}
    return {"text": text, "title": _line(known.get("title"))[:TITLE_MAX], **short}


def _line(value: object) -> str:
    return " ".join(str(value or "").split())


_META = {"author": "author", "publish_date": "date", "site_name": "sitename"}


def _heading(raw: str) -> str:
    """A Markdown text's first heading."""
    first = next((line.strip() for line in raw.splitlines() if line.strip()), "")
    return _line(first.lstrip("#"))[:TITLE_MAX] if first.startswith("# ") else ""


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


def _too_short(text: str) -> str:
    if not text:
        return "There is no readable text in it. Paste the text of the page itself, at least 50 characters of it."
    return f"Only {len(text)} characters of text were found; at least {TEXT_MIN} are needed. Paste the whole text."
