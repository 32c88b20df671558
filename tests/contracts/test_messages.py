"""The catalog of messages, and the code that uses it."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from readdo import messages
from readdo.errors import MESSAGE_MAX

ROOT = Path(__file__).parents[2]
CATALOG: dict[str, dict[str, str]] = json.loads(Path(messages.__file__).with_name("messages.json").read_text("utf-8"))
SOURCES = [path for folder in ("layers/domain/readdo", "functions") for path in sorted((ROOT / folder).rglob("*.py"))]
# What these calls carry is shown to users in their own language.
SHOWN = {
    "StepFailed",
    "BadLine",
    "BadFile",
    "BadLink",
    "UnreadableZip",
    "IncompleteItem",
    "BadBackupLine",
    "NotionError",
}
SHOWN |= {"Blocked", "RunEnd", "refuse"}
CJK = re.compile(r"[\u3000-\uffef]")


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def calls(names: set[str]) -> Iterator[tuple[Path, ast.Call]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in names:
                yield path, node


def is_sentence(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return True
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip()


def problems(english: str, chinese: str) -> Iterator[str]:
    if placeholders(english) != placeholders(chinese):
        yield "other parameters in Chinese"
    if CJK.search(english) or not CJK.search(chinese):
        yield "not in its language"
    if len(english) > MESSAGE_MAX:
        yield "too long for a failure"


def test_each_message_says_the_same_in_both_languages() -> None:
    found = {key: list(problems(texts["en"], texts["zh"])) for key, texts in CATALOG.items()}
    del found["import_file.unknown_kind"]  # an import's failure has no limit of length
    assert {key: wrong for key, wrong in found.items() if wrong} == {}


def test_no_failure_carries_a_sentence_without_a_key() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{call.lineno}" for path, call in calls(SHOWN) if any(map(is_sentence, call.args))
    ]
    assert found == []


def test_code_uses_every_message_and_no_unknown_one() -> None:
    groups = {key.split(".")[0] for key in CATALOG}
    pattern = re.compile(rf'"((?:{"|".join(groups)})\.[a-z0-9_]+)"')
    used = {key for path in SOURCES for key in pattern.findall(path.read_text("utf-8"))}
    assert set(CATALOG) - used == set()
    named = {
        call.args[0].value for _, call in calls({"message"}) if call.args and isinstance(call.args[0], ast.Constant)
    }
    assert named - set(CATALOG) == set()


def test_stored_message_is_read_back_and_translated() -> None:
    inner = messages.message("link.too_long", n=4000)
    outer = messages.message("fetch.blocked", why=inner)
    stored: dict[str, Any] = json.loads(json.dumps(messages.stored_fields(outer)))
    assert stored == {
        "message_key": "fetch.blocked",
        "params": {"why": {"message_key": "link.too_long", "params": {"n": 4000}}},
    }
    assert messages.translate(stored, "en") == outer
    assert "4,000" in messages.translate(stored, "zh")
    assert messages.stored_fields(messages.from_stored(outer, stored)) == stored


def test_clipped_message_keeps_its_key() -> None:
    clipped = messages.clip(messages.message("text.empty"), 10)
    assert len(clipped) == 10
    assert messages.stored_fields(clipped) == {"message_key": "text.empty"}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"message_key": "of.a_later_release"},
        {"message_key": "text.too_short"},
        {"message_key": "fetch.timeout", "params": {"other": 1}},
    ],
)
def test_unknown_fields_translate_to_nothing(fields: dict[str, Any]) -> None:
    assert messages.translate(fields, "zh") == ""
