"""Watching: politely, to the end, and with an exit code that says which end it was."""

import json

import pytest

from terminal.progress import bar

from .conftest import NOW, Person, too_wide
from .product import Product
from .samples import EN, failure
from .server import Server


def at(step: str, done: int) -> dict[str, object]:
    progress = {"step": step, "done": done, "of": 6, "started_at": "2026-11-18T12:59:50.000Z"}
    return {"status": "PROCESSING", "progress": progress}


def test_each_step_is_told_once_in_a_pipe_and_the_end_is_the_result(person: Person, product: Product) -> None:
    product.add(EN, "QUEUED")
    product.coming[EN] = [{}, at("extract", 0), {}, {}, at("score", 2), {"status": "READY"}]
    result = person.run("watch", EN)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == ["queued", "extract (0 of 6 done)", "score (2 of 6 done)", "ready"]
    assert "Leases keep two workers" in result.stdout
    assert "Matches the intent" in result.stdout


def test_the_server_is_asked_for_news_only_and_less_and_less_often(
    person: Person, product: Product, server: Server
) -> None:
    product.add(EN, "QUEUED")
    product.coming[EN] = [*[{}] * 9, at("extract", 0), {}, {"status": "READY"}]
    person.run("watch", EN)
    first, *later = server.calls("GET", f"/items/{EN}")
    assert "If-None-Match" not in first.headers
    assert all(asked.headers.get("If-None-Match") for asked in later)
    quiet = person.waited[:9]
    assert quiet == sorted(quiet)
    assert (quiet[0], max(quiet)) == (1.0, 10.0)
    assert person.waited[9] == 1.0, "after news it looks again soon"


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
def test_the_exit_code_says_which_end_it_was(
    reader: Person, product: Product, status: str, more: dict[str, object], code: int
) -> None:
    product.add(EN, "QUEUED")
    product.coming[EN] = [{}, {"status": status, **more}]
    result = reader.run("watch", EN)
    assert result.exit_code == code
    assert status in result.stdout
    assert too_wide(result.stdout) == []


def test_a_failure_ends_with_what_to_do(reader: Person, product: Product) -> None:
    product.add(EN, "FAILED_AI", failure=failure("score", next_retry_at="2026-11-18T13:00:30.000Z"))
    shown = reader.run("watch", EN).stdout
    assert "step score" in shown
    assert "by itself in 30 s" in shown
    assert "readdo retry B0MA8N" in shown


def test_the_line_that_lives_tells_the_steps(reader: Person, product: Product) -> None:
    product.add(EN, "PROCESSING", **{"progress": at("todos", 3)["progress"]})
    product.coming[EN] = [{}, {"status": "READY"}]
    shown = reader.run("watch", EN).stderr
    assert "3/6  extract summarize score todos card gate  0:10" in shown


@pytest.mark.parametrize("step", ["extract", "gate", "a step of tomorrow"])
@pytest.mark.parametrize("done", [0, 5, 60])
def test_the_line_that_lives_fits_80_columns(step: str, done: int) -> None:
    assert bar(at(step, done), NOW, NOW).cell_len <= 80
    assert bar({"status": "QUEUED"}, NOW, NOW).cell_len <= 80


def test_an_item_that_rests_is_not_waited_for(person: Person, product: Product) -> None:
    product.add(EN, "CAPTURED")
    result = person.run("watch", EN)
    assert result.exit_code == 4
    assert "readdo process B0MA8N --watch" in result.stderr


def test_one_that_was_captured_just_now_is(person: Person, product: Product) -> None:
    product.add(EN, "CAPTURED", updated_at="2026-11-18T12:59:59.000Z")
    product.coming[EN] = [{}, {}, {"status": "READY"}]
    assert person.run("watch", EN).exit_code == 0


def test_patience_has_an_end_if_one_is_given(person: Person, product: Product) -> None:
    product.add(EN, "QUEUED")
    result = person.run("watch", EN, "--timeout", "12")
    assert result.exit_code == 1
    assert "still QUEUED after" in result.stderr
    assert sum(person.waited) < 20


def test_interrupted_it_leaves_quietly(reader: Person, product: Product) -> None:
    product.add(EN, "QUEUED")

    def interrupt() -> None:
        raise KeyboardInterrupt

    reader.on_wait = interrupt
    result = reader.run("watch", EN)
    assert result.exit_code == 130
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_quiet_and_json_say_nothing_beside(person: Person, product: Product) -> None:
    product.add(EN, "QUEUED")
    product.coming[EN] = [{}, {"status": "READY"}]
    result = person.run("watch", EN, "--json")
    assert (json.loads(result.stdout)["item"]["status"], result.stderr) == ("READY", "")
    assert person.run("watch", EN, "--quiet").stderr == ""


def test_one_that_goes_on_resting_is_told_within_seconds(person: Person, product: Product) -> None:
    product.add(EN, "CAPTURED", updated_at="2026-11-18T13:00:00.000Z")
    result = person.run("watch", EN)
    assert (result.exit_code, sum(person.waited) <= 3) == (4, True)
    assert "It rests: nobody has asked for it to be read." in result.stderr
    assert "Next: readdo process B0MA8N" in result.stderr


def test_interrupted_it_says_how_to_come_back(person: Person, product: Product) -> None:
    product.add(EN, "QUEUED")

    def interrupt() -> None:
        raise KeyboardInterrupt

    person.on_wait = interrupt
    assert "It goes on without you: readdo watch B0MA8N" in person.run("watch", EN).stderr.splitlines()
    assert "without you" not in person.run("watch", EN, "--json").stderr
