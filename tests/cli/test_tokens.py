"""readdo token: the secret is shown once, and the current token is not revoked by mistake."""

import json

from .conftest import User, too_wide
from .product import Product
from .server import LOSE, Fault, Server
from .wire import Reply


def token(**more: object) -> dict[str, object]:
    about = {"id": "a1b2c3", "name": "电脑上的脚本", "scopes": ["read", "write"], "created_at": "2026-11-01T00:00:00Z"}
    return {**about, "expires_at": "2026-11-20T00:00:00Z", "current": True, **more}


def test_create_prints_only_the_secret(user: User, server: Server) -> None:
    result = user.run("token", "create", "laptop", "--scope", "read", "--days", "30")
    assert server.writes[0].body == {"name": "laptop", "scopes": ["read"], "days": 30}
    assert result.stdout == "rdo_new\n"
    assert "not shown again" in result.stderr
    user.run("token", "create", "laptop")
    assert server.writes[1].body == {"name": "laptop"}


def test_lost_secret_is_reported(user: User, server: Server) -> None:
    server.faults = [Fault(LOSE, "POST"), Fault(Reply(200, {"token": token(id="t0")}), "POST")]
    result = user.run("token", "create", "laptop")
    assert result.exit_code == 1
    assert "readdo token revoke t0" in result.stderr


def test_token_list_is_printed_for_pipes_and_terminals(user: User, product: Product) -> None:
    product.tokens = [token(), token(id="z", name="n" * 200, current=False)]
    assert user.run("token", "list").stdout.splitlines()[0].split("\t") == [
        "a1b2c3",
        "电脑上的脚本",
        "read,write",
        "2026-11-20T00:00:00Z",
        "in use",
    ]
    user.live = True
    output = user.run("token", "list").stdout
    assert "in use" in output
    assert too_wide(output) == []
    assert json.loads(user.run("token", "list", "--json").stdout) == {"tokens": product.tokens}


def test_revoke_of_the_current_token_needs_a_confirmation(user: User, product: Product) -> None:
    product.tokens = [token(), token(id="z", current=False)]
    assert user.run("token", "revoke", "a1b2c3").exit_code == 2
    user.live = True
    assert user.run("token", "revoke", "a1b2c3", stdin="n\n").exit_code == 1
    assert len(product.tokens) == 2
    assert user.run("token", "revoke", "z").exit_code == 0
    assert user.run("token", "revoke", "a1b2c3", "--yes").exit_code == 0
    assert product.tokens == []
    assert user.run("token", "revoke", "a1b2c3", "--yes").exit_code == 3


def test_revoke_mentions_the_cache_of_a_minute(user: User, product: Product) -> None:
    product.tokens = [token(current=False)]
    assert "up to a minute" in user.run("token", "revoke", "a1b2c3").stderr
    assert "up to a minute" in " ".join(user.run("token", "revoke", "--help").stdout.split())
