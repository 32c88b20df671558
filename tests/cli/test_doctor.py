"""readdo doctor: its checks, their advice, and exit code 1 if a check fails."""

import json

import pytest

from .conftest import User, too_wide
from .product import Product
from .samples import EN, ZH, failure
from .server import Fault, Server
from .wire import Reply, refusal


def marks(output: str) -> dict[str, str]:
    return {line.split()[1]: line[0] for line in output.splitlines() if line[0] in "✓✗!"}


def test_doctor_passes_on_a_healthy_product(live_user: User, product: Product) -> None:
    product.add(EN)
    result = live_user.run("doctor")
    assert result.exit_code == 0
    results = marks(result.stdout)
    assert [results[name] for name in ("python", "server", "clock", "progress", "failures", "engine")] == ["✓"] * 6
    assert "extractive.3, without a model" in result.stdout
    assert too_wide(result.stdout) == []


def test_doctor_reports_an_unreachable_server(live_user: User) -> None:
    live_user.environ["READDO_URL"] = "http://127.0.0.1:1"
    result = live_user.run("doctor")
    assert (result.exit_code, marks(result.stdout)["server"]) == (1, "✗")
    assert "make run" in result.stdout
    assert too_wide(result.stdout) == []


def test_doctor_reports_a_missing_address(live_user: User) -> None:
    live_user.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    result = live_user.run("doctor")
    assert (result.exit_code, marks(result.stdout)["address"]) == (1, "✗")


def test_doctor_reports_a_rejected_token(live_user: User) -> None:
    live_user.environ["READDO_TOKEN"] = "wrong"
    result = live_user.run("doctor")
    assert (result.exit_code, marks(result.stdout)["token"]) == (1, "✗")


def test_doctor_reports_a_server_error(live_user: User, server: Server) -> None:
    server.faults = [Fault(refusal(500, "INTERNAL_ERROR", "no"), times=9)]
    assert marks(live_user.run("doctor").stdout)["server"] == "✗"


@pytest.mark.parametrize("date", ["Wed, 18 Nov 2026 12:55:00 GMT", "Wed, 18 Nov 2026 13:05:00 GMT"])
def test_doctor_warns_about_a_clock_difference(live_user: User, product: Product, server: Server, date: str) -> None:
    product.add(EN)
    server.date = date
    result = live_user.run("doctor")
    assert (result.exit_code, marks(result.stdout)["clock"]) == (0, "!")
    assert "is 5 min off" in result.stdout


def test_doctor_reports_stuck_and_failed_items(live_user: User, product: Product) -> None:
    product.add(EN, "PROCESSING", updated_at="2026-11-18T12:30:00.000Z")
    product.add(ZH, "FAILED_AI", failure=failure("score", next_retry_at="2026-11-18T13:01:00.000Z"))
    result = live_user.run("doctor")
    assert result.exit_code == 1
    results = marks(result.stdout)
    assert (results["progress"], results["failures"]) == ("✗", "!")
    assert "1 stuck for 20 min: B0MA8N" in result.stdout
    assert "1 item failed, 1 of them will be retried automatically" in result.stdout


def test_doctor_does_not_report_a_processing_item_as_stuck(live_user: User, product: Product) -> None:
    product.add(EN, "PROCESSING", updated_at="2026-11-18T12:59:00.000Z")
    assert marks(live_user.run("doctor").stdout)["progress"] == "✓"


def test_doctor_warns_about_a_readable_token_file(live_user: User, server: Server, product: Product) -> None:
    product.add(EN)
    home = live_user.home / ".local"
    home.mkdir()
    file = home / "endpoint.json"
    file.write_text(json.dumps({"url": server.url, "token": "rdo_secret"}))
    file.chmod(0o644)
    live_user.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    output = live_user.run("doctor").stdout
    assert marks(output)["address"] == "!"
    assert "chmod 600" in output
    file.chmod(0o600)
    assert marks(live_user.run("doctor").stdout)["address"] == "✓"


def test_doctor_without_items_suggests_a_capture(live_user: User) -> None:
    result = live_user.run("doctor")
    assert (result.exit_code, "readdo capture" in result.stdout) == (0, True)


def test_doctor_json_lists_the_checks(user: User, server: Server) -> None:
    server.faults = [Fault(Reply(401), times=9)]
    result = user.run("doctor", "--json")
    checks = {check["name"]: check["ok"] for check in json.loads(result.stdout)["checks"]}
    assert (checks["python"], checks["token"], result.exit_code) == (True, False, 1)


@pytest.mark.parametrize("source", ["READDO_TOKEN", "--token"])
def test_doctor_names_the_source_of_a_rejected_token(live_user: User, source: str) -> None:
    live_user.environ["READDO_TOKEN"] = "wrong"
    output = live_user.run("doctor", *(["--token", "bad"] if source == "--token" else [])).stdout
    assert f"does not accept the token from {source}." in " ".join(output.split())
    assert "readdo doctor" not in output


def test_doctor_explains_how_to_renew_the_token_file(live_user: User, server: Server) -> None:
    file = live_user.home / ".local" / "endpoint.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"url": server.url, "token": "old"}))
    live_user.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    output = "".join(live_user.run("doctor").stdout.split())
    assert f"doesnotacceptthetokenfrom{file}." in output
    assert "Restart`makerun`" in output


def test_doctor_prints_each_hint_on_its_own_line(live_user: User) -> None:
    live_user.environ |= {"READDO_URL": "", "READDO_TOKEN": ""}
    lines = [line.strip() for line in live_user.run("doctor").stdout.splitlines()]
    assert "Start it: make run (in the project folder)" in lines
