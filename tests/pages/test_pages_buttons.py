"""Each state's buttons are those of the table, and each does what it says, by a form alone."""

import pytest
from page_items import IN, item_in

from support.reader import Reader
from support.world import World

# state → the main button, and what must be there besides
BUTTONS = {
    "CAPTURED": ("process", {"archive", "delete"}),
    "READY": ("export", {"regenerate", "ship", "archive", "delete"}),
    "FAILED_EXTRACTION": ("retry", {"archive"}),
    "FAILED_AI": ("retry", {"archive"}),
    "FAILED_EXPORT": ("export", {"archive", "process"}),
    "SHIPPED": ("export", {"archive"}),
    "ARCHIVED": ("unarchive", {"regenerate"}),
}
# state, button → the state that it leads to
LEADS = [
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


def test_the_table_above_knows_every_state_at_rest() -> None:
    assert set(BUTTONS) == set(IN)


@pytest.mark.parametrize("status", BUTTONS)
def test_the_buttons_of_a_state(shared: World, reader: Reader, status: str) -> None:
    item_id = item_in(shared, status)
    main, others = BUTTONS[status]
    page = reader.item(item_id)
    offered = {a["action"] for a in shared.api("GET", f"/items/{item_id}").json["available_actions"]}
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


@pytest.mark.parametrize(("status", "button", "then"), LEADS)
def test_a_button_does_what_it_says(shared: World, english: Reader, status: str, button: str, then: str) -> None:
    item_id = item_in(shared, status)
    runs = len([entry for entry in shared.row(item_id)["history"] if entry["to"] == "QUEUED"])
    page = english.send(english.item(item_id).form(f"/do/{button}"))
    assert (page.status, page.words(".flash") != "") == (200, True)
    assert shared.settled(item_id)["status"] == then
    again = len([entry for entry in shared.row(item_id)["history"] if entry["to"] == "QUEUED"])
    assert (again > runs) == (button in ("process", "regenerate", "retry"))


def test_what_was_archived_from_the_inbox_can_be_undone_there(shared: World, reader: Reader) -> None:
    item_id = item_in(shared, "READY")
    page = reader.send(reader.look("/my").form(f"/my/items/{item_id}/do/archive"))
    assert page.path.startswith("/my?done=archive")
    assert shared.item(item_id)["status"] == "ARCHIVED"
    reader.send(page.form(f"/my/items/{item_id}/do/unarchive"))
    assert shared.item(item_id)["status"] == "READY"


def test_a_button_that_came_too_late_says_so_and_does_nothing(shared: World, english: Reader) -> None:
    item_id = item_in(shared, "CAPTURED")
    form = english.item(item_id).form("/do/process")
    shared.api("POST", f"/items/{item_id}/archive", {})
    before = shared.row(item_id)
    page = english.send(form)
    assert page.status == 409
    assert "archived" in page.words('[role="alert"]')
    assert shared.row(item_id) == before


def test_delete_takes_the_item_away(shared: World, reader: Reader) -> None:
    item_id = item_in(shared, "READY")
    page = reader.send(reader.item(item_id).form("/do/delete"))
    assert page.path.startswith("/my?done=delete")
    assert reader.item(item_id).status == 404
    assert item_id not in page.text


def test_export_without_a_picture(shared: World, reader: Reader) -> None:
    item_id = item_in(shared, "FAILED_EXPORT")
    page = reader.item(item_id)
    (form,) = [f for f in page.tree.forms if dict(f.form_values()) == {"formats": "caption"}]
    reader.send(form)
    assert shared.settled(item_id)["status"] == "SHIPPED"
    done = [e for e in shared.api("GET", f"/items/{item_id}").json["exports"] if e["status"] == "DONE"]
    assert [file["type"] for file in done[-1]["payload"]["files"]] == ["md", "caption"]


def test_the_files_of_an_export_are_a_click_away_and_the_same_choice_is_the_same_set(
    shared: World, reader: Reader
) -> None:
    item_id = item_in(shared, "READY")
    for _ in range(2):
        reader.send(reader.item(item_id).form("/do/export"), formats=["md", "caption"], theme="DARK")
        shared.settle()
    (one,) = shared.api("GET", f"/items/{item_id}").json["exports"]
    assert (one["meta"]["theme"], one["meta"]["formats"]) == ("DARK", ["md", "caption"])
    page = reader.item(item_id)
    answer = reader.ask("GET", page.tree.cssselect(".files a")[0].get("href"))
    assert answer.status == 302
    assert "X-Amz-Signature" in answer.headers["location"] or "Signature=" in answer.headers["location"]
    assert reader.ask("GET", f"/my/files/{item_id}/{one['payload']['export_key']}/nothing.md").status == 404
