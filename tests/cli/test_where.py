"""The product's address and token: from the file, the environment or the options."""

import json
from pathlib import Path

import pytest

from .conftest import User
from .product import Product
from .samples import EN
from .server import TOKEN, Server


@pytest.fixture
def local(user: User, server: Server, product: Product) -> User:
    """A user whose `make run` has written the endpoint file."""
    product.add(EN)
    home = user.home / ".local"
    home.mkdir()
    (home / "endpoint.json").write_text(json.dumps({"url": server.url, "token": TOKEN}))
    user.environ = {"READDO_URL": "", "READDO_TOKEN": ""}
    return user


def test_endpoint_file_of_make_run_is_used(local: User) -> None:
    assert local.run("show", EN).exit_code == 0


def test_readdo_local_sets_the_endpoint_folder(local: User, tmp_path: Path) -> None:
    (local.home / ".local").rename(tmp_path / "other")
    assert local.run("show", EN).exit_code == 5
    local.environ["READDO_LOCAL"] = str(tmp_path / "other")
    assert local.run("show", EN).exit_code == 0


def test_options_override_the_environment_which_overrides_the_file(local: User, server: Server) -> None:
    local.environ |= {"READDO_URL": "http://127.0.0.1:1", "READDO_TOKEN": "wrong"}
    assert local.run("show", EN).exit_code == 5
    assert local.run("show", EN, "--url", server.url).exit_code == 6
    assert local.run("--token", TOKEN, "show", EN, "--url", server.url + "/").exit_code == 0
    assert local.run("--url", server.url, "--token", TOKEN, "show", EN).exit_code == 0


def test_token_of_the_file_is_not_sent_to_another_address(local: User, server: Server) -> None:
    result = local.run("show", EN, "--url", server.url)
    assert (result.exit_code, server.requests) == (2, [])
    assert "READDO_TOKEN" in result.stderr


def test_token_of_the_environment_is_sent_to_the_files_address(local: User) -> None:
    local.environ["READDO_TOKEN"] = "another"
    assert local.run("show", EN).exit_code == 6


def test_missing_endpoint_prints_how_to_start_the_product(local: User, user: User) -> None:
    (local.home / ".local/endpoint.json").unlink()
    result = user.run("list")
    assert (result.exit_code, "make run" in result.stderr) == (5, True)


@pytest.mark.parametrize("text", ["", "[]", '{"url": 1}', "{"])
def test_broken_endpoint_file_is_reported(local: User, text: str) -> None:
    (local.home / ".local/endpoint.json").write_text(text)
    result = local.run("list")
    assert (result.exit_code, "endpoint.json cannot be read" in result.stderr) == (1, True)


@pytest.mark.parametrize("url", ["readdo.example.com", "ftp://example.com", "/etc"])
def test_invalid_address_is_rejected(user: User, url: str) -> None:
    assert user.run("list", "--url", url).exit_code == 2


def test_capture_has_its_own_url_option(local: User, server: Server) -> None:
    """After `capture` the option is the text's source; before it, the server."""
    local.run("--url", server.url, "--token", TOKEN, "capture", "-", "--url", "https://a.example", "-i", "w", stdin="t")
    assert server.writes[0].body["url"] == "https://a.example"
