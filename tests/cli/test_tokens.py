"""Tokens: the secret is shown once, and one does not lock oneself out by mistake."""

import json

from .conftest import Person, too_wide
from .product import Product
from .server import LOSE, Fault, Server
from .wire import Reply


def token(**more: object) -> dict[str, object]:
    about = {"id": "a1b2c3", "name": "电脑上的脚本", "scopes": ["read", "write"], "created_at": "2026-11-01T00:00:00Z"}
    return {**about, "expires_at": "2026-11-20T00:00:00Z", "current": True, **more}


def test_the_secret_alone_comes_out(person: Person, server: Server) -> None:
    result = person.run("token", "create", "laptop", "--scope", "read", "--days", "30")
    assert server.writes[0].body == {"name": "laptop", "scopes": ["read"], "days": 30}
    assert result.stdout == "rdo_new\n"
    assert "not shown again" in result.stderr
    person.run("token", "create", "laptop")
    assert server.writes[1].body == {"name": "laptop"}


def test_a_secret_that_was_lost_on_the_way_is_said_to_be(person: Person, server: Server) -> None:
    server.faults = [Fault(LOSE, "POST"), Fault(Reply(200, {"token": token(id="t0")}), "POST")]
    result = person.run("token", "create", "laptop")
    assert result.exit_code == 1
    assert "readdo token revoke t0" in result.stderr


def test_the_list(person: Person, product: Product) -> None:
    product.tokens = [token(), token(id="z", name="n" * 200, current=False)]
    assert person.run("token", "list").stdout.splitlines()[0].split("\t") == [
        "a1b2c3",
        "电脑上的脚本",
        "read,write",
        "2026-11-20T00:00:00Z",
        "in use",
    ]
    person.live = True
    shown = person.run("token", "list").stdout
    assert "in use" in shown
    assert too_wide(shown) == []
    assert json.loads(person.run("token", "list", "--json").stdout) == {"tokens": product.tokens}


def test_the_token_in_use_is_not_revoked_by_mistake(person: Person, product: Product) -> None:
    product.tokens = [token(), token(id="z", current=False)]
    assert person.run("token", "revoke", "a1b2c3").exit_code == 2
    person.live = True
    assert person.run("token", "revoke", "a1b2c3", stdin="n\n").exit_code == 1
    assert len(product.tokens) == 2
    assert person.run("token", "revoke", "z").exit_code == 0
    assert person.run("token", "revoke", "a1b2c3", "--yes").exit_code == 0
    assert product.tokens == []
    assert person.run("token", "revoke", "a1b2c3", "--yes").exit_code == 3


def test_a_revoked_token_may_live_for_a_minute_and_that_is_said(person: Person, product: Product) -> None:
    product.tokens = [token(current=False)]
    assert "up to a minute" in person.run("token", "revoke", "a1b2c3").stderr
    assert "up to a minute" in " ".join(person.run("token", "revoke", "--help").stdout.split())
