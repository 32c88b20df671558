"""Cost targets that do not depend on time. A change that costs too much fails here."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from bench import item_figures
from bench.figure import Figure
from bench.recorder import Record
from bench.story import CHINESE, ENGLISH, play, stage
from support import template
from support.world import World

ROOMS_WITH_ENGINE = {"summarize", "score", "todos", "card", "collect_work"}


@pytest.fixture(scope="module")
def staged() -> Iterator[tuple[World, Record]]:
    with stage() as world_and_record:
        yield world_and_record


@pytest.mark.parametrize("page", [ENGLISH, CHINESE], ids=lambda page: page.name)
def test_item_costs_meet_their_targets(staged: tuple[World, Record], page: Any) -> None:
    figures = list(item_figures.of(play(*staged, page)))
    assert [f.name.split(",")[0] for f in figures] == ["write units", "read units", "transitions"]
    assert missed(figures) == []
    floors = {"English": 30, "Chinese": 37}
    assert [(f.floor, f.target) for f in figures] == [(floors[page.name], 2.5), (None, 25), (8, 1)]


def test_item_read_fetches_only_existing_rows(staged: tuple[World, Record]) -> None:
    world, record = staged
    item_id = world.capture(process=False)
    assert calls_of_a_read(world, record, item_id) == ["GetItem"]
    item_id = world.capture()
    world.settle()
    assert calls_of_a_read(world, record, item_id) == ["GetItem", "BatchGetItem"], (
        "no export is read before the first one"
    )
    body = {"export_key": "one", "formats": ["md"]}
    assert world.api("POST", f"/items/{item_id}/export", body).status == 202
    assert len(world.api("GET", f"/items/{item_id}").json["exports"]) == 1


def calls_of_a_read(world: World, record: Record, item_id: str) -> list[str]:
    mark = record.mark
    assert world.api("GET", f"/items/{item_id}").status == 200
    # The lookup of the access token is cached for a minute, so it is not always there.
    return [call.operation for call in record.since(mark).calls if "'T#" not in str(call.parameters)]


def test_functions_without_an_engine_do_not_import_it() -> None:
    """The import of the engine takes a third of extract's start time."""
    rooms = {template.function_name(name) for name in template.functions()} - ROOMS_WITH_ENGINE
    assert {"extract", "http_api", "export"} <= rooms
    code = f"import sys, {', '.join(sorted(rooms))}; print(*(n for n in sys.modules if 'engine.extractive' in n))"
    paths = [str(template.ROOT / "layers/domain"), *(str(template.ROOT / "functions" / room) for room in rooms)]
    process = subprocess.run(  # noqa: S603 - our own functions
        [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
        env={"POWERTOOLS_SERVICE_NAME": "test", "AWS_DEFAULT_REGION": "eu-central-1"},
    )
    assert process.stdout.split() == []


def missed(figures: list[Figure]) -> list[tuple[str, float]]:
    return [(figure.name, figure.value) for figure in figures if not figure.met]
