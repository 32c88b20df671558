"""Browser extension: its permissions, and its texts in both languages."""

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


def test_extension_reads_a_page_only_on_click() -> None:
    """The extension watches no page. The owner grants the product's address."""
    assert sorted(MANIFEST["permissions"]) == ["activeTab", "scripting", "storage"]
    assert {"host_permissions", "content_scripts", "background", "externally_connectable"} & set(MANIFEST) == set()
    plain = [pattern for pattern in MANIFEST["optional_host_permissions"] if pattern.startswith("http:")]
    assert sorted(plain) == ["http://127.0.0.1/*", "http://localhost/*"]


@pytest.mark.parametrize("path", [*SCRIPTS, *PAGES], ids=lambda path: path.name)
def test_extension_loads_no_external_resource_and_evaluates_no_text(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert (
        re.findall(r"\b(?:eval|innerHTML|outerHTML\s*=|insertAdjacentHTML|document\.write|new Function)\b", text) == []
    )
    assert re.findall(r"""(?:src|href|from)\s*=?\s*["'](?:https?:)?//""", text) == []
    assert "content_security_policy" not in MANIFEST


def test_every_used_text_exists_in_both_languages() -> None:
    used = set(re.findall(r"__MSG_(\w+)__", json.dumps(MANIFEST)))
    for path in (*SCRIPTS, *PAGES):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'\bdata-t(?:-[a-z]+)?="(\w+)"', text)) | set(re.findall(r'\bt\("(\w+)"[,)]', text))
        used |= {name for pair in re.findall(r'\bt\(\w+ \? "(\w+)" : "(\w+)"', text) for name in pair}
    assert len(used) > 40
    assert used - set(WORDS["en"]) == set()
    assert set(WORDS["en"]) == set(WORDS["zh_CN"])
    defined = {name for name in WORDS["en"] if not name.startswith(("error_", "now_"))}
    assert defined - used == set()


@pytest.mark.parametrize("name", sorted(WORDS["en"]))
def test_text_has_the_same_placeholders_in_both_languages(name: str) -> None:
    placeholders = [sorted(re.findall(r"\$\d", WORDS[tag][name]["message"])) for tag in LANGUAGES]
    assert placeholders[0] == placeholders[1]


def test_icon_has_the_size_in_its_name() -> None:
    for size, path in {**MANIFEST["icons"], **MANIFEST["action"]["default_icon"]}.items():
        assert struct.unpack(">II", (FOLDER / path).read_bytes()[16:24]) == (int(size), int(size))
