"""The browser extension: what it may do, and that each of its words is there in both languages."""

import json
import re
import struct
from pathlib import Path

import pytest

from support.template import ROOT

FOLDER = ROOT / "local/extension"
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
LANGUAGES = ("en", "zh_CN")
WORDS = {tag: json.loads((FOLDER / f"_locales/{tag}/messages.json").read_text(encoding="utf-8")) for tag in LANGUAGES}
SCRIPTS = sorted(FOLDER.glob("*.js"))
PAGES = sorted(FOLDER.glob("*.html"))


def test_it_may_look_at_a_page_only_when_it_is_clicked() -> None:
    """No page is its own to read, none is watched, and an address only if its owner says so."""
    assert sorted(MANIFEST["permissions"]) == ["activeTab", "scripting", "storage"]
    assert {"host_permissions", "content_scripts", "background", "externally_connectable"} & set(MANIFEST) == set()
    plain = [pattern for pattern in MANIFEST["optional_host_permissions"] if pattern.startswith("http:")]
    assert sorted(plain) == ["http://127.0.0.1/*", "http://localhost/*"]


@pytest.mark.parametrize("path", [*SCRIPTS, *PAGES], ids=lambda path: path.name)
def test_nothing_foreign_is_loaded_and_no_text_becomes_code(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert (
        re.findall(r"\b(?:eval|innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|new Function)\b", text) == []
    )
    assert re.findall(r"""(?:src|href|from)\s*=?\s*["'](?:https?:)?//""", text) == []
    assert "content_security_policy" not in MANIFEST


def test_every_text_that_is_named_is_there_in_both_languages() -> None:
    named = set(re.findall(r"__MSG_(\w+)__", json.dumps(MANIFEST)))
    for path in (*SCRIPTS, *PAGES):
        text = path.read_text(encoding="utf-8")
        named |= set(re.findall(r'\bdata-t(?:-[a-z]+)?="(\w+)"', text)) | set(re.findall(r'\bt\("(\w+)"[,)]', text))
        named |= {name for pair in re.findall(r'\bt\(\w+ \? "(\w+)" : "(\w+)"', text) for name in pair}
    assert len(named) > 40
    assert named - set(WORDS["en"]) == set()
    assert set(WORDS["en"]) == set(WORDS["zh_CN"])
    told = {name for name in WORDS["en"] if not name.startswith(("error_", "now_"))}
    assert told - named == set()


@pytest.mark.parametrize("name", sorted(WORDS["en"]))
def test_what_is_filled_in_is_the_same_in_both(name: str) -> None:
    blanks = [sorted(re.findall(r"\$\d", WORDS[tag][name]["message"])) for tag in LANGUAGES]
    assert blanks[0] == blanks[1]


def test_each_icon_is_of_the_size_that_it_is_named_by() -> None:
    for size, path in {**MANIFEST["icons"], **MANIFEST["action"]["default_icon"]}.items():
        assert struct.unpack(">II", (FOLDER / path).read_bytes()[16:24]) == (int(size), int(size))
