"""Tab completion of commands, options and ids in bash and zsh; it never prints errors."""

import os
import shutil
from pathlib import Path

import pytest

from .conftest import User
from .product import Product
from .programs import LAUNCHER, run
from .samples import EN, ZH
from .server import DROP, TOKEN, Fault, Server


def complete(server: Server, words: str, at: int, shell: str = "zsh") -> list[str]:
    environ = {"_READDO_COMPLETE": f"{shell}_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)}
    done = run(LAUNCHER, READDO_URL=server.url, READDO_TOKEN=TOKEN, **environ)
    assert done.stderr == ""
    return done.stdout.split("\n")


def test_commands_and_options_are_completed(server: Server) -> None:
    assert "capture" in complete(server, "readdo ca", 1)
    assert "--theme" in complete(server, "readdo export --th", 2)
    assert "archived" in [word.lower() for word in complete(server, "readdo list --status arc", 3)]


def test_ids_are_completed_with_titles(server: Server, product: Product) -> None:
    product.add(EN)
    product.add(ZH, title="围栏\n令牌\x1b[2J")
    assert complete(server, "readdo show ", 2)[:6] == [
        "plain",
        "9NQBGH",
        "围栏 令牌",
        "plain",
        "B0MA8N",
        "Fencing tokens in practice",
    ]
    assert complete(server, "readdo show b0", 2)[:2] == ["plain", "B0MA8N"]
    assert complete(server, "readdo archive B0MA8N 01M7QBHEZG", 3)[:2] == ["plain", ZH]
    assert complete(server, "readdo show 9n", 2, "bash")[0] == "plain,9NQBGH"


def test_tasks_are_completed_with_titles(server: Server, product: Product) -> None:
    first = product.desk.add(title="质检\x1b[2J")["id"]
    second = product.desk.add("write")["id"]
    product.desk.add(status="done")
    output = complete(server, "readdo task show ", 3)
    assert output[:6] == ["plain", first[:8], "质检", "plain", second[:8], "write"]
    assert complete(server, f"readdo task cancel {second[:12]}", 3)[:2] == ["plain", second]


def test_completion_prints_no_errors(server: Server, product: Product) -> None:
    product.add(EN)
    server.faults = [Fault(DROP, times=9)]
    assert complete(server, "readdo show ", 2) == ["", ""] or complete(server, "readdo show ", 2) == [""]
    assert len(server.requests) <= 2, "asked once each time"


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_script_is_valid_in_the_shell(user: User, shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not on this machine")
    script = user.run("completion", shell).stdout
    assert "_READDO_COMPLETE" in script
    file = tmp_path / "script"
    file.write_text(script)
    assert run(program, "-n", file).returncode == 0


def test_bash_completes_an_id(server: Server, product: Product, tmp_path: Path) -> None:
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


def test_formats_and_tokens_are_completed(server: Server, product: Product) -> None:
    product.tokens = [{"id": "a1b2", "name": "laptop", "current": False}, {"id": "c3", "name": "x"}]
    assert "png" in complete(server, "readdo export B0MA8N --format p", 4)
    assert [word for word in complete(server, "readdo export B0MA8N --format png,p", 4) if "," in word] == ["png,pdf"]
    assert complete(server, "readdo token revoke a", 3)[:3] == ["plain", "a1b2", "laptop"]
