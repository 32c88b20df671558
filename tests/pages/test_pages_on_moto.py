"""The main page flows once on moto."""

from collections.abc import Iterator

import pytest

from support.moto import moto_world
from support.reader import Reader
from support.world import TEXT, World


@pytest.fixture(scope="module")
def on_moto() -> Iterator[World]:
    with moto_world() as world:
        yield world


@pytest.mark.parametrize("language", ["en", "zh"])
def test_item_is_saved_read_and_edited_by_forms(on_moto: World, language: str) -> None:
    reader = Reader(on_moto, language=language)
    form = reader.look("/my").form("/my/capture")
    reader.send(form, source=f"{TEXT} {language}", intent_text=f"make our job queue safe {language}")
    on_moto.settle()
    (row,) = [row for row in reader.look("/my").tree.cssselect(".row") if f"safe {language}" in row.text_content()]
    item_id = str(row.get("data-id"))
    assert on_moto.item(item_id)["status"] == "READY"
    words = reader.item(item_id, "?edit=words").form("/change/words")
    assert "Leases" in reader.send(words, title="Leases").words("h1")
    assert reader.look("/my").tree.cssselect(".row")


def test_foreign_form_and_unknown_reader_change_nothing(on_moto: World) -> None:
    item_id = on_moto.capture(process=False)
    before = on_moto.row(item_id)
    foreign = Reader(on_moto).ask("POST", f"/my/items/{item_id}/do/archive", origin="https://evil.example")
    stranger = Reader(on_moto, token="").ask("GET", f"/my/items/{item_id}")
    assert foreign.status == 403
    assert stranger.status in (303, 401)
    assert on_moto.row(item_id) == before
