"""Hostile pages are read or refused by a process with limited memory."""

import json
import subprocess
import sys
import zlib
from collections.abc import Callable

import pytest
from trafilatura import main_extractor

from readdo.extraction import article_text, input_limits, known_sites, structure_limits
from support.template import ROOT
from unit.extract import bombs

MEMORY_MAX = 512  # MB
TEXT = b"Leases keep two workers from doing the same job. " * 4
ENTITIES = b"".join(b'<!ENTITY l%d "%s">' % (n, (b"&l%d;" % (n - 1)) * 10) for n in range(1, 10))
CASES: dict[str, tuple[Callable[[], bytes], str | None]] = {
    "50 MB": (lambda: b"<html><body>" + b"<p>word word word word. </p>" * 1_900_000, "text/html"),
    "100,000 nested tags": (lambda: b"<div>" * 100_000 + TEXT, "text/html"),
    "100,000 attributes": (lambda: b"<p " + b"a=b " * 100_000 + b">" + TEXT, "text/html"),
    "2 MB of unclosed paragraphs": (lambda: b"<html><body>" + b"<p>word " * 250_000, "text/html"),
    "10 MB of links": (lambda: b"<html><body>" + b'<a href="http://example.com/x">a link</a> ' * 250_000, "text/html"),
    "NULs": (lambda: b"\0" * 1_000_000, "text/html"),
    "a bomb of entities": (
        lambda: b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "l">' + ENTITIES + b"]><html><p>&l9;</p></html>",
        "application/xhtml+xml",
    ),
    "one word of 5 MB": (lambda: b"<html><body>" + b"a" * 5_000_000, "text/html"),
    "one tag of 5 MB": (lambda: b"<html><" + b"a" * 5_000_000, "text/html"),
    "tags that only open": (lambda: b"<" * 5_000_000, "text/html"),
    "scripts that never close": (lambda: b"<html><body>" + b"<script>" * 500_000, "text/html"),
    "styles that never close": (lambda: b"<html><body>" + b"<style>a{}" * 200_000, "text/html"),
    "comments that never close": (lambda: b"<html><body><p>hello</p>" + b"<!--" * 1_000_000, "text/html"),
    "comments before anything": (lambda: b"<!-- x -->" * 5_000 + TEXT, None),
    "pictures within": (
        lambda: b'<html><img src="data:image/png;base64,' + b"A" * 3_000_000 + b'"><p>' + TEXT,
        "text/html",
    ),
    "nested lists": (lambda: b"<ul><li>item " * 30_000, "text/html"),
    "nested quotes": (lambda: b"<blockquote>q " * 30_000, "text/html"),
    "a table of 50,000 rows": (lambda: b"<table>" + b"<tr><td>cell</td><td>x</td>" * 50_000, "text/html"),
    "200,000 metas": (
        lambda: b"<html>" + b"<meta name=author content=x>" * 200_000 + b"<p>" + TEXT,
        "text/html",
    ),
    "backticks": (lambda: b"`<p>" * 1_000_000, None),
    "Chinese that was cut": (lambda: ("租约。" * 200_000).encode("gb18030")[:-1], "text/html; charset=gb2312"),
    "a title of bars": (lambda: b"<html><title>" + b"a|" * 60_000 + b"</title><p>" + TEXT, "text/html"),
    "a headline of bars": (
        lambda: (
            b'<html><meta property="og:title" content="'
            + b"a|" * 7_900
            + b'"><h1>'
            + b"a " * 250_000
            + b"</h1><p>"
            + TEXT
        ),
        "text/html",
    ),
    "line breaks between Chinese": (
        lambda: "<p>中".encode() + b"\n" * 60_000 + b"x</p><p>" + TEXT,
        "text/html; charset=utf-8",
    ),
    "colours of a terminal": (lambda: b"<p>" + TEXT + b"<pre>a<br>\x1b[31mred &#1;</pre>", "text/html"),
    "nested authors": (
        lambda: (
            b'<script type="application/ld+json">{"@type":"Article","headline":"x","author":'
            + b"[" * 400
            + b'"x"'
            + b"]" * 400
            + b"}</script><p>"
            + TEXT
        ),
        "text/html",
    ),
    "a wide table": (lambda: b"<table><tr>" + b"<td>a" * 20_000 + b"</tr>" + b"<tr><td>b" * 14_000, "text/html"),
    "cells that span a million": (
        lambda: b"<table>" + (b"<tr>" + b"<td rowspan=65534 colspan=1000>xx</td>" * 3 + b"</tr>") * 70 + TEXT,
        "text/html",
    ),
    "a wide row over many": (
        lambda: b"<table><tr>" + b"<td colspan=1000>a" * 20 + b"</tr>" + b"<tr><td>b" * 12_000,
        "text/html",
    ),
    "flat tables that never close": (lambda: b"<table><tr><td>cell words here</table>" * 11_000 + TEXT, "text/html"),
    "cells of a row that never close": (lambda: b"<table>" + b"<tr><td>word<td>w" * 12_000, "text/html"),
    "items that never close": (lambda: b"<li>word and word. " * 20_000 + TEXT, "text/html"),
    "letters that grow when they are made small": (
        ("İ" * 400_000 + "<script>x</script>" + "<p>kept text</p>" * 40_000).encode,
        "text/html",
    ),
    "a packed PDF": (
        lambda: (
            b"%PDF-1.4\n1 0 obj<</Filter/FlateDecode>>stream\n" + zlib.compress(b"q " * 10_000_000) + b"\nendstream"
        ),
        "application/pdf",
    ),
    "drawings in drawings of a PDF": (bombs.nested_drawings, "application/pdf"),
    "a broken PDF": (lambda: b"%PDF-1.4\n" + b"garbage" * 100_000, "application/pdf"),
}
HUGE_TABLES = {
    "spans": "<table>" + ("<tr>" + "<td rowspan=65534 colspan=1000>xx</td>" * 3 + "</tr>") * 70,
    "quoted spans": '<table title=">"><tr>' + "<td rowspan = '&#49;000' COLSPAN=\"0999\">x</td>" * 40,
    "cells without a row": "<table>" + "<td rowspan=100 colspan=100>x" * 300 + "</table>",
    "a wide row over many": "<table><tr>" + "<td colspan=100>a" * 20 + "</tr>" + "<tr><td>b" * 12_000,
    "many tables": ("<table>" + "<tr><td colspan=90>x<td>y</tr>" * 9 + "</table>") * 300,
    "nested tables": "<table><tr><td colspan=90 rowspan=90>x" * 200,
}


@pytest.mark.parametrize("name", HUGE_TABLES)
def test_spans_create_a_bounded_number_of_cells(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Count the table cells that trafilatura creates. It reads a page three times."""
    cells = []
    create = main_extractor.define_cell_type
    monkeypatch.setattr(main_extractor, "define_cell_type", lambda header: cells.append(1) or create(header))
    text = TEXT.decode()
    page = f"<html><body><p>{text}</p>{HUGE_TABLES[name]}</table><p>{text}</p></body></html>"
    assert "two workers" in article_text.extract_markdown(page, None)
    assert len(cells) <= 3 * structure_limits.AREA_MAX + 10_000


def test_small_table_is_unchanged() -> None:
    page = "<html><body><table>" + "<tr><td colspan=2>a<td rowspan=3>b</tr>" * 100 + "</table></body></html>"
    tree = article_text.parse_html(page)
    assert structure_limits.simplify(page, tree, article_text.parse_html) == (page, tree)


DEEP = "<div>" * 200 + "<p>a, b c d." * 20_000


def test_deep_nesting_is_flattened_without_losing_text() -> None:
    """Count the pairs of an element and its ancestors."""
    html, tree = structure_limits.simplify(DEEP, article_text.parse_html(DEEP), article_text.parse_html)
    assert sum(1 for node in tree.iter("p") for _ in node.iterancestors()) < structure_limits.DEPTHS_MAX
    assert html.count("a, b c d.") == DEEP.count("a, b c d.")
    assert article_text.parse_html(html) is not None


def test_nested_matches_of_a_known_site_are_read_once() -> None:
    page = '<div class="RichContent-inner">' * 100 + "<p>The one text of this page.</p>"
    tree = article_text.parse_html(page)
    assert len(known_sites.article_elements(tree, "https://www.zhihu.com/q/1")) == 1
    arxiv = article_text.parse_html('<div id="abs">' + '<blockquote class="abstract">' * 100 + "text")
    assert len(known_sites.article_elements(arxiv, "https://arxiv.org/abs/1")) == 1


def test_tags_with_many_attributes_keep_the_relevant_ones() -> None:
    names = " ".join(f"a{n}" for n in range(2_000))
    cut = input_limits.reduce_html(f'<p {names} class="story" href="x">text</p>' * 60)
    assert cut.count("a1999") == 0
    assert cut.count('class="story"') == 60
    few = f'<p {names} class="story">text</p>'
    assert input_limits.reduce_html(few) == few


def test_huge_span_number_is_ignored() -> None:
    page = f"<p>{TEXT.decode()}</p><table><tr><td colspan={'1' * 5_000}>x<td>y</tr></table><p>{TEXT.decode()}"
    assert "two workers" in article_text.extract_markdown(f"<html><body>{page}</body></html>", None)


def test_page_is_truncated_at_the_element_limit() -> None:
    """Tags without an end tag count as elements, too."""
    for tag, closing in (("<p>", ""), ("<p>", "</p>")):
        cut = input_limits.reduce_html(f"{tag}x{closing}" * 40_000)
        assert cut.count("<p>") == input_limits.ELEMENTS_MAX


READER = """
import contextlib, json, resource, sys
resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
with contextlib.suppress(ValueError, OSError):  # macOS has no memory limit
    resource.setrlimit(resource.RLIMIT_AS, (700_000_000, 700_000_000))
from readdo.extraction.article import read_article
from readdo.errors import StepFailed
kind = sys.argv[1] or None
try:
    extraction = read_article(sys.stdin.buffer.read(), "https://example.com/a", kind)
    result = {"read": len(extraction["normalized_text"])}
except StepFailed as failed:
    result = {"code": failed.code, "message": failed.message}
try:  # the process's own peak; getrusage may report the parent's
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
except OSError:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({**result, "peak": int(peak) / 1024}))
"""


@pytest.mark.parametrize("name", CASES)
def test_hostile_page_is_read_or_refused_within_the_memory_limit(name: str) -> None:
    make, kind = CASES[name]
    process = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", READER, kind or ""],
        input=make(),
        capture_output=True,
        check=True,
        env={"PYTHONPATH": f"{ROOT}/layers/domain", "AWS_DEFAULT_REGION": "eu-central-1"},
    )
    result = json.loads(process.stdout)
    assert result.get("code", "EXTRACTION_PARSE_FAILED") == "EXTRACTION_PARSE_FAILED"
    assert result.get("message", "Paste").count("aste") >= 1
    assert result.get("read", 0) <= 50_000
    assert result["peak"] < MEMORY_MAX
