"""The commands as separate programs, against moto on this machine."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import boto3
import pytest

from support.aws_account import Account
from support.aws_processes import COMMAND, run
from support.template import ROOT
from support.world import World

KEY = "sk-abcdefghijklmnop"


def run_on_terminal(command: str, endpoint: str, answers: Sequence[str], **settings: str) -> tuple[int, str]:
    """Run a command on a terminal; type the next answer after each prompt."""
    controller, tty = pty.openpty()
    environ: Mapping[str, str] = {**os.environ, "AWS_ENDPOINT_URL": endpoint, "TERM": "xterm", **settings}
    program = subprocess.Popen(  # noqa: S603 - our own
        [*COMMAND, command], env=environ, stdin=tty, stdout=tty, stderr=tty, start_new_session=True
    )
    os.close(tty)
    output, remaining = b"", list(answers)
    while part := _read(controller):
        output += part
        if remaining and output.endswith(b": "):
            os.write(controller, f"{remaining.pop(0)}\n".encode())
    os.close(controller)
    return program.wait(), output.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the program has ended
        return b""


def test_token_and_destroy_work_as_programs(account: Account, endpoint: str, tmp_path: Path) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    token = run("token", endpoint)
    assert token.returncode == 0, token.stderr
    shell = subprocess.run(
        ["/bin/sh", "-c", 'eval "$MADE"; env'], env={"MADE": token.stdout}, capture_output=True, text=True, check=True
    )
    assert f"READDO_URL={outputs['ApiUrl']}" in shell.stdout.splitlines()
    refused = run("destroy", endpoint)
    assert (refused.returncode, account.stacks()) == (4, ["readdo"])
    assert "there is no terminal" in refused.stderr
    assert f", at {endpoint}." in refused.stderr, "it is not AWS that is asked"
    confirmed = {"DATA": "delete", "CONFIRM": "readdo", "CONFIRM_DATA": outputs["TableName"]}
    destroyed = run("destroy", endpoint, **confirmed)
    assert destroyed.returncode == 0, destroyed.stderr
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])
    assert list(tmp_path.iterdir()) == []


def test_destroy_on_a_terminal_asks_for_both_words(account: Account, endpoint: str) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    code, output = run_on_terminal("destroy", endpoint, ["readdo", "not the table"], DATA="delete")
    assert code == 4, output
    assert account.is_unchanged(outputs)
    code, output = run_on_terminal("destroy", endpoint, ["readdo", outputs["TableName"]], DATA="delete")
    assert code == 0, output
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])
    assert "✓ Deleted the stack readdo." in output


def test_key_typed_on_a_terminal_is_not_echoed(account: Account, endpoint: str) -> None:
    code, output = run_on_terminal("key", endpoint, [KEY])
    assert code == 0, output
    assert account.stacks() == []
    parameter = boto3.client("ssm").get_parameter(Name="/readdo/model-key", WithDecryption=True)["Parameter"]
    assert parameter["Value"] == KEY
    assert KEY not in output


def test_key_is_read_from_a_pipe_and_empty_stdin_is_refused(account: Account, endpoint: str) -> None:
    assert run("key", endpoint).returncode == 2
    done = run("key", endpoint, stdin=f"{KEY}\n")
    assert done.returncode == 0, done.stderr
    assert KEY not in done.stdout + done.stderr
    assert account.stacks() == []


def test_closed_stdin_prints_no_traceback(endpoint: str) -> None:
    """stdin is closed."""
    for command in ("key", "destroy", "check"):
        closed = f"exec \"$0\" -I '{COMMAND[-1]}' {command} <&-"
        environ = {**os.environ, "AWS_ENDPOINT_URL": endpoint}
        done = subprocess.run(  # noqa: S603 - our own
            ["/bin/sh", "-c", closed, sys.executable], env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert done.stderr.startswith("✗ AWS credentials are missing")


def test_unreachable_endpoint_is_reported(account: Account) -> None:
    account.deploy()
    done = run("token", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (5, "")
    assert "http://127.0.0.1:9/ cannot be reached." in done.stderr


def test_token_is_valid_for_its_owner_in_the_product(world: World, endpoint: str) -> None:
    done = run("token", endpoint, OWNER="anna")
    assert done.returncode == 0, done.stderr
    secret = done.stdout.split("READDO_TOKEN=")[1].strip()
    anna = world.api("GET", "/tokens", token=secret)
    assert (anna.status, [t["name"] for t in anna.json["tokens"]]) == (200, ["make token"])
    item = world.capture(process=False)
    assert world.api("GET", f"/items/{item}", token=secret).status == 404
    assert world.api("GET", f"/items/{item}").status == 200


@pytest.mark.parametrize("target", ["deploy", "key", "token", "destroy"])
def test_make_target_runs_its_commands(target: str) -> None:
    """Checks the dry run of make; installed packages count as present."""
    dry = ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), target, "VENV=.nowhere"]
    done = subprocess.run(dry, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    steps = ["check", "make build", "deploy"] if target == "deploy" else [target]
    places = [done.stdout.find("--no-print-directory build" if " " in s else f"__main__.py {s}\n") for s in steps]
    assert -1 not in places
    assert places == sorted(places)
