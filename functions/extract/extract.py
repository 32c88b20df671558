"""extract: the pasted text, or the page, as readable text and what is known about it."""

from typing import Any

from article import read_article
from readdo import files
from readdo.errors import StepFailed
from readdo.read import steps

EXTRACTOR = "trafilatura.1"


def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return steps.carry_out(event, "extraction", produce)


def produce(work: steps.Work) -> steps.Made:
    place = work.told("content_ref")
    if not place:
        words = (
            "Read→Do cannot fetch pages yet, so there is no text to work on. "
            "Capture it again with the page's text in `content` (under its capture_id, if you gave one)."
        )
        raise StepFailed("EXTRACTION_FETCH_FAILED", words, retryable=False)
    article = read_article(files.get(place), work.told("url") or None, "text/plain; charset=utf-8")
    title = article.pop("title", "")
    learned = {"title": title} if title and not work.told("title") else {}
    return steps.Made(article, "extraction.v1", engine=EXTRACTOR, sets=learned)
