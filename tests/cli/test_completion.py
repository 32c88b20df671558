"""The tab key: commands, options and ids, in both shells, and never a word about what went wrong."""

import os
import shutil
from pathlib import Path

import pytest

from .conftest import Person
from .product import Product
from .programs import LAUNCHER, run
from .samples import EN, ZH
from .server import DROP, TOKEN, Fault, Server


def pressed(server: Server, words: str, at: int, shell: str = "zsh") -> list[str]:
    asked = {"_READDO_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
    done = run(LAUNCHER, READDO_URL=server.url, READDO_TOKEN=TOKEN, **asked)
    assert done.stderr == ""
    return done.stdout.split("\n")


def test_commands_and_options(server: Server) -> None:
    assert "capture" in pressed(server, "readdo ca", 1)
    assert "--theme" in pressed(server, "readdo export --th", 2)
    assert "archived" in [word.lower() for word in pressed(server, "readdo list --status arc", 3)]


def test_ids_come_with_their_titles(server: Server, product: Product) -> None:
    product.add(EN)
    product.add(ZH, title="围栏\n令牌\x1b[2J")
    assert pressed(server, "readdo show ", 2)[:6] == [
        "plain",
        "9NQBGH",
        "围栏 令牌",
        "plain",
        "B0MA8N",
        "Fencing tokens in practice",
    ]
    assert pressed(server, "readdo show b0", 2)[:2] == ["plain", "B0MA8N"]
    assert pressed(server, "readdo archive B0MA8N 01M7QBHEZG", 3)[:2] == ["plain", ZH]
    assert pressed(server, "readdo show 9n", 2, "bash")[0] == "plain,9NQBGH"


def test_tasks_come_with_their_titles(server: Server, product: Product) -> None:
    first = product.desk.add(title="质检\x1b[2J")["id"]
    second = product.desk.add("write")["id"]
    product.desk.add(status="done")
    shown = pressed(server, "readdo task show ", 3)
    assert shown[:6] == ["plain", first[:8], "质检", "plain", second[:8], "write"]
    assert pressed(server, f"readdo task cancel {second[:12]}", 3)[:2] == ["plain", second]


def test_what_goes_wrong_is_not_said_at_a_prompt(server: Server, product: Product) -> None:
    product.add(EN)
    server.faults = [Fault(DROP, times=9)]
    assert pressed(server, "readdo show ", 2) == ["", ""] or pressed(server, "readdo show ", 2) == [""]
    assert len(server.asked) <= 2, "asked once each time"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_the_script_is_one_that_the_shell_takes(person: Person, shell: str, tmp_path: Path) -> None:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not on this machine")
    script = person.run("completion", shell).stdout
    assert "_READDO_COMPLETE" in script
    file = tmp_path / "script"
    file.write_text(script)
    assert run(found, "-n", file).returncode == 0


def test_bash_completes_for_real(server: Server, product: Product, tmp_path: Path) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not on this machine")
    product.add(EN)
    (tmp_path / "readdo").symlink_to(LAUNCHER)
    script = """eval "$(readdo completion bash)"; COMP_WORDS=(readdo show B0); COMP_CWORD=2
    _readdo_completion readdo; echo "${COMPREPLY[@]}" """
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = run(bash, "-c", script, READDO_URL=server.url, READDO_TOKEN=TOKEN, PATH=path)
    assert (done.stdout, done.stderr) == ("B0MA8N\n", "")


def test_formats_and_tokens(server: Server, product: Product) -> None:
    product.tokens = [{"id": "a1b2", "name": "laptop", "current": False}, {"id": "c3", "name": "x"}]
    assert "png" in pressed(server, "readdo export B0MA8N --format p", 4)
    assert [word for word in pressed(server, "readdo export B0MA8N --format png,p", 4) if "," in word] == ["png,pdf"]
    assert pressed(server, "readdo token revoke a", 3)[:3] == ["plain", "a1b2", "laptop"]
