"""Races of edits: of edits from one version one succeeds, and version numbers are unique."""

from collections.abc import Callable
from typing import Any

import pytest

from races.race_items import ready_item, run_command
from races.race_round import THREADS, Arena, Round, accepted, moves, numbers, refused
from readdo.errors import VersionMismatch
from readdo.lifecycle.advance import Forbidden
from readdo.read import item_commands, item_edits

TITLES = ("Write down every write", "把每一次写入都列出来")


def todos(title: str) -> dict[str, Any]:
    fields = {"eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}
    return {"todos": [{"title": f"{title} {place}", **fields} for place in range(3)]}


def edit(round_: Round, item_id: str, payload: dict[str, Any], if_match: str) -> dict[str, Any]:
    build = item_edits.edit(round_.table, "todos", payload, if_match)
    return run_command(round_, item_id, "edit", build, payload=payload)


def patch(round_: Round, item_id: str, title: str, if_match: str) -> dict[str, Any]:
    return run_command(round_, item_id, "patch", item_edits.patch({"title": title}, if_match), title=title)


def shown_version(round_: Round, item_id: str) -> int:
    row = round_.row(item_id)
    return int(row.get("edited", {}).get("todos", 1))


def one_edit_of_a_version_succeeds(round_: Round) -> None:
    item_id = ready_item(round_)
    sides = round_.race(*((4, lambda n=n: edit(round_, item_id, todos(f"{TITLES[n % 2]} {n}"), "1")) for n in range(8)))
    results = [one for side in sides for one in accepted(side)]
    assert len(results) == 1
    assert sum(len(refused(side, VersionMismatch)) for side in sides) == THREADS - 1
    row = round_.row(item_id)
    assert numbers(round_, row)["todos"] == [1, 2]
    stored = next(row_inside for row_inside in round_.inside(item_id) if row_inside["sk"].startswith("A#todos#U"))
    assert TITLES[0] in stored["payload"] or TITLES[1] in stored["payload"]
    assert results[0]["artifact"]["payload"]["todos"][0]["title"] in stored["payload"]
    moves(round_, row)


def one_patch_of_a_version_succeeds(round_: Round) -> None:
    item_id = ready_item(round_)
    version = round_.row(item_id)["version"]
    sides = round_.race(
        *((4, lambda n=n: patch(round_, item_id, f"{TITLES[n % 2]} {n}", str(version))) for n in range(8))
    )
    results = [one for side in sides for one in accepted(side)]
    row = round_.row(item_id)
    assert [one["item"]["title"] for one in results] == [row["title"]]
    assert row["version"] == results[0]["item"]["version"] == version + 1
    assert sum(len(refused(side, VersionMismatch)) for side in sides) == THREADS - 1


def edits_of_any_version_all_succeed(round_: Round) -> None:
    """Each edit has its own key, delivered four times; patches and `unedit` run at the same time."""
    item_id = ready_item(round_)
    keys = [f"edit-{n}" for n in range(4)]

    def keyed(n: int) -> dict[str, Any]:
        payload = todos(f"{TITLES[n % 2]} {n}")
        build = item_edits.edit(round_.table, "todos", payload, "*")
        return run_command(round_, item_id, "edit", build, key=keys[n], payload=payload)

    *sides, backs, patches = round_.race(
        *((4, lambda n=n: keyed(n)) for n in range(4)),
        (8, lambda: run_command(round_, item_id, "unedit", item_edits.unedit("todos"))),
        (8, lambda: patch(round_, item_id, TITLES[1], "*")),
    )
    row = round_.row(item_id)
    assert numbers(round_, row)["todos"] == [1, 2, 3, 4, 5]
    answers = [{one["artifact"]["version"] for one in accepted(side)} for side in sides]
    assert sorted(map(len, answers)) == [1, 1, 1, 1]
    assert set().union(*answers) == {2, 3, 4, 5}
    assert len(accepted(patches)) == 8
    assert all(isinstance(one, dict | Forbidden) for one in backs)
    assert shown_version(round_, item_id) in {1, 5}
    assert row["title"] == TITLES[1]
    moves(round_, row)


def all_commands_form_a_valid_history(round_: Round) -> None:
    item_id = ready_item(round_)
    before = round_.row(item_id)["version"]
    buttons = {
        "ship": item_commands.ship,
        "archive": item_commands.archive(None),
        "unarchive": item_commands.unarchive,
        "process": item_commands.requeue("regenerate"),
        "keep": item_commands.keep,
        "unarchive_anew": item_commands.unarchive_anew,
        "edit": item_edits.edit(round_.table, "todos", todos(TITLES[0]), "*"),
        "unedit": item_edits.unedit("todos"),
    }
    sides = round_.race(
        *(
            (4, lambda name=name, build=build: run_command(round_, item_id, name, build))
            for name, build in buttons.items()
        )
    )
    row = round_.row(item_id)
    path = moves(round_, row)
    numbers(round_, row)
    results = dict(zip(buttons, sides, strict=True))
    for name in ("ship", "keep", "unarchive_anew"):
        assert path.count(name) <= len(accepted(results[name])) <= 4
    changes = [one["item"]["version"] for side in sides for one in accepted(side)]
    # `unedit` without an edit changes nothing and returns the current version.
    assert max(changes) == row["version"]
    assert set(range(before + 1, row["version"] + 1)) <= set(changes)


SCENARIOS = (
    one_edit_of_a_version_succeeds,
    one_patch_of_a_version_succeeds,
    edits_of_any_version_all_succeed,
    all_commands_form_a_valid_history,
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_concurrent_edits(arena: Arena, scenario: Callable[[Round], None]) -> None:
    arena.play(scenario)
