"""The help texts fit 80 columns and match the commands."""

from typing import cast

import click
import pytest
from click.testing import CliRunner

from terminal.catalog import MODULES
from terminal.main import readdo

from .conftest import too_wide

COMMANDS = [[name] for name in MODULES] + [["token", name] for name in ("create", "list", "revoke")]
HOOKS = ("add", "list", "test", "deliveries", "redeliver", "pause", "resume", "remove")
COMMANDS += [["webhook", name] for name in HOOKS]
TASKS = ("add", "list", "show", "claim", "done", "block", "requeue", "enqueue", "cancel")
COMMANDS += [["task", name] for name in TASKS]
JOBS = ("check", "list", "show", "start", "pause", "resume", "retry", "merge", "diff", "download", "reset", "validate")
COMMANDS += [["proof", name] for name in JOBS]
POOL = ("check", "add", "list", "show", "pick", "apply", "work", "status", "documents", "skip", "retry", "continue")
COMMANDS += [["collect", name] for name in POOL]
COMMANDS += [["imports", name] for name in ("list", "pause", "resume", "cancel")]


@pytest.mark.parametrize("command", [[], *COMMANDS])
@pytest.mark.parametrize("columns", [80, 200])
def test_help_fits_the_columns(monkeypatch: pytest.MonkeyPatch, command: list[str], columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    result = CliRunner().invoke(readdo, [*command, "--help"], prog_name="readdo")
    assert result.exit_code == 0
    assert too_wide(result.stdout) == []
    assert "readdo" in result.stdout


@pytest.mark.parametrize("name", MODULES)
def test_catalog_matches_the_commands(name: str) -> None:
    command = cast(click.Group, readdo).get_command(click.Context(readdo), name)
    assert command
    assert command.name == name
    assert command.help


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_the_common_options(command: list[str]) -> None:
    output = CliRunner().invoke(readdo, [*command, "--help"]).stdout
    if command not in (["token"], ["webhook"], ["task"], ["imports"], ["proof"], ["collect"]):
        assert [option in output for option in ("--json", "--url", "--token", "--no-color", "--quiet")] == [True] * 5


def test_help_lists_the_exit_codes() -> None:
    output = " ".join(CliRunner().invoke(readdo, ["-h"]).stdout.split())
    for words in ("0 done", "1 failed", "2 usage error", "3 not found", "4 not possible", "5 no connection"):
        assert words in output
    assert "6 not authorised" in output
    assert "130 interrupted" in output


def test_version_is_printed() -> None:
    assert CliRunner().invoke(readdo, ["--version"]).stdout == "readdo 0.1.0\n"
