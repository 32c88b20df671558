"""The buttons of each item state follow from the table, and each works as a plain form."""

import pytest

from support.page_items import ITEM_BUILDERS, item_in
from support.reader import Reader
from support.world import World

# state → the main button and the other buttons that must be present
BUTTONS = {
    "CAPTURED": ("process", {"archive", "delete"}),
    "READY": ("export", {"regenerate", "ship", "archive", "delete"}),
    "FAILED_EXTRACTION": ("retry", {"archive"}),
    "FAILED_AI": ("retry", {"archive"}),
    "FAILED_EXPORT": ("export", {"archive", "process"}),
    "SHIPPED": ("export", {"archive"}),
    "ARCHIVED": ("unarchive", {"regenerate"}),
}
# state, button → next state
MOVES = [
    ("CAPTURED", "process", "READY"),
    ("CAPTURED", "archive", "ARCHIVED"),
    ("READY", "export", "SHIPPED"),
    ("READY", "regenerate", "READY"),
    ("READY", "ship", "SHIPPED"),
    ("READY", "archive", "ARCHIVED"),
    ("FAILED_EXTRACTION", "archive", "ARCHIVED"),
    ("FAILED_AI", "retry", "READY"),
    ("FAILED_EXPORT", "export", "SHIPPED"),
    ("FAILED_EXPORT", "process", "READY"),
    ("SHIPPED", "archive", "ARCHIVED"),
    ("ARCHIVED", "unarchive", "READY"),
    ("ARCHIVED", "regenerate", "READY"),
]


def test_table_covers_every_resting_state() -> None:
    assert set(BUTTONS) == set(ITEM_BUILDERS)


@pytest.mark.parametrize("status", BUTTONS)
def test_item_page_has_the_buttons_of_its_state(world: World, reader: Reader, status: str) -> None:
    item_id = item_in(world, status)
    main, others = BUTTONS[status]
    page = reader.item(item_id)
    offered = {a["action"] for a in world.api("GET", f"/items/{item_id}").json["available_actions"]}
    forms = {
        str(form.get("action")).rsplit("/do/", 1)[-1] for form in page.tree.forms if "/do/" in form.get("action", "")
    }
    assert others | {main} <= forms
    assert forms <= offered
    (marked,) = {
        str(button.getparent().get("action") or "").rsplit("/", 1)[-1] if button.tag == "button" else "export"
        for button in page.tree.cssselect(".buttons.wide .main")
    }
    assert marked == main


@pytest.mark.parametrize(("status", "button", "next_status"), MOVES)
def test_button_moves_to_its_next_state(
    world: World, english: Reader, status: str, button: str, next_status: str
) -> None:
    item_id = item_in(world, status)
    runs = len([entry for entry in world.row(item_id)["history"] if entry["to"] == "QUEUED"])
    page = english.send(english.item(item_id).form(f"/do/{button}"))
    assert (page.status, page.words(".flash") != "") == (200, True)
    assert world.settled(item_id)["status"] == next_status
    again = len([entry for entry in world.row(item_id)["history"] if entry["to"] == "QUEUED"])
    assert (again > runs) == (button in ("process", "regenerate", "retry"))


def test_archive_from_the_inbox_can_be_undone(world: World, reader: Reader) -> None:
    item_id = item_in(world, "READY")
    page = reader.send(reader.look("/my").form(f"/my/items/{item_id}/do/archive"))
    assert page.path.startswith("/my?done=archive")
    assert world.item(item_id)["status"] == "ARCHIVED"
    reader.send(page.form(f"/my/items/{item_id}/do/unarchive"))
    assert world.item(item_id)["status"] == "READY"


def test_late_button_shows_a_conflict_and_changes_nothing(world: World, english: Reader) -> None:
    item_id = item_in(world, "CAPTURED")
    form = english.item(item_id).form("/do/process")
    world.api("POST", f"/items/{item_id}/archive", {})
    before = world.row(item_id)
    page = english.send(form)
    assert page.status == 409
    assert "archived" in page.words('[role="alert"]')
    assert world.row(item_id) == before


def test_delete_removes_the_item(world: World, reader: Reader) -> None:
    item_id = item_in(world, "READY")
    page = reader.send(reader.item(item_id).form("/do/delete"))
    assert page.path.startswith("/my?done=delete")
    assert reader.item(item_id).status == 404
    assert item_id not in page.text


def test_export_without_a_picture_ships_the_item(world: World, reader: Reader) -> None:
    item_id = item_in(world, "FAILED_EXPORT")
    page = reader.item(item_id)
    (form,) = [f for f in page.tree.forms if dict(f.form_values()) == {"formats": "caption"}]
    reader.send(form)
    assert world.settled(item_id)["status"] == "SHIPPED"
    done = [e for e in world.api("GET", f"/items/{item_id}").json["exports"] if e["status"] == "DONE"]
    assert [file["type"] for file in done[-1]["payload"]["files"]] == ["md", "caption"]


def test_repeated_export_choice_reuses_the_export_and_links_its_files(world: World, reader: Reader) -> None:
    item_id = item_in(world, "READY")
    for _ in range(2):
        reader.send(reader.item(item_id).form("/do/export"), formats=["md", "caption"], theme="DARK")
        world.settle()
    (export,) = world.api("GET", f"/items/{item_id}").json["exports"]
    assert (export["meta"]["theme"], export["meta"]["formats"]) == ("DARK", ["md", "caption"])
    page = reader.item(item_id)
    answer = reader.ask("GET", page.tree.cssselect(".files a")[0].get("href"))
    assert answer.status == 302
    assert "X-Amz-Signature" in answer.headers["location"] or "Signature=" in answer.headers["location"]
    assert reader.ask("GET", f"/my/files/{item_id}/{export['payload']['export_key']}/nothing.md").status == 404
