"""Imports that meet: in one owner's room for fifty, and in one list of lines."""

from collections.abc import Callable
from typing import Any

import pytest
from test_import import texts

from readdo.lifecycle.write import Write
from readdo.read.imports import lines as slices
from readdo.read.imports import pages, results
from readdo.store import keys
from support.import_helpers import begin, lines, look
from support.world import World

LINK = "https://example.org/later\n"


def other_texts(count: int) -> str:
    return texts(count).replace("example.org", "example.net")


def test_every_line_of_a_page_is_listed_however_small_the_steps_were_that_it_came_in_by(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitting = slices._fitting
    monkeypatch.setattr(results, "ROWS", 3)
    monkeypatch.setattr(slices, "_fitting", lambda *given: fitting(*given)[:2])
    import_id = begin(made, "\n".join(f"https://example.org/{n}" for n in range(17)), process=False)
    made.settle()
    assert [line["line"] for line in lines(made, import_id, "limit=4")] == list(range(1, 18))
    assert [line["line"] for line in lines(made, import_id, "limit=5")] == list(range(1, 18))
    assert lines(made, import_id, "result=bad") == []


def pausing(made: World) -> Callable[..., Any]:
    """After its first slice, while that one's item is under way."""
    paused: list[int] = []

    def instead(handler: Any, event: dict[str, Any]) -> Any:
        after = handler(event)
        if not paused:
            paused.append(made.api("POST", f"/imports/{event['import']}/pause", {}).status)
        return after

    return instead


def test_a_paused_import_holds_nobody_up_once_its_items_are_at_rest(
    made: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "IN_FLIGHT_MAX", 1)
    monkeypatch.setattr(slices, "SLICES_MAX", 5)
    made.instead["import_lines"] = pausing(made)
    first = begin(made, texts(2))
    made.settle()
    assert (look(made, first)["status"], look(made, first)["counts"]["left"]) == ("PAUSED", 1)
    second = begin(made, other_texts(1))
    made.settle()
    assert look(made, second)["counts"]["left"] == 0


def test_what_a_paused_import_still_has_under_way_counts(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "IN_FLIGHT_MAX", 1)
    monkeypatch.setattr(slices, "SLICES_MAX", 2)
    made.instead["lease"] = lambda *_: {"error": 1}  # nobody takes it on
    made.instead["import_lines"] = pausing(made)
    begin(made, texts(2))
    made.settle()
    second = begin(made, other_texts(1))
    made.settle()
    assert look(made, second)["counts"]["left"] == 1


def test_an_import_that_waits_for_another_looks_once_a_slice(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    first = begin(made, texts(1), process=False)
    made.settle()
    made.table.write(Write(keys.importing(made.owner, first), sets={"status": "RUNNING"}))
    monkeypatch.setattr(slices, "SLICES_MAX", 3)
    looks: list[str] = []
    read = pages.read
    monkeypatch.setattr(pages, "read", lambda row, number: (looks.append(row["id"]), read(row, number))[1])
    second = begin(made, other_texts(1))
    made.settle()
    assert looks == [second] * 3
