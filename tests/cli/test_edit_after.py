"""readdo edit without an editor: the item's fields, the next step, and restoring the original."""

import pytest

from .conftest import User
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
def test_fields_are_sent_with_the_items_etag(
    user: User, product: Product, server: Server, what: str, stdin: str, body: dict[str, str]
) -> None:
    product.add(EN, "FAILED_EXTRACTION")
    result = user.run("edit", EN, what, "--from", "-", stdin=stdin)
    [request] = server.writes
    assert (request.method, request.body, request.headers["If-Match"]) == ("PATCH", body, '"9-ab"')
    assert result.stdout == f"Saved the {what}.\n"
    assert "Used from the next run: readdo retry B0MA8N" in result.stderr


def test_undo_restores_the_original(user: User, product: Product, server: Server) -> None:
    product.add(EN, edited=["card"])
    assert user.run("edit", EN, "card", "--undo").exit_code == 0
    assert (server.writes[0].method, server.writes[0].path) == ("DELETE", f"/items/{EN}/artifacts/card/user")
    assert user.run("edit", EN, "intent", "--undo").exit_code == 2
    assert user.run("edit", EN, "title", "--as-json").exit_code == 2


@pytest.mark.parametrize("what", ["intent", "title", "language", "content", "profile"])
@pytest.mark.parametrize(
    ("status", "following"),
    [
        (
            "SHIPPED",
            ": readdo archive B0MA8N, then readdo unarchive B0MA8N --regenerate",
        ),
        ("READY", ": readdo regenerate B0MA8N"),
        ("FAILED_EXTRACTION", ": readdo retry B0MA8N"),
        ("CAPTURED", ": readdo process B0MA8N"),
    ],
)
def test_edit_prints_the_next_step_for_the_state(
    user: User, product: Product, what: str, status: str, following: str
) -> None:
    product.add(EN, status)
    result = user.run("edit", EN, what, "--from", "-", stdin="zh")
    assert f"Used from the next run{following}\n" in result.stderr


def test_undo_without_an_edit_sends_nothing(user: User, product: Product, server: Server) -> None:
    product.add(EN, edited=["todos"])
    result = user.run("edit", EN, "summary", "--undo")
    assert (result.exit_code, result.stderr) == (0, "You have not edited the summary.\n")
    assert server.writes == []


@pytest.mark.parametrize(
    ("edited", "message"),
    [
        (["todos"], "Restored the original todos"),
        (["summary"], "Restored the original summary"),
        (["card", "summary", "todos"], "Restored the original summary, todos and card"),
        ([], "You have not edited this item."),
    ],
)
def test_undo_without_a_kind_restores_all_edits(
    user: User, product: Product, server: Server, edited: list[str], message: str
) -> None:
    product.add(EN, edited=edited or None)
    result = user.run("edit", EN, "--undo")
    assert (result.exit_code, message in result.stderr) == (0, True)
    assert sorted(request.path.split("/")[4] for request in server.writes) == edited
    assert "edited" not in product.items[EN]


def test_empty_stdin_changes_nothing(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    result = user.run("edit", EN, "intent", "--from", "-", stdin="")
    assert (result.exit_code, result.stderr) == (2, "✗ stdin is empty, so nothing was changed.\n")
    assert server.writes == []
