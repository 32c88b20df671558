"""Commands that move items: one call each, refusals with next steps, and batches."""

import json

import pytest

from .conftest import User, error_of
from .product import Product
from .samples import EN, ZH, failure
from .server import DROP, LOSE, Fault, Server


@pytest.mark.parametrize(
    ("args", "status", "call", "body", "after"),
    [
        (["process"], "CAPTURED", "process", {"mode": "PROCESS"}, "queued"),
        (
            ["process", "--profile", "creator"],
            "FAILED_AI",
            "process",
            {"mode": "PROCESS", "options": {"template_profile": "creator"}},
            "queued",
        ),
        (["retry"], "FAILED_AI", "process", {"mode": "RETRY"}, "queued"),
        (["regenerate"], "READY", "process", {"mode": "REGENERATE"}, "queued"),
        (["keep"], "FAILED_AI", "keep", {}, "ready"),
        (["ship"], "READY", "ship", {}, "shipped"),
        (["archive"], "READY", "archive", {}, "archived"),
        (["archive", "--reason", "done"], "READY", "archive", {"reason": "USER_ARCHIVE"}, "archived"),
        (["unarchive"], "ARCHIVED", "unarchive", {}, "ready"),
        (["unarchive", "--regenerate"], "ARCHIVED", "unarchive", {"regenerate": True}, "ready"),
    ],
)
def test_each_move_is_one_call(
    user: User,
    product: Product,
    server: Server,
    args: list[str],
    status: str,
    call: str,
    body: dict[str, object],
    after: str,
) -> None:
    product.add(EN, status)
    result = user.run(args[0], EN, *args[1:])
    assert result.exit_code == 0, result.stderr
    [request] = server.writes
    assert (request.path, request.body) == (f"/items/{EN}/{call}", body)
    assert result.stdout == f"{after}: Fencing tokens in practice\n"
    product.add(EN, status)
    assert json.loads(user.run(args[0], EN, *args[1:], "--json").stdout) == {"item": product.items[EN]}


def test_retried_move_has_the_same_key(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(LOSE, "POST", "/ship")]
    assert user.run("ship", EN).exit_code == 0
    first, second = server.writes
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    user.run("regenerate", EN)
    assert server.writes[-1].headers["Idempotency-Key"] != first.headers["Idempotency-Key"]


def test_refused_move_prints_the_available_commands(live_user: User, product: Product) -> None:
    product.add(EN, "SHIPPED")
    result = live_user.run("regenerate", EN)
    assert result.exit_code == 4
    assert result.stderr.splitlines() == [
        "✗ An item that is SHIPPED cannot be asked to regenerate.",
        "  To regenerate it: readdo archive B0MA8N, then readdo unarchive B0MA8N",
        "  --regenerate",
        "  What you can do now:",
        "    readdo export B0MA8N   create its card and files",
        "    readdo archive B0MA8N  archive it",
    ]
    live_user.live = False
    error = error_of(live_user.run("regenerate", EN, "--json"))
    assert error["code"] == "PROCESS_NOT_ALLOWED"
    assert [action["action"] for action in error["details"]["available_actions"]] == ["archive", "export"]


def test_process_with_watch_waits_for_the_end(user: User, product: Product) -> None:
    product.add(EN, "FAILED_AI", failure=failure("score"))
    product.upcoming[EN] = [{}, {"status": "READY"}]
    result = user.run("process", EN, "--watch")
    assert (result.exit_code, "Leases keep two workers" in result.stdout) == (0, True)


def test_several_items_are_moved_in_one_call(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    product.add(ZH, "PROCESSING")
    result = user.run("archive", EN, ZH, EN)
    [request] = server.writes
    assert (request.path, request.body) == ("/items/batch", {"ids": [EN, ZH], "action": "archive"})
    assert result.stdout == "B0MA8N  archived: Fencing tokens in practice\n"
    assert "9NQBGH  An item that is PROCESSING cannot be asked to archive." in result.stderr
    assert result.exit_code == 4


def test_several_items_with_options_are_moved_one_by_one(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    product.add(ZH, "PROCESSING")
    result = user.run("archive", EN, ZH, "--reason", "done", "--json")
    assert [request.body for request in server.writes] == [{"reason": "USER_ARCHIVE"}] * 2
    assert [entry["ok"] for entry in json.loads(result.stdout)["results"]] == [True, False]
    assert result.exit_code == 4


def test_more_than_a_hundred_items_are_moved_in_several_calls(user: User, product: Product, server: Server) -> None:
    ids = [f"01M7QBHF0000000000000{number:05}" for number in range(105)]
    for item_id in ids:
        product.add(item_id)
    result = user.run("archive", *ids, "--json")
    assert [len(request.body["ids"]) for request in server.writes] == [100, 5]
    assert len(json.loads(result.stdout)["results"]) == 105
    assert result.exit_code == 0


def test_delete_on_a_terminal_asks_for_confirmation(live_user: User, product: Product) -> None:
    product.add(EN)
    product.add(ZH)
    result = live_user.run("delete", EN, ZH, stdin="n\n")
    assert "Fencing tokens in practice" in result.stderr
    assert "围栏令牌的实践" in result.stderr
    assert "Delete these 2 items permanently" in result.stderr
    assert (result.exit_code, len(product.items)) == (1, 2)
    assert live_user.run("delete", EN, ZH, stdin="y\n").exit_code == 0
    assert product.items == {}


def test_delete_in_a_pipe_needs_yes(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    result = user.run("delete", EN)
    assert (result.exit_code, "confirmation: --yes" in result.stderr) == (2, True)
    assert server.writes == []
    assert user.run("delete", EN, "--yes").exit_code == 0
    assert product.items == {}


def test_delete_with_a_lost_response_succeeds(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(LOSE, "DELETE")]
    product.keys = {}
    assert user.run("delete", EN, "-y").exit_code == 0
    product.add(EN)
    server.faults = [Fault(DROP, "DELETE")]
    del product.items[EN]
    assert user.run("delete", EN, "-y").exit_code == 0, "an earlier try may have been the one that did it"
    assert user.run("delete", EN, "-y").exit_code == 3


def test_delete_of_a_processing_item_is_refused(user: User, product: Product) -> None:
    product.add(EN, "PROCESSING")
    assert user.run("delete", EN, "-y").exit_code == 4


def test_open_prints_the_link_and_opens_it_with_a_display(user: User, product: Product) -> None:
    link = product.add(EN)["url"]
    assert user.run("open", EN).stdout == f"{link}\n"
    assert user.opened == []
    user.environ = {"DISPLAY": ":0"}
    user.run("open", EN, "--print")
    assert user.opened == []
    user.run("open", EN)
    assert user.opened == [link]


@pytest.mark.parametrize("link", [None, "file:///etc/passwd", "javascript:alert(1)", "-x"])
def test_open_opens_only_http_links(user: User, product: Product, link: str | None) -> None:
    product.add(EN, url=link)
    user.environ = {"DISPLAY": ":0"}
    result = user.run("open", EN)
    assert (result.exit_code, user.opened, result.stdout) == (3, [], "")
