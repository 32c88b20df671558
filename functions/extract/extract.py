"""Extract function: turn a pasted text or a page into readable text and metadata."""

from typing import Any

from readdo.extraction import sources
from readdo.extraction.article import read_article
from readdo.read import item_rows, run_steps
from readdo.runtime import redact_errors

EXTRACTOR = "readings.1"


@redact_errors
def handler(event: dict[str, Any], _context: object) -> dict[str, Any]:
    return run_steps.carry_out(event, "extraction", produce)


def produce(work: run_steps.StepContext) -> run_steps.StepResult:
    text_key, url = work.field("content_ref"), work.field("url")
    article = read_article(_read_pasted(work, text_key), url or None, None) if text_key else sources.read(url)
    title = article.pop("title", "")
    updates = {"title": title} if title and not work.field("title") else {}
    return run_steps.StepResult(article, "extraction.v1", engine=EXTRACTOR, sets=updates)


def _read_pasted(work: run_steps.StepContext, text_key: str) -> bytes:
    return item_rows.read(work.table, work.run.owner, work.run.item, text_key)
