"""Life cycle of the local stack: a second start, stop and kill."""

import os
import signal
import sys
from pathlib import Path

from .conftest import Stack, alive, until


def test_stop_saves_and_leaves_no_process(fresh: Stack) -> None:
    fresh.start()
    fresh.call("put", pk="kept", value="1")
    token = (fresh.home / "token").read_text()
    fresh.call("start", input={"sleep": 8, "count": "x"})
    children = until(lambda: len(workers := fresh.workers()) >= 2 and workers)
    assert fresh.end(signal.SIGTERM) == 0
    assert alive(children) == []
    assert not fresh.file.exists()
    fresh.start()
    assert fresh.call("get", pk="kept") == (200, {"value": "1"})
    assert (fresh.home / "token").read_text() == token
    fresh.call("put", pk="last", value="1")
    assert fresh.process.stdout
    fresh.process.stdout.close()
    assert fresh.end(signal.SIGINT) == 0
    fresh.start()
    assert fresh.call("get", pk="last") == (200, {"value": "1"}), "also when nobody reads the output"


def test_stop_removes_the_pid_from_the_lock(fresh: Stack) -> None:
    fresh.start()
    lock = fresh.home / "lock"
    assert lock.read_text().strip() == str(fresh.process.pid)
    assert fresh.end() == 0
    assert lock.read_text() == ""


def test_browser_arguments_do_not_contain_the_token(fresh: Stack, tmp_path: Path) -> None:
    """Other users of this machine see every process's arguments."""
    opener = tmp_path / "bin" / ("open" if sys.platform == "darwin" else "xdg-open")
    opener.parent.mkdir()
    opener.write_text(
        f'#!/bin/sh\necho "$@" > {tmp_path}/arguments.new; mv {tmp_path}/arguments.new {tmp_path}/arguments\n'
    )
    opener.chmod(0o755)
    fresh.environ |= {"PATH": f"{opener.parent}:{os.environ['PATH']}", "DISPLAY": ":0"}
    fresh.start()
    [opened] = until((tmp_path / "arguments").exists) and (tmp_path / "arguments").read_text().split()
    assert (fresh.home / "token").read_text().strip() not in opened
    assert Path(opened).stat().st_mode & 0o777 == 0o600
    assert (fresh.home / "token").read_text().strip() in Path(opened).read_text()
    fresh.end()
    assert not Path(opened).exists()


def test_second_start_explains_what_to_do(stack: Stack) -> None:
    second = stack.launch()
    output = second.communicate(timeout=20)[0]
    assert second.returncode == 1
    assert "already running" in output
    assert f"kill {stack.process.pid}" in output
    assert stack.file.exists(), "the running one's file is not the second's to remove"


def test_used_port_explains_what_to_do(stack: Stack, fresh: Stack) -> None:
    fresh.port = stack.port
    second = fresh.launch()
    output = second.communicate(timeout=20)[0]
    assert second.returncode == 1
    assert f"PORT={stack.port + 1} make run" in output


def test_kill_ends_the_workers_and_keeps_all_writes(fresh: Stack) -> None:
    fresh.start()
    fresh.call("put", pk="kept", value="1")
    children = fresh.workers()
    fresh.end(signal.SIGKILL)
    assert children
    assert fresh.file.exists(), "nobody was left to remove it"
    until(lambda: alive(children) == [])
    for step in ("Local stack", "Template deployed", "Token ready"):
        fresh.process = fresh.launch()
        assert fresh.process.stdout
        assert any(line.startswith(step) for line in fresh.process.stdout), "it said so before it was killed"
        fresh.end(signal.SIGKILL)
    fresh.start()
    assert fresh.call("get", pk="kept") == (200, {"value": "1"})
    assert fresh.call("put", pk="more", value="2")[0] == 200
    assert fresh.execute()["end"] == "Done"


def test_execution_continues_after_a_restart(fresh: Stack) -> None:
    fresh.start()
    arn = fresh.call("start", input={"sleep": 3, "count": "x"})[1]["arn"]
    until(lambda: len(fresh.workers()) >= 2)
    fresh.end(signal.SIGTERM)
    fresh.start()

    def finished() -> str | None:
        status: str = fresh.call("describe", arn=arn)[1]["status"]
        return None if status == "RUNNING" else status

    assert until(finished) == "SUCCEEDED"
