"""Races of a user's changes: of those made from one version one is kept, and no version's number is given twice."""

from collections.abc import Callable
from typing import Any

import pytest
from race_items import done, ready
from race_round import THREADS, Arena, Round, granted, moves, numbers, told

from readdo.errors import VersionMismatch
from readdo.lifecycle.advance import Forbidden
from readdo.read import item_commands, item_edits

TITLES = ("Write down every write", "把每一次写入都列出来")


def todos(title: str) -> dict[str, Any]:
    fields = {"eta": "30m", "type": "WRITE", "why": "", "priority": "P1", "tags": []}
    return {"todos": [{"title": f"{title} {place}", **fields} for place in range(3)]}


def edit(round_: Round, item_id: str, wish: dict[str, Any], if_match: str) -> dict[str, Any]:
    build = item_edits.edit(round_.table, "todos", wish, if_match)
    return done(round_, item_id, "edit", build, payload=wish)


def patch(round_: Round, item_id: str, title: str, if_match: str) -> dict[str, Any]:
    return done(round_, item_id, "patch", item_edits.patch({"title": title}, if_match), title=title)


def shown(round_: Round, item_id: str) -> int:
    row = round_.row(item_id)
    return int(row.get("edited", {}).get("todos", 1))


def of_edits_from_one_version_one_is_kept(round_: Round) -> None:
    item_id = ready(round_)
    sides = round_.race(*((4, lambda n=n: edit(round_, item_id, todos(f"{TITLES[n % 2]} {n}"), "1")) for n in range(8)))
    found = [one for side in sides for one in granted(side)]
    assert len(found) == 1
    assert sum(len(told(side, VersionMismatch)) for side in sides) == THREADS - 1
    row = round_.row(item_id)
    assert numbers(round_, row)["todos"] == [1, 2]
    kept = next(made for made in round_.inside(item_id) if made["sk"].startswith("A#todos#U"))
    assert TITLES[0] in kept["payload"] or TITLES[1] in kept["payload"]
    assert found[0]["artifact"]["payload"]["todos"][0]["title"] in kept["payload"]
    moves(round_, row)


def of_patches_from_one_version_one_is_kept(round_: Round) -> None:
    item_id = ready(round_)
    seen = round_.row(item_id)["version"]
    sides = round_.race(*((4, lambda n=n: patch(round_, item_id, f"{TITLES[n % 2]} {n}", str(seen))) for n in range(8)))
    found = [one for side in sides for one in granted(side)]
    row = round_.row(item_id)
    assert [one["item"]["title"] for one in found] == [row["title"]]
    assert row["version"] == found[0]["item"]["version"] == seen + 1
    assert sum(len(told(side, VersionMismatch)) for side in sides) == THREADS - 1


def edits_of_whatever_is_there_are_all_kept(round_: Round) -> None:
    """Each under its key, which is delivered four times; patches and the way back go on beside them."""
    item_id = ready(round_)
    keys = [f"edit-{n}" for n in range(4)]

    def keyed(n: int) -> dict[str, Any]:
        wish = todos(f"{TITLES[n % 2]} {n}")
        build = item_edits.edit(round_.table, "todos", wish, "*")
        return done(round_, item_id, "edit", build, key=keys[n], payload=wish)

    *sides, backs, patches = round_.race(
        *((4, lambda n=n: keyed(n)) for n in range(4)),
        (8, lambda: done(round_, item_id, "unedit", item_edits.unedit("todos"))),
        (8, lambda: patch(round_, item_id, TITLES[1], "*")),
    )
    row = round_.row(item_id)
    assert numbers(round_, row)["todos"] == [1, 2, 3, 4, 5]
    answers = [{one["artifact"]["version"] for one in granted(side)} for side in sides]
    assert sorted(map(len, answers)) == [1, 1, 1, 1]
    assert set().union(*answers) == {2, 3, 4, 5}
    assert len(granted(patches)) == 8
    assert all(isinstance(one, dict | Forbidden) for one in backs)
    assert shown(round_, item_id) in {1, 5}
    assert row["title"] == TITLES[1]
    moves(round_, row)


def every_button_at_once_is_a_way_through_the_table(round_: Round) -> None:
    item_id = ready(round_)
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
        *((4, lambda name=name, build=build: done(round_, item_id, name, build)) for name, build in buttons.items())
    )
    row = round_.row(item_id)
    way = moves(round_, row)
    numbers(round_, row)
    pressed = dict(zip(buttons, sides, strict=True))
    for name in ("ship", "keep", "unarchive_anew"):
        assert way.count(name) <= len(granted(pressed[name])) <= 4
    changes = [one["item"]["version"] for side in sides for one in granted(side)]
    # `unedit` of what is not edited changes nothing, and is told the version that it found.
    assert max(changes) == row["version"]
    assert set(range(before + 1, row["version"] + 1)) <= set(changes)


SCENES = (
    of_edits_from_one_version_one_is_kept,
    of_patches_from_one_version_one_is_kept,
    edits_of_whatever_is_there_are_all_kept,
    every_button_at_once_is_a_way_through_the_table,
)


@pytest.mark.parametrize("scene", SCENES)
def test_of_changes_at_once(arena: Arena, scene: Callable[[Round], None]) -> None:
    arena.play(scene)
