"""readdo webhook: a secret printed once, test deliveries, and lists."""

import json

from .conftest import User, too_wide
from .product import Product
from .server import Server

URL = "https://hooks.example.com/readdo"


def test_create_prints_only_the_secret(user: User, server: Server) -> None:
    result = user.run("webhook", "add", URL, "--event", "ready", "--event", "FAILED_*")
    assert server.writes[0].body == {"url": URL, "events": ["READY", "FAILED_*"]}
    assert result.stdout == "rdw_new\n"
    assert "not shown again" in result.stderr
    user.run("webhook", "add", URL)
    assert server.writes[1].body == {"url": URL, "events": ["*"]}
    assert user.run("webhook", "add", URL, "--event", "sometimes").exit_code == 2


def test_webhook_list_is_printed_for_pipes_and_terminals(user: User, product: Product) -> None:
    user.run("webhook", "add", f"{URL}/{'长' * 60}")
    product.hooks[0] |= {"status": "DISABLED", "problem": "It answered \x1b[2J410."}
    (row,) = user.run("webhook", "list").stdout.splitlines()
    assert row.split("\t") == [product.hooks[0]["id"], "DISABLED", "*", product.hooks[0]["url"], "It answered 410."]
    assert json.loads(user.run("webhook", "list", "--json").stdout) == {"webhooks": product.hooks}
    user.live = True
    output = user.run("webhook", "list").stdout
    assert "DISABLED" in output
    assert too_wide(output) == []


def test_webhook_test_waits_for_its_first_attempt(user: User, product: Product) -> None:
    user.run("webhook", "add", URL)
    tail = product.hooks[0]["id"][-6:].lower()

    def answered(status: str, message: str) -> None:
        product.deliveries[0] |= {"status": status, "attempts": [{"at": "", "message": message}]}

    user.on_wait = lambda: answered("DELIVERED", "hooks.example.com answered 204.")
    result = user.run("webhook", "test", tail)
    assert (result.exit_code, "Delivered: hooks.example.com answered 204." in result.stderr) == (0, True)
    user.on_wait = lambda: answered("WAITING", "hooks.example.com answered 500.")
    product.deliveries.clear()
    result = user.run("webhook", "test", tail)
    assert (result.exit_code, "Not delivered: hooks.example.com answered 500." in result.stderr) == (1, True)
    assert product.deliveries[0]["id"] in user.run("webhook", "deliveries", tail).stdout


def test_webhook_is_paused_resumed_redelivered_and_removed(user: User, product: Product, server: Server) -> None:
    user.run("webhook", "add", URL)
    hook = product.hooks[0]["id"]
    assert "PAUSED" in user.run("webhook", "pause", hook).stdout
    assert "ACTIVE" in user.run("webhook", "resume", hook).stdout
    assert user.run("webhook", "redeliver", hook, "01M7DV00000000000000000000").exit_code == 0
    assert server.writes[-1].path == f"/webhooks/{hook}/deliveries/01M7DV00000000000000000000/redeliver"
    assert user.run("webhook", "remove", hook).exit_code == 0
    assert product.hooks == []


def test_missing_webhook_is_not_found(user: User) -> None:
    for _ in range(2):
        user.run("webhook", "add", URL)
    missing = user.run("webhook", "test", "ZZZZ")
    assert (missing.exit_code, "Webhook ZZZZ was not found." in missing.stderr) == (3, True)
    both = user.run("webhook", "remove", "")
    assert both.exit_code == 3
