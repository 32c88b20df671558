"""A PDF gives its text and title; one that cannot be read says why."""

import ctypes
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

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


# Stands in for the package: the text of its only page is what it finds where it is called.
TELLS = """
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
        told = {
            "limits": {name: resource.getrlimit(getattr(resource, "RLIMIT_" + name)) for name in names},
            "environment": sorted(os.environ),
            "parent": attempt(lambda: open(f"/proc/{os.getppid()}/environ")),
            "file": attempt(lambda: open(__file__)),
            "socket": attempt(socket.socket),
        }
        self.told = json.dumps(told)
    def get_metadata_dict(self): return {}
    def __len__(self): return 1
    def __getitem__(self, number): return self
    def get_textpage(self): return self
    def get_text_bounded(self): return self.told
    def close(self): pass
"""


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "pypdfium2.py").write_text(TELLS, encoding="utf-8")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "a secret")
    monkeypatch.setenv("PYTHONSTARTUP", "x")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return dict(json.loads(pdf.read(b"%PDF-1.4")["text"]))


def test_reader_has_limits_that_it_cannot_raise(told: dict[str, Any]) -> None:
    limits = {name: tuple(limit) for name, limit in told["limits"].items()}
    if sys.platform != "darwin":
        assert limits["AS"] == (pdf.MEMORY_MAX,) * 2
    assert limits["CPU"] == (pdf.SECONDS,) * 2
    assert limits["NOFILE"] == (3, 3)
    assert limits["NPROC"] == limits["FSIZE"] == limits["CORE"] == (0, 0)


def test_reader_has_nothing_of_the_environment_and_opens_nothing(told: dict[str, Any]) -> None:
    """Its starter holds the role's keys, in its environment and its memory."""
    assert set(told["environment"]) <= {"LD_LIBRARY_PATH", "LC_CTYPE", "__CF_USER_TEXT_ENCODING"}
    assert (told["parent"], told["file"], told["socket"]) == ("OSError", "OSError", "OSError")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process does not read another's memory")
def test_starter_cannot_be_read_while_the_reader_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    prctl, run = ctypes.CDLL(None).prctl, subprocess.run
    seen = []
    monkeypatch.setattr(pdf.subprocess, "run", lambda *a, **k: seen.append(prctl(3)) or run(*a, **k))
    read_article(papers.drawn(papers.ENGLISH, "On leases"), None, "application/pdf")
    assert (seen, prctl(3)) == ([0], 1)


def test_a_reader_that_is_not_there_is_our_fault_and_not_the_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    with pytest.raises(RuntimeError, match="ended with 1"):
        pdf.read(papers.LOCKED)
