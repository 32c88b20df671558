"""Read the article in a page or a pasted text. Deterministic, without network access."""

import re
from typing import Any

from readdo.clock import digest
from readdo.errors import StepFailed
from readdo.extraction import article_text, input_limits, metadata, pdf
from readdo.extraction.decode import decode
from readdo.extraction.judge import judgement
from readdo.messages import Message, message

TEXT_MIN, TEXT_MAX = 50, 50_000
TITLE_MAX = 300
LOOKED_AT_MAX = 1_000_000  # characters that are cleaned; at most TEXT_MAX of the result are kept
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
    """The extraction's payload, and `title` if the page has one. Raises StepFailed if there is no article."""
    kind = input_limits.kind_of(body, content_type)
    return payload(pdf.read(body) if kind == "pdf" else _from_text(decode(body, content_type), url, kind))


def payload(reading: dict[str, Any]) -> dict[str, Any]:
    """`reading` has the text, the title, `partial` (a warning), and the known fields of content_meta."""
    text, cut = _whole_paragraphs(_tidy(reading.pop("text")[:LOOKED_AT_MAX]))
    if len(text) < TEXT_MIN:
        raise StepFailed("EXTRACTION_PARSE_FAILED", _too_short(text))
    title = _plain(reading.pop("title", ""))[:TITLE_MAX]
    warnings = [w for w in (reading.pop("partial", ""),) if w]
    if cut:
        warnings.append(message("partial.too_long", n=TEXT_MAX))
    content_meta = {"language": _language(text), "word_count": len(_WORD.findall(text)), **_within_limits(reading)}
    result = {
        "normalized_text": text,
        "extraction_hash": digest(text),
        "content_meta": content_meta,
        "warnings": warnings,
    }
    return result | ({"title": title} if title else {})


def _plain(value: object) -> str:
    return " ".join(_UNSEEN.sub("", str(value)).split())


def _within_limits(reading: dict[str, Any]) -> dict[str, Any]:
    """Cut metadata to the schema's limits, so that a long author name does not fail the page."""
    fields: dict[str, Any] = {}
    for name, limit in META_LIMITS.items():
        value = _plain(reading.get(name, ""))[:limit].strip()
        if value and (name != "image" or value.startswith(("http://", "https://"))):
            fields[name] = value
    seconds = reading.get("duration_seconds", 0)
    return fields | ({"duration_seconds": seconds} if 0 < seconds < DURATION_MAX else {})


def looks_like_html(raw: str) -> bool:
    """True for a text that begins with a tag or closes several. Code samples do not count."""
    head = _past_preamble(_CODE.sub("", raw[:50_000]))
    return bool(_STARTS.match(head)) or len(_CLOSED.findall(head)) >= CLOSED_TAGS


def _past_preamble(head: str) -> str:
    """Skip byte order marks, the XML declaration and comments before the page begins."""
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
    html = input_limits.reduce_html(raw)
    if not _ROOT.search(html[:5_000]):
        html = f"<html><body>{html}</body></html>"  # lxml parses a fragment of a page reliably only inside a body
    reading = {"text": article_text.extract_markdown(html, url), **metadata.read_metadata(html, url)}
    verdict = judgement.judge(text=reading["text"], html=html, title=reading["title"], url=url)
    if verdict.refused:
        raise StepFailed("EXTRACTION_PARSE_FAILED", verdict.refused)
    return reading | ({"partial": verdict.partial} if verdict.partial else {})


def _heading(raw: str) -> str:
    """The first heading of a Markdown text."""
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
    """Guess the language by script. Pages rarely declare it, and the declaration is often wrong."""
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
