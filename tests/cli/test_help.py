"""Help: in 80 columns, in words, and true."""

import importlib
from typing import cast

import click
import pytest
from click.testing import CliRunner

from terminal.catalog import LINES
from terminal.main import readdo

from .conftest import too_wide

COMMANDS = [[name] for name in LINES] + [["token", name] for name in ("create", "list", "revoke")]
HOOKS = ("add", "list", "test", "deliveries", "redeliver", "pause", "resume", "remove")
COMMANDS += [["webhook", name] for name in HOOKS]
TASKS = ("add", "list", "show", "claim", "done", "block", "requeue", "enqueue", "cancel")
COMMANDS += [["task", name] for name in TASKS]
COMMANDS += [["imports", name] for name in ("list", "pause", "resume", "cancel")]


@pytest.mark.parametrize("command", [[], *COMMANDS])
@pytest.mark.parametrize("columns", [80, 200])
def test_help_fits_and_is_no_error(monkeypatch: pytest.MonkeyPatch, command: list[str], columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = CliRunner().invoke(readdo, [*command, "--help"], prog_name="readdo")
    assert result.exit_code == 0
    assert too_wide(result.stdout) == []
    assert "readdo" in result.stdout


@pytest.mark.parametrize("name", LINES)
def test_the_catalog_names_commands_that_are_there(name: str) -> None:
    command = cast(click.Command, importlib.import_module(f"terminal.commands.{name}").command)
    assert command.name == name
    assert command.help


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_knows_what_all_know(command: list[str]) -> None:
    shown = CliRunner().invoke(readdo, [*command, "--help"]).stdout
    if command not in (["token"], ["webhook"], ["task"], ["imports"]):
        assert [option in shown for option in ("--json", "--url", "--token", "--no-color", "--quiet")] == [True] * 5


def test_the_exit_codes_are_told() -> None:
    shown = " ".join(CliRunner().invoke(readdo, ["-h"]).stdout.split())
    for words in ("0 done", "1 it failed", "2 not asked rightly", "3 not found", "4 refused", "5 no connection"):
        assert words in shown
    assert "6 not authorised" in shown
    assert "130 interrupted" in shown


def test_the_version() -> None:
    assert CliRunner().invoke(readdo, ["--version"]).stdout == "readdo 0.1.0\n"
