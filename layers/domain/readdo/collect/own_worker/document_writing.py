"""Write the parts of a document from pages that were read. Nothing is written that no page has."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readdo.collect.markdown_parts import split_front_matter
from readdo.collect.own_worker.page_sources import PageSource

DETAILS_MAX = 20_000
_SUMMARY_MIN = 130  # characters; the repetition of a sentence is not counted
_HEADINGS = {
    "en": {"summary": "Summary", "key_points": "Key points", "details": "Details", "links": "Resources"},
    "zh": {"summary": "摘要", "key_points": "关键要点", "details": "详细内容", "links": "资源链接"},
}
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
_UNDERLINE = re.compile(r"^ {0,3}(?:=+|-+)\s*$", re.MULTILINE)
_SENTENCE = re.compile(r"[^。！？!?.\n]+(?:[。！？!?]|\.(?=\s|$)|\n|$)")


@dataclass(frozen=True)
class DocumentDraft:
    """Summary and key points that the engine wrote for the pages."""

    sources: Sequence[PageSource]
    summary: str
    key_points: Sequence[str]
    language: str  # en or zh


def write_draft(engine: Any, sources: Sequence[PageSource], intent: str) -> DocumentDraft:
    first = sources[0]
    language = "zh" if first.language.startswith("zh") else "en"
    made = engine.summarize(intent=intent, text=first.text, title=first.title, profile="engineer", language=language)
    points = [_one_line(point) for point in made["bullets"]]
    return DocumentDraft(sources, _long_enough(_one_line(made["insight"]), points, first.text), points, language)


def _long_enough(insight: str, points: Sequence[str], text: str) -> str:
    """The insight and the points, and then the first sentences of the page."""
    sentences = [insight, *points]
    for sentence in _SENTENCE.findall(text):
        if len("".join("".join(sentences).split())) >= _SUMMARY_MIN:
            break
        plain = _one_line(sentence).lstrip("#>*- ")
        if len(plain) > 1 and plain not in sentences:
            sentences.append(plain)
    return " ".join(sentences)


def new_document(title: str, draft: DocumentDraft, at: str) -> str:
    first = draft.sources[0]
    facts = {"title": title, "url": first.url, "language": draft.language, "collected_at": at, **first.facts}
    facts |= {"characters": str(len(first.text))}
    parts = [_front(facts), f"# {_one_line(title)}", *(_part(draft, name) for name in _HEADINGS["en"])]
    return "\n\n".join(parts) + "\n"


def supplement(content: str, missing: Sequence[str], title: str, draft: DocumentDraft, at: str) -> str:
    """Add the missing parts: front matter at the top, and sections at the end. The rest stays as it is."""
    front, body = split_front_matter(content)
    first = draft.sources[0]
    if "metadata" in missing:
        known = {line.partition(":")[0].strip() for line in front}
        facts = {"title": title, "url": first.url, "language": draft.language, "collected_at": at, **first.facts}
        facts |= {"characters": str(len(first.text))}
        front = [*front, *(f"{name}: {_yaml(value)}" for name, value in facts.items() if name not in known)]
    kinds = {"summary": "summary", "key_points": "key_points", "details": "details", "resource_links": "links"}
    added = [_part(draft, kinds[name]) for name in missing if name in kinds]
    head = ["---", *front, "---", ""] if front else []
    return "\n".join(head) + "\n\n".join([body.strip("\n"), *added]) + "\n"


def _front(facts: Mapping[str, str]) -> str:
    return "\n".join(["---", *(f"{name}: {_yaml(value)}" for name, value in facts.items()), "---"])


def _yaml(value: str) -> str:
    return json.dumps(_one_line(value), ensure_ascii=False)


def _part(draft: DocumentDraft, name: str) -> str:
    return f"## {_HEADINGS[draft.language][name]}\n\n{_PARTS[name](draft)}"


def _details(draft: DocumentDraft) -> str:
    texts = [_plain_markdown(source.text) for source in draft.sources]
    return "\n\n".join(texts)[:DETAILS_MAX]


def _links(draft: DocumentDraft) -> str:
    return "\n".join(f"- [{_link_text(source.title)}]({source.url})" for source in draft.sources)


def _plain_markdown(text: str) -> str:
    """The headings of a page become bold lines: they must not end a section of the document."""
    bold = _HEADING.sub(lambda match: f"**{match[1]}**" if match[1] else "", text)
    return _UNDERLINE.sub("", bold)


def _link_text(text: str) -> str:
    return _one_line(text).replace("[", "(").replace("]", ")")


def _one_line(text: str) -> str:
    return " ".join(str(text).split())


_PARTS = {
    "summary": lambda draft: draft.summary,
    "key_points": lambda draft: "\n".join(f"- {point}" for point in draft.key_points),
    "details": _details,
    "links": _links,
}
