"""A worker: what its command is given, how its end is told, and what stops it. The commands are real processes."""

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

from .conftest import Person
from .desk import Desk
from .product import Product
from .programs import LAUNCHER, started
from .server import DROP, LOSE, TOKEN, Fault, Server
from .wire import refusal

ONE = ("work", "--intent", "runQA", "--once", "--")
WAITS = "while :; do sleep 1; done"
FOR_EVER = f"trap 'exit 0' TERM; echo begun; {WAITS}"


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


class Held:
    """A pipe that the command and all that it starts hold open: `exec 3> PATH`. It ends when the last of them has."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def hears(self) -> bytes:
        """Something was written, or nobody is left to write (nothing)."""
        assert select.select([self._end], [], [], 60)[0], "they go on for ever"
        return os.read(self._end, 100)

    def close(self) -> None:
        os.close(self._end)


@pytest.fixture
def held(tmp_path: Path) -> Iterator[Held]:
    found = Held(tmp_path / "held")
    yield found
    found.close()


def test_the_command_gets_the_payload_and_its_names_and_not_our_token(
    person: Person, desk: Desk, server: Server
) -> None:
    payload = {"path": "源\n\x1b[2J", "n": [1]}
    task = desk.add(payload=payload, title="检查")
    names = '"$READDO_TASK_ID" "$READDO_RUN_ID" "$READDO_INTENT" "$READDO_ATTEMPT" "${READDO_TOKEN-none}" "$1"'
    result = person.run(*ONE, *shell(f"cat; printf '\\n%s' {names}"), "sh", "--json")
    assert (result.exit_code, "succeeded: 检查" in result.stdout) == (0, True)
    first, *rest = log_of(desk).decode().split("\n")
    assert json.loads(first) == payload
    assert rest == [task["id"], run_of(desk)["id"], "runQA", "1", "none", "--json"]
    assert server.calls("POST", "/tasks/claim")[0].body["intents"] == ["runQA"]


def test_the_log_is_sent_as_it_was_announced_and_without_our_token(person: Person, desk: Desk, server: Server) -> None:
    desk.add()
    server.faults = [Fault(DROP, "PUT", "/blob/")]
    person.run(*ONE, *shell("echo out; echo err >&2"))
    (kept,) = desk.evidence[run_of(desk)["id"]]
    assert (log_of(desk), kept["type"], kept["bytes"], kept["stored"]) == (b"out\nerr\n", "log", 8, True)
    assert desk.uploads[0].headers["x-amz-checksum"] == "abc"
    assert "Authorization" not in desk.uploads[0].headers


@pytest.mark.parametrize(
    ("script", "exit_code", "kind", "message"),
    [
        ("echo checking; echo broken >&2; exit 3", 3, "execution", "broken."),
        ("exit 75", 75, "network", "It ended with exit code 75 and said nothing."),
        ("echo '服务不在。'; exit 69", 69, "dependency", "服务不在。"),
        ("kill -SEGV $$", -11, "execution", "It was ended by SIGSEGV and said nothing."),
    ],
)
def test_how_it_ended_is_told(person: Person, desk: Desk, script: str, exit_code: int, kind: str, message: str) -> None:
    desk.add(title="Checks")
    result = person.run(*ONE, *shell(script))
    run = run_of(desk)
    assert (run["exit_code"], run["error_kind"], run["error_message"]) == (exit_code, kind, message)
    assert result.exit_code == 1
    assert message in result.stdout


def test_past_its_timeout_it_is_stopped_with_all_that_it_started(person: Person, desk: Desk, held: Held) -> None:
    desk.timeout = 1
    desk.add()
    deaf = "(trap '' TERM; while :; do sleep 1; done) &"
    person.run(*ONE, *shell(f"exec 3> {held.path}; {deaf} {FOR_EVER}"))
    assert (run_of(desk)["status"], run_of(desk)["exit_code"]) == ("timeout", 124)
    assert log_of(desk).startswith(b"begun\n")
    assert held.hears() == b""


def test_a_log_of_any_size_keeps_how_it_began_and_how_it_ended(person: Person, desk: Desk) -> None:
    desk.add()
    person.run(*ONE, sys.executable, "-c", "print('first'); print('x' * 5_000_000); print('last')")
    log = log_of(desk)
    assert len(log) < 1_100_000
    assert (log.startswith(b"first\nxxx"), log.endswith(b"xxx\nlast\n")) == (True, True)
    assert "bytes are left out here" in log.decode()
    assert run_of(desk)["summary"] == "last"


def test_heartbeats_come_at_a_third_of_the_lease(person: Person, desk: Desk, server: Server, tmp_path: Path) -> None:
    desk.add()
    beats = tmp_path / "beats"
    asked: list[float] = []

    def wait(over: threading.Event, seconds: float) -> bool:
        asked.append(seconds)
        if len(asked) > 3:
            beats.touch()
        return over.wait(0.01)

    person.wait = wait
    server.faults = [Fault(DROP, "POST", "/heartbeat")]  # trouble with the network ends nothing
    script = f"while ! [ -e {beats} ]; do sleep 0.01; done"
    result = person.run("work", "--intent", "runQA", "--once", "--lease", "90", "--", *shell(script))
    assert (result.exit_code, asked[:3]) == (0, [30.0, 5.0, 30.0])
    assert len(server.calls("POST", "/heartbeat")) >= 3
    assert all("Idempotency-Key" not in beat.headers for beat in server.calls("POST", "/heartbeat"))


def test_whose_lease_was_lost_stops_and_reports_nothing(person: Person, desk: Desk, server: Server) -> None:
    desk.add()
    person.wait = lambda over, _: over.wait(0.01)
    server.faults = [Fault(refusal(409, "STATE_CONFLICT", "This run has ended."), "POST", "/heartbeat")]
    result = person.run(*ONE, *shell(FOR_EVER))
    assert (result.exit_code, "taken out of our hands" in result.stderr) == (1, True)
    assert server.calls("POST", "/complete") == []


def test_a_task_that_was_taken_before_it_began_is_not_begun(person: Person, desk: Desk, server: Server) -> None:
    desk.add()
    server.faults = [Fault(refusal(409, "STATE_CONFLICT", "This run has ended."), "POST", "/start")]
    result = person.run(*ONE, *shell("touch begun"))
    assert (result.exit_code, "This run has ended." in result.stderr, Path("begun").exists()) == (1, True, False)


@pytest.mark.parametrize("path", ["/claim", "/start", "/evidence", "/complete"])
def test_an_answer_that_was_lost_loses_nothing(person: Person, desk: Desk, server: Server, path: str) -> None:
    desk.add()
    server.faults = [Fault(LOSE, "POST", path), Fault(DROP, "POST", path, times=5)]
    result = person.run(*ONE, *shell("echo x | tee -a times"))
    assert (result.exit_code, len(desk.runs), Path("times").read_text()) == (0, 1, "x\n")
    assert (run_of(desk)["status"], log_of(desk)) == ("succeeded", b"x\n")
    keys = {asked.headers["Idempotency-Key"] for asked in server.calls("POST", path)}
    assert len(keys) == 1
    assert result.stderr.count("It is asked again until it answers") == 1


def test_nothing_to_do_is_said_once_and_waited_for_ever_longer(person: Person, desk: Desk) -> None:
    pauses: list[float] = []

    def later() -> None:
        pauses[:] = person.waited
        if len(person.waited) == 9:
            desk.add(title="At last")
        if len(person.waited) > 9:
            os.kill(os.getpid(), signal.SIGTERM)

    person.on_wait = later
    result = person.run("work", "--intent", "runQA", "--", *shell("true"))
    assert result.exit_code == 0
    assert "succeeded: At last" in result.stdout
    assert (pauses[:3], pauses[8], pauses[9]) == ([2.0, 3.0, 4.5], 30.0, 2.0)
    assert result.stderr.count("Nothing to do now. Waiting for runQA") == 2
    assert person.run(*ONE, *shell("true")).exit_code == 0


def test_what_cannot_be_run_is_said_before_anything_is_taken(person: Person, desk: Desk, server: Server) -> None:
    desk.add()
    result = person.run(*ONE, "./no-such-command")
    assert (result.exit_code, "no command that can be run" in result.stderr, server.asked) == (2, True, [])
    Path("odd").write_bytes(b"\x7fELF nothing")
    Path("odd").chmod(0o755)
    result = person.run(*ONE, "./odd")
    assert (result.exit_code, "cannot be run" in result.stderr) == (1, True)
    assert run_of(desk)["status"] == "cancelled"


def test_a_log_that_cannot_be_kept_is_no_failure_of_the_run(person: Person, desk: Desk, server: Server) -> None:
    desk.add()
    server.faults = [Fault(refusal(403, "AccessDenied", "no"), "PUT", "/blob/")]
    result = person.run(*ONE, *shell("echo x"))
    assert (result.exit_code, "Its log could not be kept" in result.stderr) == (0, True)


@pytest.fixture
def working(server: Server, desk: Desk) -> Callable[[str], Any]:
    """A worker as a program of its own, whose command has begun."""
    desk.add()

    def begin(script: str) -> Any:
        where = {"READDO_URL": server.url, "READDO_TOKEN": TOKEN}
        return started(LAUNCHER, "work", "--intent", "runQA", "--", *shell(script), **where)

    return begin


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_interrupted_it_stops_the_command_and_hands_the_task_back(
    working: Callable[[str], Any], desk: Desk, held: Held, number: int, code: int
) -> None:
    worker = working(f"exec 3> {held.path}; trap 'echo stopped >&3; exit 0' TERM; echo begun >&3; {WAITS}")
    assert held.hears() == b"begun\n"
    worker.send_signal(number)
    worker.communicate()
    assert worker.returncode == code
    assert (run_of(desk)["error_kind"], run_of(desk)["status"]) == ("cancelled", "cancelled")
    assert next(iter(desk.tasks.values()))["status"] == "blocked"
    assert (held.hears(), held.hears()) == (b"stopped\n", b"")


def test_interrupted_twice_it_leaves_at_once_and_takes_the_command_along(
    working: Callable[[str], Any], server: Server, held: Held
) -> None:
    worker = working(f"exec 3> {held.path}; trap '' TERM; echo begun >&3; {WAITS}")
    assert held.hears() == b"begun\n"
    assert worker.stderr
    worker.stderr.readline()
    worker.send_signal(signal.SIGINT)
    assert "the task goes back" in worker.stderr.readline()
    worker.send_signal(signal.SIGINT)
    _, said = worker.communicate()
    assert (worker.returncode, "goes back when its lease ends" in said) == (130, True)
    assert server.calls("POST", "/complete") == []
    assert held.hears() == b""
