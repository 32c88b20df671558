"""readdo runs and readdo health."""

import json
from typing import Any

import pytest

from .conftest import User, too_wide
from .desk import Desk
from .product import Product


def _hours() -> list[dict[str, Any]]:
    ended = {"succeeded": 0, "failed": 0, "timeout": 0, "cancelled": 0, "mean_duration": None}
    days = [f"2026-11-{12 + hour // 24:02}T{hour % 24:02}:00:00.000Z" for hour in range(168)]
    hours = [{"hour": at, **ended} for at in days]
    hours[50] |= {"succeeded": 8}
    hours[60] |= {"succeeded": 1}
    hours[100] |= {"succeeded": 2, "failed": 2}
    return hours


@pytest.fixture
def desk(product: Product) -> Desk:
    def figure(value: float | None, status: str, ok: float, degraded: float | None, decides: bool) -> dict[str, object]:
        limits = {"ok": ok, **({} if degraded is None else {"degraded": degraded})}
        return {"value": value, "status": status, "limits": limits, "decides": decides}

    figures = {
        "success_rate": figure(None, "no_data", 95, 80, True),
        "queue": figure(51, "unhealthy", 10, 50, True),
        "blocked": figure(4, "degraded", 3, 10, True),
        "mean_duration": figure(312.5, "degraded", 300, None, False),
        "failures": figure(2, "ok", 5, None, False),
    }
    states = ("inbox", "todo", "doing", "blocked", "succeeded", "failed", "timeout", "cancelled")
    product.desk.health = {"health": "unhealthy", "figures": figures, "stats": dict.fromkeys(states, 1)}
    product.desk.health |= {"queueLength": 51, "lastRun": None, "lastHeartbeat": "2026-11-18T12:59:30Z"}
    product.desk.hours = _hours()
    return product.desk


def test_health_prints_each_figure_with_its_limits(user: User, desk: Desk) -> None:
    result = user.run("health")
    lines = {line.split("  ")[1]: line for line in result.stdout.splitlines() if line.startswith("  ")}
    assert "no data" in lines["Success rate"]
    assert "unhealthy below 80" in lines["Success rate"]
    assert ("51  unhealthy" in lines["Waiting"], "unhealthy above 50" in lines["Waiting"]) == (True, True)
    assert "warning" in lines["Mean time"]
    assert "30 s ago" in result.stdout
    assert result.exit_code == 1
    desk.health["health"] = "degraded"
    assert user.run("health").exit_code == 0


def test_health_prints_the_state_of_the_notion_mirror(user: User, desk: Desk) -> None:
    assert "Notion" not in user.run("health").stdout
    desk.health |= {"notion": {"status": "on"}, "lastSyncNotion": "2026-11-18T12:58:00Z"}
    assert "Last synced to Notion 2 min ago" in user.run("health").stdout
    wrong = {"status": "trouble", "code": "TOKEN_UNKNOWN", "message": "Notion rejected the token."}
    desk.health |= {"notion": {**wrong, "next_try_at": "2026-11-18T14:00:00Z"}}
    assert "Notion rejected the token." in user.run("health").stdout


@pytest.mark.usefixtures("desk")
def test_health_draws_the_runs_of_the_week(user: User) -> None:
    chart = user.run("health").stdout
    assert (chart.count("█"), chart.count("▁"), chart.count("!") - 1) == (1, 1, 1)
    assert "4 runs, 2 failed" in chart
    user.live = True
    assert too_wide(user.run("health").stdout) == []
    assert len(json.loads(user.run("health", "--json").stdout)["hours"]) == 168


def test_recount_prints_the_drift(user: User, desk: Desk) -> None:
    assert "were correct" in user.run("health", "--recount").stdout
    desk.drift = {"todo": -2, "doing": 1}
    assert "todo by -2, doing by +1" in user.run("health", "--recount").stdout


def test_runs_are_printed_for_pipes_and_terminals(user: User, desk: Desk) -> None:
    assert user.run("runs").stderr == "No runs yet.\n"
    task = desk.add()
    user.run("task", "done", "@")
    name = next(iter(desk.runs))
    desk.runs[name]["error_message"] = "Odd\x1b[2J\nthing " * 30
    (row,) = user.run("runs").stdout.splitlines()
    assert row.split("\t")[:4] == [name, "succeeded", "runQA", task["id"]]
    item = {"id": "01M7RN000000000000000000ZZ", "status": "running", "intent": "read", "item_id": "01M7QBHEY242J9Y0DR"}
    desk.runs["item"] = {
        **item,
        "attempt": 1,
        "created_at": "2026-11-18T12:59:00Z",
        "started_at": "2026-11-18T12:59:00Z",
    }
    user.live = True
    output = user.run("runs").stdout
    assert (too_wide(output), "1:00" in output, "Odd thing" in output) == ([], True, True)
