"""Where Read→Do is, and whose token goes there."""

import json
from pathlib import Path

import pytest

from .conftest import Person
from .product import Product
from .samples import EN
from .server import TOKEN, Server


@pytest.fixture
def local(person: Person, server: Server, product: Product) -> Person:
    """One at whose project `make run` has written where it is."""
    product.add(EN)
    home = person.home / ".local"
    home.mkdir()
    (home / "endpoint.json").write_text(json.dumps({"url": server.url, "token": TOKEN}))
    person.environ = {"READDO_URL": "", "READDO_TOKEN": ""}
    return person


def test_the_file_of_make_run(local: Person) -> None:
    assert local.run("show", EN).exit_code == 0


def test_it_may_lie_where_READDO_LOCAL_says(local: Person, tmp_path: Path) -> None:  # noqa: N802
    (local.home / ".local").rename(tmp_path / "other")
    assert local.run("show", EN).exit_code == 5
    local.environ["READDO_LOCAL"] = str(tmp_path / "other")
    assert local.run("show", EN).exit_code == 0


def test_the_environment_comes_before_the_file_and_the_line_before_both(local: Person, server: Server) -> None:
    local.environ |= {"READDO_URL": "http://127.0.0.1:1", "READDO_TOKEN": "wrong"}
    assert local.run("show", EN).exit_code == 5
    assert local.run("show", EN, "--url", server.url).exit_code == 6
    assert local.run("--token", TOKEN, "show", EN, "--url", server.url + "/").exit_code == 0
    assert local.run("--url", server.url, "--token", TOKEN, "show", EN).exit_code == 0


def test_the_files_token_goes_to_no_other_address(local: Person, server: Server) -> None:
    result = local.run("show", EN, "--url", server.url)
    assert (result.exit_code, server.asked) == (2, [])
    assert "READDO_TOKEN" in result.stderr


def test_another_token_for_the_files_address(local: Person) -> None:
    local.environ["READDO_TOKEN"] = "another"
    assert local.run("show", EN).exit_code == 6


def test_nobody_there_says_how_to_start_it(local: Person, person: Person) -> None:
    (local.home / ".local/endpoint.json").unlink()
    result = person.run("list")
    assert (result.exit_code, "make run" in result.stderr) == (5, True)


@pytest.mark.parametrize("text", ["", "[]", '{"url": 1}', "{"])
def test_a_broken_file_says_so(local: Person, text: str) -> None:
    (local.home / ".local/endpoint.json").write_text(text)
    result = local.run("list")
    assert (result.exit_code, "endpoint.json cannot be read" in result.stderr) == (1, True)


@pytest.mark.parametrize("url", ["readdo.example.com", "ftp://example.com", "/etc"])
def test_an_address_must_be_one(person: Person, url: str) -> None:
    assert person.run("list", "--url", url).exit_code == 2


def test_capture_has_a_url_of_its_own(local: Person, server: Server) -> None:
    """After `capture` it is the text's source; before it, the server."""
    local.run("--url", server.url, "--token", TOKEN, "capture", "-", "--url", "https://a.example", "-i", "w", stdin="t")
    assert server.writes[0].body["url"] == "https://a.example"
