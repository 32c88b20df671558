"""A PDF gives its text and title; one that cannot be read says why."""

import json
import sys
from pathlib import Path

import bombs
import papers
import pytest

import pdf
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


@pytest.mark.parametrize("name", bombs.HEAVY)
def test_a_small_file_that_takes_much_is_left_to_itself(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "SECONDS", 1)
    body = bombs.HEAVY[name]()
    assert len(body) < 4_000_000
    with pytest.raises(StepFailed, match="far more memory or time") as failed:
        read_article(body, None, "application/pdf")
    assert (failed.value.code, failed.value.retryable) == ("EXTRACTION_PARSE_FAILED", False)
    assert "Paste" in failed.value.message


@pytest.mark.parametrize("name", bombs.ODD)
def test_a_file_that_leads_in_a_circle_ends(name: str) -> None:
    with pytest.raises(StepFailed) as failed:
        read_article(bombs.ODD[name](), None, "application/pdf")
    assert "Paste" in failed.value.message


# Stands in for the package, and writes down what it finds where it is asked.
TELLS = """
import json, os, resource, sys
class PdfiumError(Exception): pass
def PdfDocument(body):
    limits = [resource.getrlimit(what)[0] for what in (resource.RLIMIT_AS, resource.RLIMIT_CPU)]
    with open(sys.path[0] + "/told", "w") as told:
        json.dump([limits, sorted(os.environ)], told)
    raise PdfiumError("no")
"""


def test_the_reader_has_limits_of_memory_and_time_and_nothing_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pypdfium2.py").write_text(TELLS, encoding="utf-8")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    monkeypatch.setenv("PYTHONSTARTUP", "x")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with pytest.raises(StepFailed, match="broken"):
        pdf.read(b"%PDF-1.4")
    (memory, seconds), environment = json.loads((tmp_path / "told").read_text(encoding="utf-8"))
    assert seconds == pdf.SECONDS
    assert memory == pdf.MEMORY_MAX or sys.platform == "darwin"
    assert set(environment) <= {"LD_LIBRARY_PATH", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}


def test_a_reader_that_is_not_there_is_our_fault_and_not_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(RuntimeError, match="ended with 1"):
        pdf.read(papers.LOCKED)
