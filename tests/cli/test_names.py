"""Which item is meant."""

import pytest

from .conftest import Person
from .product import Product
from .samples import EN, ZH
from .server import Server


@pytest.fixture(autouse=True)
def items(product: Product) -> None:
    product.add(EN)
    product.add(ZH)


@pytest.mark.parametrize("name", [ZH, ZH.lower(), "QBGH", "9nqbgh", "01M7QBHEZG", "@", "@1"])
def test_a_whole_id_an_end_a_beginning_or_the_newest(person: Person, server: Server, name: str) -> None:
    assert person.run("ship", name).exit_code == 0
    assert server.writes[-1].path == f"/items/{ZH}/ship"


def test_the_one_before(person: Person, server: Server) -> None:
    person.run("ship", "@2")
    assert server.writes[-1].path == f"/items/{EN}/ship"


def test_letters_that_no_id_has_are_read_as_those_they_look_like(
    person: Person, product: Product, server: Server
) -> None:
    product.add("01M7QBHF05EB73YRTCVZMH1010")
    person.run("ship", "HIOl0")
    assert server.writes[-1].path == "/items/01M7QBHF05EB73YRTCVZMH1010/ship"


@pytest.mark.parametrize(
    ("name", "code", "words"),
    [
        ("01M7QBHE", 2, "could be 2 items"),
        ("BGH", 2, "at least 4 letters"),
        ("Q BGH", 2, "is no id"),
        ("../items", 2, "is no id"),
        ("@0", 2, "out of reach"),
        ("@3", 3, "There are only 2 items"),
        ("xxxx", 3, "No item's id begins or ends with 'xxxx'"),
        ("01M7QBHEZG4RPPBRJDYZ9NQBGX", 3, "There is no such item"),
    ],
)
def test_what_is_not_one_item_is_told(person: Person, server: Server, name: str, code: int, words: str) -> None:
    result = person.run("ship", name)
    assert result.exit_code == code
    assert words in result.stderr
    assert [asked for asked in server.writes if EN in asked.path] == []


def test_an_ambiguous_name_lists_which(person: Person) -> None:
    told = person.run("show", "01M7QBHE").stderr
    assert EN in told
    assert ZH in told
    assert "围栏令牌的实践" in told


def test_a_short_name_is_looked_for_everywhere_so_that_it_is_the_only_one(
    person: Person, product: Product, server: Server
) -> None:
    product.page = 1
    product.add("0" * 22 + "QBGH")
    result = person.run("show", "QBGH")
    assert (result.exit_code, "could be 2 items" in result.stderr) == (2, True)
    before = len(server.asked)
    assert person.run("open", "9NQBGH").exit_code == 0
    assert len(server.asked) - before == 2, "the end that the list shows is found without reading the whole list"


def test_an_empty_list_has_no_newest(person: Person, product: Product) -> None:
    product.items.clear()
    result = person.run("show", "@")
    assert (result.exit_code, "There is no item yet" in result.stderr) == (3, True)
