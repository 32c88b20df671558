"""The launcher script: any directory, symbolic links, its own Python, and a real terminal."""

import re
import shutil
import signal
from pathlib import Path

import pytest

from .conftest import too_wide
from .product import Product
from .programs import LAUNCHER, plain, run, run_on_terminal, start
from .samples import EN, ZH, failure
from .server import TOKEN, Server


@pytest.fixture
def environ(server: Server) -> dict[str, str]:
    return {"READDO_URL": server.url, "READDO_TOKEN": TOKEN}


def test_launcher_works_from_anywhere_and_through_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "far away").mkdir()
    (tmp_path / "absolute").symlink_to(LAUNCHER)
    (tmp_path / "far away" / "rd").symlink_to("../absolute")
    monkeypatch.chdir(tmp_path / "far away")
    for program in (LAUNCHER, tmp_path / "absolute", "./rd"):
        done = run(program, "--help", CDPATH="/")
        assert (done.returncode, done.stderr) == (0, ""), program
        assert done.stdout.startswith("Usage: readdo")


def test_launcher_ignores_modules_of_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environ: dict[str, str], product: Product
) -> None:
    product.add(EN)
    for name in ("click", "requests", "json", "terminal", "text"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('not yours')")
    monkeypatch.chdir(tmp_path)
    done = run(LAUNCHER, "open", EN, PYTHONPATH=str(tmp_path), **environ)
    assert (done.returncode, done.stderr) == (0, "")


def test_launcher_without_packages_prints_advice(tmp_path: Path) -> None:
    (tmp_path / "local").mkdir()
    shutil.copy(LAUNCHER, tmp_path / "local" / "readdo")
    done = run(tmp_path / "local" / "readdo", "list")
    assert done.returncode == 1
    assert "make run" in done.stderr
    assert str(tmp_path) in done.stderr


def test_help_loads_only_needed_modules() -> None:
    python = LAUNCHER.parents[1] / ".venv/bin/python"
    entry = LAUNCHER.parent / "terminal" / "__main__.py"
    done = run(python, "-I", "-X", "importtime", entry, "--help")
    loaded = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.MULTILINE))
    assert "click" in loaded
    assert not loaded & {"requests", "rich.console", "terminal.api", "terminal.screen"}


def test_closed_pipe_prints_no_error(environ: dict[str, str], product: Product) -> None:
    for number in range(100):
        product.add(f"01M7QBHF0000000000000{number:05}", title="长标题" * 90)
    command = f"'{LAUNCHER}' list --limit 100 | head -1"
    done = run("/bin/sh", "-c", command, **environ)
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


@pytest.mark.parametrize("locale", ["C", "C.UTF-8", "POSIX"])
def test_chinese_is_printed_in_any_locale(environ: dict[str, str], product: Product, locale: str) -> None:
    product.add(ZH)
    done = run(LAUNCHER, "list", LC_ALL=locale, **environ)
    assert (done.returncode, "围栏令牌" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    "args", [["list"], ["list", "-l"], ["show", ZH], ["show", EN], ["watch", EN], ["doctor"], ["-h"]]
)
def test_terminal_output_has_colours_and_fits(environ: dict[str, str], product: Product, args: list[str]) -> None:
    product.add(EN)
    product.add(ZH)
    product.add("01M7QBHEZSSXEM5MF34A6W00YV", "FAILED_AI", failure=failure("score"))
    code, output = run_on_terminal(args, environ)
    assert code == 0
    assert ("\x1b[" in output) == (args != ["-h"])
    assert too_wide(plain(output)) == []
    for quiet in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        code, output = run_on_terminal(args, {**environ, **quiet})
        assert re.findall(r"\x1b\[[\d;]*m", output) == []
    code, output = run_on_terminal([*args, "--no-color"], environ)
    assert re.findall(r"\x1b\[[\d;]*m", output) == []


def test_interrupted_watch_exits_with_130(environ: dict[str, str], product: Product) -> None:
    product.add(EN, "QUEUED")
    process = start(LAUNCHER, "watch", EN, **environ)
    assert process.stderr
    assert process.stderr.readline() == "queued\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err.strip() == "Processing continues. Watch it again: readdo watch B0MA8N"
