"""A PDF gives its text and title, or an error that says why it cannot be read."""

import ctypes
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from readdo.errors import StepFailed
from readdo.extraction import pdf
from readdo.extraction.article import read_article
from unit.extract import bombs, papers


@pytest.mark.parametrize(
    ("text", "title", "language"), [(papers.ENGLISH, "On leases", "en"), (papers.CHINESE, "租约", "zh")]
)
def test_pdf_lines_are_joined_to_paragraphs(text: str, title: str, language: str) -> None:
    extraction = read_article(papers.typeset(text, title), None, "application/pdf")
    assert text in extraction["normalized_text"]
    assert extraction["title"] == title
    assert extraction["content_meta"]["language"] == language


def test_every_page_is_read() -> None:
    text = read_article(papers.typeset(papers.ENGLISH, "Long", pages=3), None, None)["normalized_text"]
    assert text.count("Leases keep two workers") == 18


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (papers.EMPTY_PAGE, "only pictures of pages"),
        (papers.LOCKED, "password"),
        (b"%PDF-1.7\n" + b"garbage " * 100, "damaged"),
        (papers.typeset(papers.ENGLISH, "Cut")[:900], "damaged"),
    ],
)
def test_unreadable_pdf_fails_with_a_reason(body: bytes, words: str) -> None:
    with pytest.raises(StepFailed, match=words) as failed:
        read_article(body, "https://example.com/paper.pdf", "application/pdf")
    assert (failed.value.code, failed.value.retryable) == ("EXTRACTION_PARSE_FAILED", False)
    assert "Paste" in failed.value.message


@pytest.mark.parametrize("name", bombs.HEAVY)
def test_pdf_bomb_is_stopped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "SECONDS", 1)
    body = bombs.HEAVY[name]()
    assert len(body) < 4_000_000
    with pytest.raises(StepFailed, match="too much memory or time") as failed:
        read_article(body, None, "application/pdf")
    assert (failed.value.code, failed.value.retryable) == ("EXTRACTION_PARSE_FAILED", False)
    assert "Paste" in failed.value.message


@pytest.mark.parametrize("name", bombs.ODD)
def test_pdf_with_a_cycle_ends(name: str) -> None:
    with pytest.raises(StepFailed) as failed:
        read_article(bombs.ODD[name](), None, "application/pdf")
    assert "Paste" in failed.value.message


# Replaces the pypdfium2 package. The text of its only page is a report of the process's environment.
FAKE_PDFIUM = """
import json, os, resource, socket
class PdfiumError(Exception): pass

def attempt(act):
    try:
        act()
    except OSError as error:
        return type(error).__name__
    return "done"

class PdfDocument:
    def __init__(self, body):
        names = ("AS", "CPU", "NOFILE", "NPROC", "FSIZE", "CORE")
        report = {
            "limits": {name: resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in names},
            "environment": sorted(os.environ),
            "parent": attempt(lambda: open(f"/proc/{os.getppid()}/environ")),
            "file": attempt(lambda: open(__file__)),
            "socket": attempt(socket.socket),
        }
        self.report = json.dumps(report)
    def get_metadata_dict(self): return {}
    def __len__(self): return 1
    def __getitem__(self, number): return self
    def get_textpage(self): return self
    def get_text_bounded(self): return self.report
    def close(self): pass
"""


@pytest.fixture
def process_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "pypdfium2.py").write_text(FAKE_PDFIUM, encoding="utf-8")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    monkeypatch.setenv("PYTHONSTARTUP", "x")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return dict(json.loads(pdf.read(b"%PDF-1.4")["text"]))


def test_pdf_process_has_hard_limits(process_report: dict[str, Any]) -> None:
    limits = {name: tuple(limit) for name, limit in process_report["limits"].items()}
    if sys.platform != "darwin":
        assert limits["AS"] == (pdf.MEMORY_MAX,) * 2
    assert limits["CPU"] == (pdf.SECONDS,) * 2
    assert limits["NOFILE"] == (3, 3)
    assert limits["NPROC"] == limits["FSIZE"] == limits["CORE"] == (0, 0)


def test_pdf_process_has_no_secrets_and_opens_nothing(process_report: dict[str, Any]) -> None:
    """The parent process holds the role's keys in its environment and its memory."""
    assert set(process_report["environment"]) <= {"LD_LIBRARY_PATH", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert (process_report["parent"], process_report["file"], process_report["socket"]) == (
        "OSError",
        "OSError",
        "OSError",
    )


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process does not read another's memory")
def test_parent_memory_is_protected_while_the_pdf_process_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    prctl, run = ctypes.CDLL(None).prctl, subprocess.run
    dumpable = []
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: dumpable.append(prctl(3)) or run(*a, **k))
    read_article(papers.typeset(papers.ENGLISH, "On leases"), None, "application/pdf")
    assert (dumpable, prctl(3)) == ([0], 1)


def test_missing_pdf_reader_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(RuntimeError, match="ended with 1"):
        pdf.read(papers.LOCKED)
