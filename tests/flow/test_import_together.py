"""Imports that share the limit of items in flight, and their list of lines."""

from collections.abc import Callable
from typing import Any

import pytest

from readdo.lifecycle.write import Write
from readdo.transfer import transfer_keys
from readdo.transfer.imports import in_flight, pages, results
from readdo.transfer.imports import lines as slices
from support.import_helpers import get_import, lines, start_import, texts
from support.world import World

LINK = "https://example.org/later\n"


def other_texts(count: int) -> str:
    return texts(count).replace("example.org", "example.net")


def test_every_line_is_listed_for_any_slice_size(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    fitting = slices._fitting
    monkeypatch.setattr(results, "ROWS", 3)
    monkeypatch.setattr(slices, "_fitting", lambda *args: fitting(*args)[:2])
    import_id = start_import(fresh, "\n".join(f"https://example.org/{n}" for n in range(17)), process=False)
    fresh.settle()
    assert [line["line"] for line in lines(fresh, import_id, "limit=4")] == list(range(1, 18))
    assert [line["line"] for line in lines(fresh, import_id, "limit=5")] == list(range(1, 18))
    assert lines(fresh, import_id, "result=bad") == []


def pause_after_first_slice(world: World) -> Callable[..., Any]:
    """Pause the import after its first slice, while that slice's item is in flight."""
    paused: list[int] = []

    def pause_after_slice(handler: Any, event: dict[str, Any]) -> Any:
        after = handler(event)
        if not paused:
            paused.append(world.api("POST", f"/imports/{event['import']}/pause", {}).status)
        return after

    return pause_after_slice


def test_paused_import_without_items_in_flight_blocks_no_other_import(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_flight, "IN_FLIGHT_MAX", 1)
    monkeypatch.setattr(slices, "SLICES_MAX", 5)
    fresh.instead["import_lines"] = pause_after_first_slice(fresh)
    first = start_import(fresh, texts(2))
    fresh.settle()
    assert (get_import(fresh, first)["status"], get_import(fresh, first)["counts"]["left"]) == ("PAUSED", 1)
    second = start_import(fresh, other_texts(1))
    fresh.settle()
    assert get_import(fresh, second)["counts"]["left"] == 0


def test_items_in_flight_of_a_paused_import_count_towards_the_limit(
    fresh: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_flight, "IN_FLIGHT_MAX", 1)
    monkeypatch.setattr(slices, "SLICES_MAX", 2)
    fresh.instead["lease"] = lambda *_: {"error": 1}  # no execution takes the lease
    fresh.instead["import_lines"] = pause_after_first_slice(fresh)
    start_import(fresh, texts(2))
    fresh.settle()
    second = start_import(fresh, other_texts(1))
    fresh.settle()
    assert get_import(fresh, second)["counts"]["left"] == 1


def test_import_that_waits_for_another_reads_one_page_per_slice(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    first = start_import(fresh, texts(1), process=False)
    fresh.settle()
    fresh.table.write(Write(transfer_keys.import_job(fresh.owner, first), sets={"status": "RUNNING"}))
    monkeypatch.setattr(slices, "SLICES_MAX", 3)
    looks: list[str] = []
    read = pages.read
    monkeypatch.setattr(pages, "read", lambda row, number: (looks.append(row["id"]), read(row, number))[1])
    second = start_import(fresh, other_texts(1))
    fresh.settle()
    assert looks == [second] * 3
