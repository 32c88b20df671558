"""The guard tool finds every guard, removes exactly one, and reports killed and surviving guards."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from guards import guard_hook, guard_sites
from guards.guard_hook import ROOT
from guards.guard_mutants import every

SOURCE = """
def made(key, row):
    either_way = either(ABSENT, both(same("item", "mine"), Exists("item")))
    return Write(key, "put", condition=either_way, row=row), put_new(key, row)

def looked(table, row):
    check = Write(KEY, "check", condition=Missing("status"))
    if not holds(GUARD, row, {}):
        raise Lost
    store(Body=b"", IfNoneMatch="*", **{"IfNoneMatch": "*"})
    return Change(row, {}, (), VERSION_SEEN), move(ITEM, "lease", replay=held), check
"""
WITHOUT = {
    "m:made · ABSENT of either(…)": "either(both(same('item', 'mine'), Exists('item')))",
    "m:made · both(same('item', 'mine'), Exists('item')) of either(…)": "either(ABSENT)",
    "m:made · same('item', 'mine') of both(…)": "both(Exists('item'))",
    "m:made · Exists('item') of both(…)": "both(same('item', 'mine'))",
    "m:made · Write(condition=either_way)": "condition=None, row=row",
    "m:made · the guard of put_new(key, …)": "_guards_looser(put_new(key, row))",
    "m:looked · Write(condition=Missing('status'))": "condition=_guards_always()",
    "m:looked · the look at GUARD": "if not True:",
    "m:looked · IfNoneMatch": "**{}",
    "m:looked · Change(condition=VERSION_SEEN)": "Change(row, {}, (), None)",
    "m:looked · move(replay=held)": "replay=None",
}


def test_names_in_finds_each_guard_of_a_source() -> None:
    assert set(guard_sites.names_in("m", SOURCE)) == set(WITHOUT)


def test_touching_records_the_names_of_names_in() -> None:
    recorded = [
        str(node.args[0].value)
        for node in ast.walk(guard_sites.touching("m", SOURCE, "touch"))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "touch" and isinstance(node.args[0], ast.Constant)
    ]
    assert sorted(recorded) == sorted(WITHOUT)


@pytest.mark.parametrize("guard", WITHOUT)
def test_without_removes_exactly_one_guard(guard: str) -> None:
    original, without = ast.unparse(ast.parse(SOURCE)), ast.unparse(guard_sites.without("m", SOURCE, guard))
    changed = [line for line in without.splitlines() if line not in original.splitlines()]
    assert len(changed) == 1
    assert WITHOUT[guard] in changed[0]


def test_names_in_finds_guards_in_each_module_with_a_condition() -> None:
    """Compare with a text search for the words that conditions are written with."""
    words = ("condition=", "replay=", "put_new(", "IfNoneMatch", "holds(")
    for module, path in guard_hook.sources().items():
        text = "".join(
            line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if "def " not in line
        )
        has_condition = any(word in text for word in words)
        assert not has_condition or guard_sites.names_in(module, path.read_text(encoding="utf-8")), module


def test_every_guard_has_a_unique_name() -> None:
    names = [guard.name for guard in every()]
    assert len(names) == len(set(names)) > 150
    for machine in ("item", "export", "provider"):
        assert any(name.startswith(f"table {machine}, condition") for name in names)


@pytest.mark.parametrize(
    ("words", "tests", "summary", "code"),
    [
        ("readdo.read.run_steps:lease", "tests/unit/read/test_guards_runs.py", "4 killed, 0", 0),
        ("'its probe'", "tests/unit/lifecycle/test_guards_tables.py", "3 killed, 0", 0),
        ("readdo.read.run_steps:lease", "tests/unit/lifecycle/test_tables.py", "0 killed, 4", 1),
    ],
)
def test_command_reports_killed_and_surviving_guards(words: str, tests: str, summary: str, code: int) -> None:
    paths = (str(Path(ROOT, name)) for name in ("tests", "layers/domain"))
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "READDO_TIER": "all"}
    result = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "guards", "--jobs", "1", "--only", words, "--tests", tests],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert summary in result.stdout, result.stdout + result.stderr
    assert result.returncode == code
