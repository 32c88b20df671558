"""Names of items on the command line: ids, parts of ids, and @."""

import pytest

from .conftest import User
from .product import Product
from .samples import EN, ZH
from .server import Server


@pytest.fixture(autouse=True)
def items(product: Product) -> None:
    product.add(EN)
    product.add(ZH)


@pytest.mark.parametrize("name", [ZH, ZH.lower(), "QBGH", "9nqbgh", "01M7QBHEZG", "@", "@1"])
def test_item_is_named_by_id_part_of_id_or_at_sign(user: User, server: Server, name: str) -> None:
    assert user.run("ship", name).exit_code == 0
    assert server.writes[-1].path == f"/items/{ZH}/ship"


def test_at_2_names_the_item_before_the_newest(user: User, server: Server) -> None:
    user.run("ship", "@2")
    assert server.writes[-1].path == f"/items/{EN}/ship"


def test_ambiguous_letters_are_read_as_crockford_digits(user: User, product: Product, server: Server) -> None:
    product.add("01M7QBHF05EB73YRTCVZMH1010")
    user.run("ship", "HIOl0")
    assert server.writes[-1].path == "/items/01M7QBHF05EB73YRTCVZMH1010/ship"


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("01M7QBHE", 2, "matches 2 items"),
        ("BGH", 2, "at least 4 characters"),
        ("Q BGH", 2, "is not an id"),
        ("../items", 2, "is not an id"),
        ("@0", 2, "out of range"),
        ("@3", 3, "There are only 2 items"),
        ("xxxx", 3, "No item has an id that begins or ends with 'xxxx'"),
        ("01M7QBHEZG4RPPBRJDYZ9NQBGX", 3, "does not exist"),
    ],
)
def test_invalid_or_ambiguous_name_is_reported(user: User, server: Server, name: str, code: int, words: str) -> None:
    result = user.run("ship", name)
    assert result.exit_code == code
    assert words in result.stderr
    assert [request for request in server.writes if EN in request.path] == []


def test_ambiguous_name_lists_its_matches(user: User) -> None:
    stderr = user.run("show", "01M7QBHE").stderr
    assert EN in stderr
    assert ZH in stderr
    assert "围栏令牌的实践" in stderr


def test_short_name_is_checked_against_all_items(user: User, product: Product, server: Server) -> None:
    product.page = 1
    product.add("0" * 22 + "QBGH")
    result = user.run("show", "QBGH")
    assert (result.exit_code, "matches 2 items" in result.stderr) == (2, True)
    before = len(server.requests)
    assert user.run("open", "9NQBGH").exit_code == 0
    assert len(server.requests) - before == 2, "the end that the list shows is found without reading the whole list"


def test_at_sign_without_items_is_not_found(user: User, product: Product) -> None:
    product.items.clear()
    result = user.run("show", "@")
    assert (result.exit_code, "No items yet" in result.stderr) == (3, True)
