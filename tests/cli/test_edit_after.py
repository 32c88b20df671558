"""Edits without an editor: the item's own words, what a change of them means, and the way back to the system's."""

import pytest

from .conftest import Person
from .product import Product
from .samples import EN
from .server import Server


@pytest.mark.parametrize(
    ("what", "stdin", "body"),
    [
        ("intent", "为了团队的\n分享", {"intent_text": "为了团队的分享"}),
        ("title", "A better title\n", {"title": "A better title"}),
        ("language", "zh", {"language": "zh"}),
        ("content", "# A heading\n\nThe text of the page.\n", {"content": "# A heading\n\nThe text of the page."}),
    ],
)
def test_the_items_own_words_are_sent_with_its_tag(
    person: Person, product: Product, server: Server, what: str, stdin: str, body: dict[str, str]
) -> None:
    product.add(EN, "FAILED_EXTRACTION")
    result = person.run("edit", EN, what, "--from", "-", stdin=stdin)
    [asked] = server.writes
    assert (asked.method, asked.body, asked.headers["If-Match"]) == ("PATCH", body, '"9-ab"')
    assert result.stdout == f"Saved: the {what}.\n"
    assert "It counts from the next run on: readdo retry B0MA8N" in result.stderr


def test_undo_shows_the_systems_again(person: Person, product: Product, server: Server) -> None:
    product.add(EN, edited=["card"])
    assert person.run("edit", EN, "card", "--undo").exit_code == 0
    assert (server.writes[0].method, server.writes[0].path) == ("DELETE", f"/items/{EN}/artifacts/card/user")
    assert person.run("edit", EN, "intent", "--undo").exit_code == 2
    assert person.run("edit", EN, "title", "--as-json").exit_code == 2


@pytest.mark.parametrize("what", ["intent", "title", "language", "content", "profile"])
@pytest.mark.parametrize(
    ("status", "following"),
    [
        (
            "SHIPPED",
            "; a shipped item is read anew by: readdo archive B0MA8N, then readdo unarchive B0MA8N --regenerate",
        ),
        ("READY", ": readdo regenerate B0MA8N"),
        ("FAILED_EXTRACTION", ": readdo retry B0MA8N"),
        ("CAPTURED", ": readdo process B0MA8N"),
    ],
)
def test_what_a_change_means_is_told_by_state(
    person: Person, product: Product, what: str, status: str, following: str
) -> None:
    product.add(EN, status)
    result = person.run("edit", EN, what, "--from", "-", stdin="zh")
    assert f"It counts from the next run on{following}\n" in result.stderr


def test_undo_of_what_was_never_changed_claims_nothing(person: Person, product: Product, server: Server) -> None:
    product.add(EN, edited=["todos"])
    result = person.run("edit", EN, "summary", "--undo")
    assert (result.exit_code, result.stderr) == (0, "There is no version of yours of the summary.\n")
    assert server.writes == []


@pytest.mark.parametrize(
    ("edited", "told"),
    [
        (["todos"], "The system's todos are shown again"),
        (["summary"], "The system's summary is shown again"),
        (["card", "summary", "todos"], "The system's summary, todos and card are shown again"),
        ([], "There is no version of yours of anything here."),
    ],
)
def test_undo_alone_drops_all_that_was_changed_and_names_it(
    person: Person, product: Product, server: Server, edited: list[str], told: str
) -> None:
    product.add(EN, edited=edited or None)
    result = person.run("edit", EN, "--undo")
    assert (result.exit_code, told in result.stderr) == (0, True)
    assert sorted(asked.path.split("/")[4] for asked in server.writes) == edited
    assert "edited" not in product.items[EN]


def test_an_empty_stdin_changes_nothing(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    result = person.run("edit", EN, "intent", "--from", "-", stdin="")
    assert (result.exit_code, result.stderr) == (2, "✗ stdin is empty: nothing is changed.\n")
    assert server.writes == []
