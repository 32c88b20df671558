"""The doctor: each thing that must be right, what to do where it is not, and 1 if anything is broken."""

import json

import pytest

from .conftest import Person, too_wide
from .product import Product
from .samples import EN, ZH, failure
from .server import Fault, Server
from .wire import Reply, refusal


def marks(shown: str) -> dict[str, str]:
    return {line.split()[1]: line[0] for line in shown.splitlines() if line[0] in "✓✗!"}


def test_all_is_well(reader: Person, product: Product) -> None:
    product.add(EN)
    result = reader.run("doctor")
    assert result.exit_code == 0
    found = marks(result.stdout)
    assert [found[name] for name in ("python", "server", "clock", "progress", "failures", "engine")] == ["✓"] * 6
    assert "extractive.3, without a model" in result.stdout
    assert too_wide(result.stdout) == []


def test_nobody_answers(reader: Person) -> None:
    reader.environ["READDO_URL"] = "http://127.0.0.1:1"
    result = reader.run("doctor")
    assert (result.exit_code, marks(result.stdout)["server"]) == (1, "✗")
    assert "make run" in result.stdout
    assert too_wide(result.stdout) == []


def test_nothing_is_set(reader: Person) -> None:
    reader.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    result = reader.run("doctor")
    assert (result.exit_code, marks(result.stdout)["address"]) == (1, "✗")


def test_the_token_is_not_taken(reader: Person) -> None:
    reader.environ["READDO_TOKEN"] = "wrong"
    result = reader.run("doctor")
    assert (result.exit_code, marks(result.stdout)["token"]) == (1, "✗")


def test_a_fault_of_the_server(reader: Person, server: Server) -> None:
    server.faults = [Fault(refusal(500, "INTERNAL_ERROR", "no"), times=9)]
    assert marks(reader.run("doctor").stdout)["server"] == "✗"


@pytest.mark.parametrize("date", ["Wed, 18 Nov 2026 12:55:00 GMT", "Wed, 18 Nov 2026 13:05:00 GMT"])
def test_a_clock_that_is_off(reader: Person, product: Product, server: Server, date: str) -> None:
    product.add(EN)
    server.date = date
    result = reader.run("doctor")
    assert (result.exit_code, marks(result.stdout)["clock"]) == (0, "!")
    assert "5 min apart" in result.stdout


def test_what_is_stuck_and_what_has_failed(reader: Person, product: Product) -> None:
    product.add(EN, "PROCESSING", updated_at="2026-11-18T12:30:00.000Z")
    product.add(ZH, "FAILED_AI", failure=failure("score", next_retry_at="2026-11-18T13:01:00.000Z"))
    result = reader.run("doctor")
    assert result.exit_code == 1
    found = marks(result.stdout)
    assert (found["progress"], found["failures"]) == ("✗", "!")
    assert "1 have not moved for 20 min: B0MA8N" in result.stdout
    assert "1 item failed, 1 of them tried again by itself" in result.stdout


def test_what_is_merely_under_way_is_not_stuck(reader: Person, product: Product) -> None:
    product.add(EN, "PROCESSING", updated_at="2026-11-18T12:59:00.000Z")
    assert marks(reader.run("doctor").stdout)["progress"] == "✓"


def test_a_token_that_others_can_read_or_overhear(reader: Person, server: Server, product: Product) -> None:
    product.add(EN)
    home = reader.home / ".local"
    home.mkdir()
    file = home / "endpoint.json"
    file.write_text(json.dumps({"url": server.url, "token": "rdo_secret"}))
    file.chmod(0o644)
    reader.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    shown = reader.run("doctor").stdout
    assert marks(shown)["address"] == "!"
    assert "chmod 600" in shown
    file.chmod(0o600)
    assert marks(reader.run("doctor").stdout)["address"] == "✓"


def test_nothing_is_there_yet(reader: Person) -> None:
    result = reader.run("doctor")
    assert (result.exit_code, "readdo capture" in result.stdout) == (0, True)


def test_json_is_a_list_of_checks(person: Person, server: Server) -> None:
    server.faults = [Fault(Reply(401), times=9)]
    result = person.run("doctor", "--json")
    checks = {check["name"]: check["ok"] for check in json.loads(result.stdout)["checks"]}
    assert (checks["python"], checks["token"], result.exit_code) == (True, False, 1)


@pytest.mark.parametrize("source", ["READDO_TOKEN", "--token"])
def test_a_bad_token_is_told_by_where_it_came_from(reader: Person, source: str) -> None:
    reader.environ["READDO_TOKEN"] = "wrong"
    shown = reader.run("doctor", *(["--token", "bad"] if source == "--token" else [])).stdout
    assert f"does not take the token from {source}." in " ".join(shown.split())
    assert "readdo doctor" not in shown


def test_a_bad_token_of_the_file_says_how_it_is_written_anew(reader: Person, server: Server) -> None:
    file = reader.home / ".local" / "endpoint.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"url": server.url, "token": "old"}))
    reader.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    shown = "".join(reader.run("doctor").stdout.split())
    assert f"doesnottakethetokenfrom{file}." in shown
    assert "Stop`makerun`andstartitagain" in shown


def test_each_hint_has_a_line_of_its_own(reader: Person) -> None:
    reader.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    lines = [line.strip() for line in reader.run("doctor").stdout.splitlines()]
    assert "Start it: make run (in the project's folder)" in lines
