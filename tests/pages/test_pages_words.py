"""Both languages have every text of the pages."""

import json
import re
from pathlib import Path
from string import Formatter

import pytest

from readdo.errors import RETRYABLE
from readdo.lifecycle.item import ITEM, STEPS
from readdo.lifecycle.state_machine import GONE, STAYS
from readdo.read.actions import CALLS
from support.reader import Reader
from support.world import World

ROOM = Path(__file__).parents[2] / "functions/pages"
WORDS = {tag: json.loads((ROOM / f"words/{tag}.json").read_text("utf-8")) for tag in ("en", "zh")}
DOMAINS_OWN = {f"failed.{code}" for code in RETRYABLE}  # English uses the domain's more exact message


def test_both_languages_have_all_texts() -> None:
    assert set(WORDS["zh"]) - set(WORDS["en"]) == DOMAINS_OWN
    assert set(WORDS["en"]) <= set(WORDS["zh"])


def test_both_languages_use_the_same_placeholders() -> None:
    assert {name for name in WORDS["en"] if _fields("en", name) != _fields("zh", name)} == set()


def _fields(tag: str, name: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(WORDS[tag][name]) if field}


def test_each_used_text_exists() -> None:
    sources = [*(ROOM / "templates").rglob("*.html"), *(ROOM / "screens").rglob("*.py")]
    named = {
        m for path in sources for m in re.findall(r"""\b(?:t|words)\(["']([\w.]+)["'][,)]""", path.read_text("utf-8"))
    }
    assert len(named) > 80
    assert named <= set(WORDS["en"])


def test_each_state_step_and_action_has_a_text() -> None:
    states = {f"state.{status}" for status in ITEM.states}
    triggers = {f"trigger.{row.trigger}" for row in ITEM.rows if row.target not in (STAYS, GONE)}
    steps = {f"step.{step}" for step in (*STEPS, "lease", "export")}
    actions = {f"do.{call[0]}" for call in CALLS.values()} - {"do.patch", "do.edit", "do.unedit"}
    done = {f"done.{name.removeprefix('do.')}" for name in actions}
    assert (states | steps | actions | done | triggers) - set(WORDS["en"]) == set()


def test_language_follows_the_setting_or_the_browser(world: World) -> None:
    chinese = Reader(world, language="fr;q=0.9, zh-TW, en;q=0.5").look("/my")
    assert chinese.tree.get("lang") == "zh-CN"
    visitor = Reader(world, language="zh")
    page = visitor.send(visitor.look("/my/settings").form("/my/settings"), language="en", theme="dark")
    assert (page.tree.get("lang"), page.tree.get("data-theme")) == ("en", "dark")
    assert visitor.look("/my").tree.get("lang") == "en"


@pytest.mark.parametrize("cookie", ["language=xx~theme=<script>", "~~~", "%00", "language=en&theme=dark", "a" * 5000])
def test_malformed_preferences_cookie_is_ignored(world: World, cookie: str) -> None:
    visitor = Reader(world)
    visitor.cookies["readdo-likes"] = cookie
    page = visitor.look("/my")
    assert (page.status, "<script>" in page.text) == (200, False)
