"""The moves: each is one call, what is refused says what may be done, and many at once tell each its own end."""

import json

import pytest

from .conftest import Person, error_of
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
def test_each_is_one_call(
    person: Person,
    product: Product,
    server: Server,
    args: list[str],
    status: str,
    call: str,
    body: dict[str, object],
    after: str,
) -> None:
    product.add(EN, status)
    result = person.run(args[0], EN, *args[1:])
    assert result.exit_code == 0, result.stderr
    [asked] = server.writes
    assert (asked.path, asked.body) == (f"/items/{EN}/{call}", body)
    assert result.stdout == f"{after}: Fencing tokens in practice\n"
    product.add(EN, status)
    assert json.loads(person.run(args[0], EN, *args[1:], "--json").stdout) == {"item": product.items[EN]}


def test_a_move_that_is_repeated_by_the_network_is_made_once(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(LOSE, "POST", "/ship")]
    assert person.run("ship", EN).exit_code == 0
    first, second = server.writes
    assert first.headers["Idempotency-Key"] == second.headers["Idempotency-Key"]
    person.run("regenerate", EN)
    assert server.writes[-1].headers["Idempotency-Key"] != first.headers["Idempotency-Key"]


def test_what_is_refused_says_what_may_be_done_as_it_is_typed(reader: Person, product: Product) -> None:
    product.add(EN, "SHIPPED")
    result = reader.run("regenerate", EN)
    assert result.exit_code == 4
    assert result.stderr.splitlines() == [
        "✗ An item that is SHIPPED cannot be asked to regenerate.",
        "  To read it anew: readdo archive B0MA8N, then readdo unarchive B0MA8N",
        "  --regenerate",
        "  What can be done now:",
        "    readdo export B0MA8N   make its card and files",
        "    readdo archive B0MA8N  put it away",
    ]
    reader.live = False
    error = error_of(reader.run("regenerate", EN, "--json"))
    assert error["code"] == "PROCESS_NOT_ALLOWED"
    assert [action["action"] for action in error["details"]["available_actions"]] == ["archive", "export"]


def test_a_moved_item_can_be_watched_to_its_end(person: Person, product: Product) -> None:
    product.add(EN, "FAILED_AI", failure=failure("score"))
    product.coming[EN] = [{}, {"status": "READY"}]
    result = person.run("process", EN, "--watch")
    assert (result.exit_code, "Leases keep two workers" in result.stdout) == (0, True)


def test_many_go_in_one_call_and_each_is_told(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    product.add(ZH, "PROCESSING")
    result = person.run("archive", EN, ZH, EN)
    [asked] = server.writes
    assert (asked.path, asked.body) == ("/items/batch", {"ids": [EN, ZH], "action": "archive"})
    assert result.stdout == "B0MA8N  archived: Fencing tokens in practice\n"
    assert "9NQBGH  An item that is PROCESSING cannot be asked to archive." in result.stderr
    assert result.exit_code == 4


def test_many_with_a_wish_of_their_own_go_one_by_one(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    product.add(ZH, "PROCESSING")
    result = person.run("archive", EN, ZH, "--reason", "done", "--json")
    assert [asked.body for asked in server.writes] == [{"reason": "USER_ARCHIVE"}] * 2
    assert [found["ok"] for found in json.loads(result.stdout)["results"]] == [True, False]
    assert result.exit_code == 4


def test_more_than_a_hundred_go_in_several_calls(person: Person, product: Product, server: Server) -> None:
    ids = [f"01M7QBHF0000000000000{number:05}" for number in range(105)]
    for item_id in ids:
        product.add(item_id)
    result = person.run("archive", *ids, "--json")
    assert [len(asked.body["ids"]) for asked in server.writes] == [100, 5]
    assert len(json.loads(result.stdout)["results"]) == 105
    assert result.exit_code == 0


def test_delete_asks_a_person_by_title(reader: Person, product: Product) -> None:
    product.add(EN)
    product.add(ZH)
    result = reader.run("delete", EN, ZH, stdin="n\n")
    assert "Fencing tokens in practice" in result.stderr
    assert "围栏令牌的实践" in result.stderr
    assert "Delete these 2 for good" in result.stderr
    assert (result.exit_code, len(product.items)) == (1, 2)
    assert reader.run("delete", EN, ZH, stdin="y\n").exit_code == 0
    assert product.items == {}


def test_delete_in_a_pipe_needs_a_yes(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    result = person.run("delete", EN)
    assert (result.exit_code, "add --yes" in result.stderr) == (2, True)
    assert server.writes == []
    assert person.run("delete", EN, "--yes").exit_code == 0
    assert product.items == {}


def test_a_delete_whose_answer_was_lost_is_done(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(LOSE, "DELETE")]
    product.keys = {}
    assert person.run("delete", EN, "-y").exit_code == 0
    product.add(EN)
    server.faults = [Fault(DROP, "DELETE")]
    del product.items[EN]
    assert person.run("delete", EN, "-y").exit_code == 0, "an earlier try may have been the one that did it"
    assert person.run("delete", EN, "-y").exit_code == 3


def test_an_item_being_read_is_not_deleted(person: Person, product: Product) -> None:
    product.add(EN, "PROCESSING")
    assert person.run("delete", EN, "-y").exit_code == 4


def test_open_prints_the_link_and_opens_it_where_there_is_a_screen(person: Person, product: Product) -> None:
    link = product.add(EN)["url"]
    assert person.run("open", EN).stdout == f"{link}\n"
    assert person.opened == []
    person.environ = {"DISPLAY": ":0"}
    person.run("open", EN, "--print")
    assert person.opened == []
    person.run("open", EN)
    assert person.opened == [link]


@pytest.mark.parametrize("link", [None, "file:///etc/passwd", "javascript:alert(1)", "-x"])
def test_open_opens_the_web_and_nothing_else(person: Person, product: Product, link: str | None) -> None:
    product.add(EN, url=link)
    person.environ = {"DISPLAY": ":0"}
    result = person.run("open", EN)
    assert (result.exit_code, person.opened, result.stdout) == (3, [], "")
