"""What does not depend on time is promised here: it goes red with the first change that costs too much."""

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

ASK_AN_ENGINE = {"summarize", "score", "todos", "card"}


@pytest.fixture(scope="module")
def staged() -> Iterator[tuple[World, Record]]:
    with stage() as found:
        yield found


@pytest.mark.parametrize("page", [ENGLISH, CHINESE], ids=lambda page: page.name)
def test_an_item_costs_no_more_than_promised(staged: tuple[World, Record], page: Any) -> None:
    figures = list(item_figures.of(play(*staged, page)))
    assert [f.name.split(",")[0] for f in figures] == ["write units", "read units", "transitions"]
    assert missed(figures) == []
    floors = {"English": 30, "Chinese": 37}
    assert [(f.floor, f.target) for f in figures] == [(floors[page.name], 2.5), (None, 25), (8, 1)]


def test_a_look_at_an_item_reads_what_there_is_and_no_more(staged: tuple[World, Record]) -> None:
    made, record = staged
    item_id = made.capture(process=False)
    assert calls_of_a_look(made, record, item_id) == ["GetItem"]
    item_id = made.capture()
    made.settle()
    assert calls_of_a_look(made, record, item_id) == ["GetItem", "BatchGetItem"], "it was never exported"
    asked = {"export_key": "one", "formats": ["md"]}
    assert made.api("POST", f"/items/{item_id}/export", asked).status == 202
    assert len(made.api("GET", f"/items/{item_id}").json["exports"]) == 1


def calls_of_a_look(made: World, record: Record, item_id: str) -> list[str]:
    mark = record.mark
    assert made.api("GET", f"/items/{item_id}").status == 200
    # Who asks is known for a minute, and looked up again after it.
    return [call.operation for call in record.since(mark).calls if "'T#" not in str(call.ask)]


def test_a_room_that_asks_no_engine_imports_none() -> None:
    """A third of the time that extract takes to start."""
    rooms = {template.room(name) for name in template.functions()} - ASK_AN_ENGINE
    assert {"extract", "http_api", "export"} <= rooms
    code = f"import sys, {', '.join(sorted(rooms))}; print(*(n for n in sys.modules if 'engine.extractive' in n))"
    paths = [str(template.ROOT / "layers/domain"), *(str(template.ROOT / "functions" / room) for room in rooms)]
    told = subprocess.run(  # noqa: S603 - our own rooms
        [sys.executable, "-c", f"import sys; sys.path[:0] = {paths!r}; {code}"],
        capture_output=True,
        text=True,
        check=True,
        env={"POWERTOOLS_SERVICE_NAME": "test", "AWS_DEFAULT_REGION": "eu-central-1"},
    )
    assert told.stdout.split() == []


def missed(figures: list[Figure]) -> list[tuple[str, float]]:
    return [(figure.name, figure.value) for figure in figures if not figure.met]
