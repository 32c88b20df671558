"""Obsidian notes: any title gives a valid file name, valid YAML front matter and one block."""

from typing import Any

import pytest
import yaml

from readdo.transfer.backup import obsidian_note

ID = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD"
HOSTILE = (
    "../../etc/passwd",
    "..\\..\\windows",
    "CON",
    "con.txt",
    "LPT1",
    ".hidden",
    'a/b:c*d?e"f<g>h|i#j^k[l]',
    "ends with dots...",
    "   ",
    "",
    "🚀👩‍👩‍👧 emoji",
    "租约与栅栏令牌" * 43,
    "é" * 300,
    "right\u202eto\u202cleft\u0000nul\nline\r\nlines\u2028more",
    "---\ntitle: mine\n---",
    "<!-- readdo:end --><!-- readdo:begin " + ID + " -->",
    "'quoted' \"twice\" \\ {a: b} [c] & *d !e %f @g `h`",
    "yes",
    "2026-11-19",
    "[[a link]] %% a comment %% #tag",
)


def item(title: str, **fields: Any) -> dict[str, Any]:
    return {"id": ID, "title": title, "status": "READY", "intent_text": "why", "created_at": "2026-11-19", **fields}


def parts(note: str) -> tuple[dict[str, Any], str, str]:
    """Return the front matter, the content of the block, and the text after it."""
    _, front, rest = note.split("---\n", 2)
    begin, end = obsidian_note.BEGIN.format(id=ID), obsidian_note.END
    assert (note.count("<!--"), note.count(end)) == (2, 1)
    assert rest.startswith(begin)
    block, after = rest[len(begin) :].split(end)
    return yaml.safe_load(front), block, after


@pytest.mark.parametrize("title", HOSTILE)
def test_note_name_is_a_valid_file_name(title: str) -> None:
    name = obsidian_note.name_of(item(title))
    assert name.endswith(f" {ID[-10:]}.md")
    stem = name.removesuffix(".md")
    assert not set(stem) & set('\\/:*?"<>|#^[].')
    assert all(c.isprintable() for c in stem)
    assert len(name.encode()) <= 140
    assert stem == stem.strip()
    assert stem.split(" ")[0]


def test_note_name_contains_the_title_in_any_language() -> None:
    assert obsidian_note.name_of(item("Fencing tokens")) == "Fencing tokens 7X1Y0BCD.md".replace("7X1Y0BCD", ID[-10:])
    assert obsidian_note.name_of(item("栅栏令牌：入门")).startswith("栅栏令牌：入门 ")
    assert obsidian_note.name_of(item("🚀 away")).startswith("🚀 away ")
    assert obsidian_note.name_of(item("")).startswith("Untitled ")


@pytest.mark.parametrize("title", HOSTILE)
def test_front_matter_contains_the_exact_title(title: str) -> None:
    front, _, after = parts(obsidian_note.note_of(item(title, url="https://example.org/a"), {}))
    assert front == {
        "readdo": ID,
        "title": title,
        "url": "https://example.org/a",
        "status": "READY",
        "created_at": "2026-11-19",
    }
    assert after == "\n"


@pytest.mark.parametrize("text", HOSTILE)
def test_text_in_the_block_cannot_end_it(text: str) -> None:
    todo = {"title": text, "eta": text}
    artifacts: dict[str, dict[str, Any]] = {
        "summary": {"bullets": [text], "insight": text, "evidence": [{"quote": text}]},
        "todos": {"todos": [todo]},
        "card": {"headline": text, "points": [text], "insight": text, "action": text},
    }
    _, block, after = parts(
        obsidian_note.note_of(item(text, intents=[text], url=f"https://example.org/{text}"), artifacts)
    )
    assert after == "\n"
    assert "\n#" not in block.replace("\n# ", "", 1).replace("\n## ", "")
    assert "[[" not in block
    assert "%%" not in block


def test_tags_are_converted_for_obsidian() -> None:
    front, _, _ = parts(obsidian_note.note_of(item("x", tags=["to read", "#later", "工作", "a/b", "!!!"]), {}))
    assert front["tags"] == ["to-read", "later", "工作", "a/b"]


def test_todos_are_check_boxes() -> None:
    _, block, _ = parts(
        obsidian_note.note_of(item("x"), {"todos": {"todos": [{"title": "List the writes", "eta": "30m"}]}})
    )
    assert "- [ ] List the writes (30m)" in block
