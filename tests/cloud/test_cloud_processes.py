"""The commands as they are given: programs of their own, against an AWS on this machine."""

import os
import pty
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import boto3
import pytest
from aws_account import Account

from support.template import ROOT
from support.world import World

COMMAND = [sys.executable, "-I", str(ROOT / "local/cloud/__main__.py")]
KEY = "sk-abcdefghijklmnop"
Done = subprocess.CompletedProcess[str]


def run(command: str, endpoint: str, stdin: str | None = None, **said: str) -> Done:
    environ = {**os.environ, "AWS_ENDPOINT_URL": endpoint, **said}
    given = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run([*COMMAND, command], env=environ, capture_output=True, text=True, check=False, **given)  # noqa: S603 - our own


def at_a_terminal(command: str, endpoint: str, answers: Sequence[str], **said: str) -> tuple[int, str]:
    """Answers are typed when a question stands there, as by a person."""
    ours, its = pty.openpty()
    environ: Mapping[str, str] = {**os.environ, "AWS_ENDPOINT_URL": endpoint, "TERM": "xterm", **said}
    program = subprocess.Popen(  # noqa: S603 - our own
        [*COMMAND, command], env=environ, stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    said_so_far, left = b"", list(answers)
    while part := _read(ours):
        said_so_far += part
        if left and said_so_far.endswith(b": "):
            os.write(ours, f"{left.pop(0)}\n".encode())
    os.close(ours)
    return program.wait(), said_so_far.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the program has ended
        return b""


def test_from_a_token_to_nothing(account: Account, endpoint: str, tmp_path: Path) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    made = run("token", endpoint)
    assert made.returncode == 0, made.stderr
    shell = subprocess.run(
        ["/bin/sh", "-c", 'eval "$MADE"; env'], env={"MADE": made.stdout}, capture_output=True, text=True, check=True
    )
    assert f"READDO_URL={outputs['ApiUrl']}" in shell.stdout.splitlines()
    refused = run("destroy", endpoint)
    assert (refused.returncode, account.stacks()) == (4, ["readdo"])
    assert "there is no terminal to ask in" in refused.stderr
    assert f", at {endpoint}." in refused.stderr, "it is not AWS that is asked"
    twice = {"DATA": "delete", "CONFIRM": "readdo", "CONFIRM_DATA": outputs["TableName"]}
    gone = run("destroy", endpoint, **twice)
    assert gone.returncode == 0, gone.stderr
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])
    assert list(tmp_path.iterdir()) == []


def test_at_a_terminal_both_words_are_typed(account: Account, endpoint: str) -> None:
    outputs = account.deploy()
    account.fill(outputs)
    code, said = at_a_terminal("destroy", endpoint, ["readdo", "not the table"], DATA="delete")
    assert code == 4, said
    assert account.is_whole(outputs)
    code, said = at_a_terminal("destroy", endpoint, ["readdo", outputs["TableName"]], DATA="delete")
    assert code == 0, said
    assert (account.stacks(), account.tables(), account.buckets()) == ([], [], [])
    assert "✓ The stack readdo is deleted." in said


def test_a_key_typed_at_a_terminal_is_not_seen(account: Account, endpoint: str) -> None:
    code, said = at_a_terminal("key", endpoint, [KEY])
    assert code == 0, said
    assert account.stacks() == []
    found = boto3.client("ssm").get_parameter(Name="/readdo/model-key", WithDecryption=True)["Parameter"]
    assert found["Value"] == KEY
    assert KEY not in said


def test_a_key_from_a_pipe_and_none_from_nothing(account: Account, endpoint: str) -> None:
    assert run("key", endpoint).returncode == 2
    done = run("key", endpoint, stdin=f"{KEY}\n")
    assert done.returncode == 0, done.stderr
    assert KEY not in done.stdout + done.stderr
    assert account.stacks() == []


def test_nobody_answers_at_all(endpoint: str) -> None:
    """Not even an empty stdin."""
    for command in ("key", "destroy", "check"):
        closed = f"exec \"$0\" -I '{COMMAND[-1]}' {command} <&-"
        environ = {**os.environ, "AWS_ENDPOINT_URL": endpoint}
        done = subprocess.run(  # noqa: S603 - our own
            ["/bin/sh", "-c", closed, sys.executable], env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert done.stderr.startswith("✗ There are no AWS credentials here")


def test_an_aws_that_is_not_there(account: Account) -> None:
    account.deploy()
    done = run("token", "http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (5, "")
    assert "http://127.0.0.1:9/ cannot be reached." in done.stderr


def test_the_token_opens_the_product_itself(made: World, endpoint: str) -> None:
    done = run("token", endpoint, OWNER="anna")
    assert done.returncode == 0, done.stderr
    secret = done.stdout.split("READDO_TOKEN=")[1].strip()
    anna = made.api("GET", "/tokens", token=secret)
    assert (anna.status, [t["name"] for t in anna.json["tokens"]]) == (200, ["make token"])
    item = made.capture(process=False)
    assert made.api("GET", f"/items/{item}", token=secret).status == 404
    assert made.api("GET", f"/items/{item}").status == 200


@pytest.mark.parametrize("target", ["deploy", "key", "token", "destroy"])
def test_make_runs_it(target: str) -> None:
    """What make would do, without doing it; what is installed counts as there."""
    dry = ["make", "--dry-run", "--no-print-directory", "-C", str(ROOT), target, "VENV=.nowhere"]
    done = subprocess.run(dry, capture_output=True, text=True, check=True)  # noqa: S603 - our own
    steps = ["check", "make build", "deploy"] if target == "deploy" else [target]
    found = [done.stdout.find("--no-print-directory build" if " " in s else f"__main__.py {s}\n") for s in steps]
    assert -1 not in found
    assert found == sorted(found)
