"""Webhooks from the terminal: a secret printed once, a test that says how it went, tables for people and for pipes."""

import json

from .conftest import Person, too_wide
from .product import Product
from .server import Server

URL = "https://hooks.example.com/readdo"


def test_the_secret_alone_comes_out(person: Person, server: Server) -> None:
    result = person.run("webhook", "add", URL, "--event", "ready", "--event", "FAILED_*")
    assert server.writes[0].body == {"url": URL, "events": ["READY", "FAILED_*"]}
    assert result.stdout == "rdw_new\n"
    assert "not shown again" in result.stderr
    person.run("webhook", "add", URL)
    assert server.writes[1].body == {"url": URL, "events": ["*"]}
    assert person.run("webhook", "add", URL, "--event", "sometimes").exit_code == 2


def test_the_list_for_a_pipe_for_a_person_and_as_it_came(person: Person, product: Product) -> None:
    person.run("webhook", "add", f"{URL}/{'长' * 60}")
    product.hooks[0] |= {"status": "DISABLED", "problem": "It answered \x1b[2J410."}
    (row,) = person.run("webhook", "list").stdout.splitlines()
    assert row.split("\t") == [product.hooks[0]["id"], "DISABLED", "*", product.hooks[0]["url"], "It answered 410."]
    assert json.loads(person.run("webhook", "list", "--json").stdout) == {"webhooks": product.hooks}
    person.live = True
    shown = person.run("webhook", "list").stdout
    assert "DISABLED" in shown
    assert too_wide(shown) == []


def test_a_test_waits_for_its_first_try_and_says_how_it_went(person: Person, product: Product) -> None:
    person.run("webhook", "add", URL)
    tail = product.hooks[0]["id"][-6:].lower()

    def answered(status: str, message: str) -> None:
        product.deliveries[0] |= {"status": status, "attempts": [{"at": "", "message": message}]}

    person.on_wait = lambda: answered("DELIVERED", "hooks.example.com answered 204.")
    result = person.run("webhook", "test", tail)
    assert (result.exit_code, "Arrived: hooks.example.com answered 204." in result.stderr) == (0, True)
    person.on_wait = lambda: answered("WAITING", "hooks.example.com answered 500.")
    product.deliveries.clear()
    result = person.run("webhook", "test", tail)
    assert (result.exit_code, "Not arrived: hooks.example.com answered 500." in result.stderr) == (1, True)
    assert product.deliveries[0]["id"] in person.run("webhook", "deliveries", tail).stdout


def test_paused_resumed_sent_again_and_removed(person: Person, product: Product, server: Server) -> None:
    person.run("webhook", "add", URL)
    hook = product.hooks[0]["id"]
    assert "PAUSED" in person.run("webhook", "pause", hook).stdout
    assert "ACTIVE" in person.run("webhook", "resume", hook).stdout
    assert person.run("webhook", "redeliver", hook, "01M7DV00000000000000000000").exit_code == 0
    assert server.writes[-1].path == f"/webhooks/{hook}/deliveries/01M7DV00000000000000000000/redeliver"
    assert person.run("webhook", "remove", hook).exit_code == 0
    assert product.hooks == []


def test_one_that_is_not_there_or_is_two(person: Person) -> None:
    for _ in range(2):
        person.run("webhook", "add", URL)
    missing = person.run("webhook", "test", "ZZZZ")
    assert (missing.exit_code, "There is no webhook ZZZZ." in missing.stderr) == (3, True)
    both = person.run("webhook", "remove", "")
    assert both.exit_code == 3
