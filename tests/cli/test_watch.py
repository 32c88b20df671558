"""readdo watch: polling, progress, and an exit code for each end."""

import json

import pytest

from terminal.item_watch import bar

from .conftest import NOW, User, too_wide
from .product import Product
from .samples import EN, failure
from .server import Server


def processing(step: str, done: int) -> dict[str, object]:
    progress = {"step": step, "done": done, "of": 6, "started_at": "2026-11-18T12:59:50.000Z"}
    return {"status": "PROCESSING", "progress": progress}


def test_watch_in_a_pipe_prints_each_step_once(user: User, product: Product) -> None:
    product.add(EN, "QUEUED")
    product.upcoming[EN] = [{}, processing("extract", 0), {}, {}, processing("score", 2), {"status": "READY"}]
    result = user.run("watch", EN)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == ["queued", "extract (0 of 6 done)", "score (2 of 6 done)", "ready"]
    assert "Leases keep two workers" in result.stdout
    assert "On topic" in result.stdout


def test_watch_polls_with_etags_and_increasing_delays(user: User, product: Product, server: Server) -> None:
    product.add(EN, "QUEUED")
    product.upcoming[EN] = [*[{}] * 9, processing("extract", 0), {}, {"status": "READY"}]
    user.run("watch", EN)
    first, *later = server.calls("GET", f"/items/{EN}")
    assert "If-None-Match" not in first.headers
    assert all(request.headers.get("If-None-Match") for request in later)
    quiet = user.waited[:9]
    assert quiet == sorted(quiet)
    assert (quiet[0], max(quiet)) == (1.0, 10.0)
    assert user.waited[9] == 1.0, "after news it looks again soon"


@pytest.mark.parametrize(
    ("status", "more", "code"),
    [
        ("READY", {}, 0),
        ("SHIPPED", {}, 0),
        ("FAILED_EXTRACTION", {"failure": failure()}, 1),
        ("FAILED_AI", {"failure": failure("score")}, 1),
        ("ARCHIVED", {}, 4),
    ],
)
def test_watch_sets_the_exit_code_of_the_end(
    live_user: User, product: Product, status: str, more: dict[str, object], code: int
) -> None:
    product.add(EN, "QUEUED")
    product.upcoming[EN] = [{}, {"status": status, **more}]
    result = live_user.run("watch", EN)
    assert result.exit_code == code
    assert status in result.stdout
    assert too_wide(result.stdout) == []


def test_watch_of_a_failed_item_prints_the_next_step(live_user: User, product: Product) -> None:
    product.add(EN, "FAILED_AI", failure=failure("score", next_retry_at="2026-11-18T13:00:30.000Z"))
    output = live_user.run("watch", EN).stdout
    assert "step score" in output
    assert "retry in 30 s" in output
    assert "readdo retry B0MA8N" in output


def test_progress_line_shows_the_steps(live_user: User, product: Product) -> None:
    product.add(EN, "PROCESSING", **{"progress": processing("todos", 3)["progress"]})
    product.upcoming[EN] = [{}, {"status": "READY"}]
    output = live_user.run("watch", EN).stderr
    assert "3/6  extract summarize score todos card gate  0:10" in output


@pytest.mark.parametrize("step", ["extract", "gate", "a step of tomorrow"])
@pytest.mark.parametrize("done", [0, 5, 60])
def test_progress_line_fits_80_columns(step: str, done: int) -> None:
    assert bar(processing(step, done), NOW, NOW).cell_len <= 80
    assert bar({"status": "QUEUED"}, NOW, NOW).cell_len <= 80


def test_watch_does_not_wait_for_a_resting_item(user: User, product: Product) -> None:
    product.add(EN, "CAPTURED")
    result = user.run("watch", EN)
    assert result.exit_code == 4
    assert "readdo process B0MA8N --watch" in result.stderr


def test_watch_waits_for_a_newly_captured_item(user: User, product: Product) -> None:
    product.add(EN, "CAPTURED", updated_at="2026-11-18T12:59:59.000Z")
    product.upcoming[EN] = [{}, {}, {"status": "READY"}]
    assert user.run("watch", EN).exit_code == 0


def test_watch_ends_at_its_timeout(user: User, product: Product) -> None:
    product.add(EN, "QUEUED")
    result = user.run("watch", EN, "--timeout", "12")
    assert result.exit_code == 1
    assert "still QUEUED after" in result.stderr
    assert sum(user.waited) < 20


def test_interrupted_watch_prints_no_traceback(live_user: User, product: Product) -> None:
    product.add(EN, "QUEUED")

    def interrupt() -> None:
        raise KeyboardInterrupt

    live_user.on_wait = interrupt
    result = live_user.run("watch", EN)
    assert result.exit_code == 130
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_quiet_and_json_print_no_progress(user: User, product: Product) -> None:
    product.add(EN, "QUEUED")
    product.upcoming[EN] = [{}, {"status": "READY"}]
    result = user.run("watch", EN, "--json")
    assert (json.loads(result.stdout)["item"]["status"], result.stderr) == ("READY", "")
    assert user.run("watch", EN, "--quiet").stderr == ""


def test_watch_of_a_new_resting_item_ends_within_seconds(user: User, product: Product) -> None:
    product.add(EN, "CAPTURED", updated_at="2026-11-18T13:00:00.000Z")
    result = user.run("watch", EN)
    assert (result.exit_code, sum(user.waited) <= 3) == (4, True)
    assert "This item was saved without processing." in result.stderr
    assert "Process it: readdo process B0MA8N" in result.stderr


def test_interrupted_watch_prints_how_to_resume(user: User, product: Product) -> None:
    product.add(EN, "QUEUED")

    def interrupt() -> None:
        raise KeyboardInterrupt

    user.on_wait = interrupt
    assert "Processing continues. Watch it again: readdo watch B0MA8N" in user.run("watch", EN).stderr.splitlines()
    assert "continues" not in user.run("watch", EN, "--json").stderr
