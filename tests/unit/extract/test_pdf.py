"""A PDF gives its text and title; one that cannot be read says why."""

import papers
import pytest

from article import read_article
from readdo.errors import StepFailed


@pytest.mark.parametrize(
    ("text", "title", "language"), [(papers.ENGLISH, "On leases", "en"), (papers.CHINESE, "租约", "zh")]
)
def test_a_paper_is_read_in_lines_of_thought_and_not_of_paper(text: str, title: str, language: str) -> None:
    found = read_article(papers.drawn(text, title), None, "application/pdf")
    assert text in found["normalized_text"]
    assert found["title"] == title
    assert found["content_meta"]["language"] == language


def test_every_page_is_read() -> None:
    text = read_article(papers.drawn(papers.ENGLISH, "Long", pages=3), None, None)["normalized_text"]
    assert text.count("Leases keep two workers") == 18


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (papers.EMPTY_PAGE, "pictures of pages"),
        (papers.LOCKED, "password"),
        (b"%PDF-1.7\n" + b"garbage " * 100, "broken"),
        (papers.drawn(papers.ENGLISH, "Cut")[:900], "broken"),
    ],
)
def test_what_cannot_be_read_says_why(body: bytes, words: str) -> None:
    with pytest.raises(StepFailed, match=words) as failed:
        read_article(body, "https://example.com/paper.pdf", "application/pdf")
    assert (failed.value.code, failed.value.retryable) == ("EXTRACTION_PARSE_FAILED", False)
    assert "Paste" in failed.value.message
