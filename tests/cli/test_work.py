"""readdo work: the command's input, its result and its end. The commands are real processes."""

import json
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .conftest import User
from .desk import Desk
from .product import Product
from .programs import LAUNCHER, start
from .server import DROP, LOSE, TOKEN, Fault, Server
from .wire import refusal

WORK_ONCE = ("work", "--intent", "runQA", "--once", "--")
WAIT_LOOP = "while :; do sleep 1; done"
RUN_UNTIL_TERM = f"trap 'exit 0' TERM; echo begun; {WAIT_LOOP}"


@pytest.fixture
def desk(product: Product) -> Desk:
    return product.desk


def shell(script: str) -> tuple[str, str, str]:
    return "/bin/sh", "-c", script


def run_of(desk: Desk) -> dict[str, Any]:
    (run,) = desk.runs.values()
    return run


def log_of(desk: Desk) -> bytes:
    (body,) = desk.files.values()
    return body


class HeldPipe:
    """A pipe that the command and its child processes hold open with `exec 3> PATH`."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read_next(self) -> bytes:
        """Wait for the next bytes; empty once the last writer has ended."""
        assert select.select([self._end], [], [], 60)[0], "they go on for ever"
        return os.read(self._end, 100)

    def close(self) -> None:
        os.close(self._end)


@pytest.fixture
def held_pipe(tmp_path: Path) -> Iterator[HeldPipe]:
    pipe = HeldPipe(tmp_path / "held")
    yield pipe
    pipe.close()


def test_command_gets_payload_and_ids_but_no_token(user: User, desk: Desk, server: Server) -> None:
    payload = {"path": "源\n\x1b[2J", "n": [1]}
    task = desk.add(payload=payload, title="检查")
    names = '"$READDO_TASK_ID" "$READDO_RUN_ID" "$READDO_INTENT" "$READDO_ATTEMPT" "${READDO_TOKEN-none}" "$1"'
    result = user.run(*WORK_ONCE, *shell(f"cat; printf '\\n%s' {names}"), "sh", "--json")
    assert (result.exit_code, "succeeded: 检查" in result.stdout) == (0, True)
    first, *rest = log_of(desk).decode().split("\n")
    assert json.loads(first) == payload
    assert rest == [task["id"], run_of(desk)["id"], "runQA", "1", "none", "--json"]
    assert server.calls("POST", "/tasks/claim")[0].body["intents"] == ["runQA"]


def test_log_is_uploaded_without_the_token(user: User, desk: Desk, server: Server) -> None:
    desk.add()
    server.faults = [Fault(DROP, "PUT", "/blob/")]
    user.run(*WORK_ONCE, *shell("echo out; echo err >&2"))
    (evidence,) = desk.evidence[run_of(desk)["id"]]
    assert (log_of(desk), evidence["type"], evidence["bytes"], evidence["stored"]) == (b"out\nerr\n", "log", 8, True)
    assert desk.uploads[0].headers["x-amz-checksum"] == "abc"
    assert "Authorization" not in desk.uploads[0].headers


@pytest.mark.parametrize(
    ("script", "exit_code", "kind", "message"),
    [
        ("echo checking; echo broken >&2; exit 3", 3, "execution", "broken."),
        ("exit 75", 75, "network", "The command ended with exit code 75 without output."),
        ("echo '服务不在。'; exit 69", 69, "dependency", "服务不在。"),
        ("kill -SEGV $$", -11, "execution", "The command was ended by SIGSEGV without output."),
    ],
)
def test_result_of_the_command_is_reported(
    user: User, desk: Desk, script: str, exit_code: int, kind: str, message: str
) -> None:
    desk.add(title="Checks")
    result = user.run(*WORK_ONCE, *shell(script))
    run = run_of(desk)
    assert (run["exit_code"], run["error_kind"], run["error_message"]) == (exit_code, kind, message)
    assert result.exit_code == 1
    assert message in result.stdout


def test_command_past_its_timeout_is_stopped_with_its_children(user: User, desk: Desk, held_pipe: HeldPipe) -> None:
    desk.timeout = 1
    desk.add()
    deaf = "(trap '' TERM; while :; do sleep 1; done) &"
    user.run(*WORK_ONCE, *shell(f"exec 3> {held_pipe.path}; {deaf} {RUN_UNTIL_TERM}"))
    assert (run_of(desk)["status"], run_of(desk)["exit_code"]) == ("timeout", 124)
    assert log_of(desk).startswith(b"begun\n")
    assert held_pipe.read_next() == b""


def test_long_log_keeps_its_beginning_and_end(user: User, desk: Desk) -> None:
    desk.add()
    user.run(*WORK_ONCE, sys.executable, "-c", "print('first'); print('x' * 5_000_000); print('last')")
    log = log_of(desk)
    assert len(log) < 1_100_000
    assert (log.startswith(b"first\nxxx"), log.endswith(b"xxx\nlast\n")) == (True, True)
    assert "bytes left out" in log.decode()
    assert run_of(desk)["summary"] == "last"


def test_heartbeats_are_sent_at_a_third_of_the_lease(user: User, desk: Desk, server: Server, tmp_path: Path) -> None:
    desk.add()
    beats = tmp_path / "beats"
    delays: list[float] = []

    def wait(over: threading.Event, seconds: float) -> bool:
        delays.append(seconds)
        if len(delays) > 3:
            beats.touch()
        return over.wait(0.01)

    user.wait = wait
    server.faults = [Fault(DROP, "POST", "/heartbeat")]  # a network error does not end the run
    script = f"while ! [ -e {beats} ]; do sleep 0.01; done"
    result = user.run("work", "--intent", "runQA", "--once", "--lease", "90", "--", *shell(script))
    assert (result.exit_code, delays[:3]) == (0, [30.0, 5.0, 30.0])
    assert len(server.calls("POST", "/heartbeat")) >= 3
    assert all("Idempotency-Key" not in beat.headers for beat in server.calls("POST", "/heartbeat"))


def test_worker_that_lost_its_lease_stops_and_reports_nothing(user: User, desk: Desk, server: Server) -> None:
    desk.add()
    user.wait = lambda over, _: over.wait(0.01)
    server.faults = [Fault(refusal(409, "STATE_CONFLICT", "This run has ended."), "POST", "/heartbeat")]
    result = user.run(*WORK_ONCE, *shell(RUN_UNTIL_TERM))
    assert (result.exit_code, "The lease was lost" in result.stderr) == (1, True)
    assert server.calls("POST", "/complete") == []


def test_run_that_ended_before_its_start_runs_no_command(user: User, desk: Desk, server: Server) -> None:
    desk.add()
    server.faults = [Fault(refusal(409, "STATE_CONFLICT", "This run has ended."), "POST", "/start")]
    result = user.run(*WORK_ONCE, *shell("touch begun"))
    assert (result.exit_code, "This run has ended." in result.stderr, Path("begun").exists()) == (1, True, False)


@pytest.mark.parametrize("path", ["/claim", "/start", "/evidence", "/complete"])
def test_lost_responses_are_retried_with_one_key(user: User, desk: Desk, server: Server, path: str) -> None:
    desk.add()
    server.faults = [Fault(LOSE, "POST", path), Fault(DROP, "POST", path, times=5)]
    result = user.run(*WORK_ONCE, *shell("echo x | tee -a times"))
    assert (result.exit_code, len(desk.runs), Path("times").read_text()) == (0, 1, "x\n")
    assert (run_of(desk)["status"], log_of(desk)) == ("succeeded", b"x\n")
    keys = {request.headers["Idempotency-Key"] for request in server.calls("POST", path)}
    assert len(keys) == 1
    assert result.stderr.count("Retrying.") == 1


def test_idle_worker_reports_once_and_backs_off(user: User, desk: Desk) -> None:
    pauses: list[float] = []

    def add_task_then_stop() -> None:
        pauses[:] = user.waited
        if len(user.waited) == 9:
            desk.add(title="At last")
        if len(user.waited) > 9:
            os.kill(os.getpid(), signal.SIGTERM)

    user.on_wait = add_task_then_stop
    result = user.run("work", "--intent", "runQA", "--", *shell("true"))
    assert result.exit_code == 0
    assert "succeeded: At last" in result.stdout
    assert (pauses[:3], pauses[8], pauses[9]) == ([2.0, 3.0, 4.5], 30.0, 2.0)
    assert result.stderr.count("No tasks. Waiting for runQA") == 2
    assert user.run(*WORK_ONCE, *shell("true")).exit_code == 0


def test_missing_command_is_reported_before_a_claim(user: User, desk: Desk, server: Server) -> None:
    desk.add()
    result = user.run(*WORK_ONCE, "./no-such-command")
    assert (result.exit_code, "no-such-command was not found" in result.stderr, server.requests) == (2, True, [])
    Path("odd").write_bytes(b"\x7fELF nothing")
    Path("odd").chmod(0o755)
    result = user.run(*WORK_ONCE, "./odd")
    assert (result.exit_code, "cannot be run" in result.stderr) == (1, True)
    assert run_of(desk)["status"] == "cancelled"


def test_failed_log_upload_does_not_fail_the_run(user: User, desk: Desk, server: Server) -> None:
    desk.add()
    server.faults = [Fault(refusal(403, "AccessDenied", "no"), "PUT", "/blob/")]
    result = user.run(*WORK_ONCE, *shell("echo x"))
    assert (result.exit_code, "The log could not be saved" in result.stderr) == (0, True)


@pytest.fixture
def start_worker(server: Server, desk: Desk) -> Callable[[str], Any]:
    """A worker in its own process whose command has started."""
    desk.add()

    def start_command(script: str) -> Any:
        environ = {"READDO_URL": server.url, "READDO_TOKEN": TOKEN}
        return start(LAUNCHER, "work", "--intent", "runQA", "--", *shell(script), **environ)

    return start_command


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_interrupted_worker_stops_the_command_and_returns_the_task(
    start_worker: Callable[[str], Any], desk: Desk, held_pipe: HeldPipe, number: int, code: int
) -> None:
    worker = start_worker(
        f"exec 3> {held_pipe.path}; trap 'echo stopped >&3; exit 0' TERM; echo begun >&3; {WAIT_LOOP}"
    )
    assert held_pipe.read_next() == b"begun\n"
    worker.send_signal(number)
    worker.communicate()
    assert worker.returncode == code
    assert (run_of(desk)["error_kind"], run_of(desk)["status"]) == ("cancelled", "cancelled")
    assert next(iter(desk.tasks.values()))["status"] == "blocked"
    assert (held_pipe.read_next(), held_pipe.read_next()) == (b"stopped\n", b"")


def test_worker_interrupted_twice_kills_the_command_and_exits(
    start_worker: Callable[[str], Any], server: Server, held_pipe: HeldPipe
) -> None:
    worker = start_worker(f"exec 3> {held_pipe.path}; trap '' TERM; echo begun >&3; {WAIT_LOOP}")
    assert held_pipe.read_next() == b"begun\n"
    assert worker.stderr
    worker.stderr.readline()
    worker.send_signal(signal.SIGINT)
    assert "returning the task" in worker.stderr.readline()
    worker.send_signal(signal.SIGINT)
    _, stderr = worker.communicate()
    assert (worker.returncode, "returns to the queue when its lease expires" in stderr) == (130, True)
    assert server.calls("POST", "/complete") == []
    assert held_pipe.read_next() == b""
