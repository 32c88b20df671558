"""readdo list: groups on a terminal, columns in a pipe, JSON for programs."""

import json

import pytest

from .conftest import User, too_wide
from .product import Product
from .samples import EN, ZH, failure, item
from .server import Server


def fill(product: Product) -> None:
    product.add(EN, match_score=66.2)
    product.add(ZH, priority="READ_NEXT", match_score=91.0)
    product.add("01M7QBHF008ED653CZFQPWQAAA", "CAPTURED")
    progress = {"step": "score", "done": 2, "of": 6, "started_at": "2026-11-18T12:59:48.000Z"}
    product.add("01M7QBHF008ED653CZFQPWQBBB", "PROCESSING", progress=progress)
    again = {"next_retry_at": "2026-11-18T13:00:30.000Z"}
    product.add("01M7QBHEZSSXEM5MF34A6W00YV", "FAILED_EXTRACTION", failure=failure(**again), title=None)
    product.add("01M7QBHF05EB73YRTCVZMH3Q34", priority="SKIP", match_score=7.3, title="Cooking pasta")
    product.add("01M7QBHF05EB73YRTCVZMH3QSH", "SHIPPED", title="A shipped one")
    product.add("01M7QBHF05EB73YRTCVZMH3QAR", "ARCHIVED", title="An archived one", archive_reason="USER_ARCHIVE")


def test_list_prints_groups_in_order(live_user: User, product: Product) -> None:
    fill(product)
    output = live_user.run("list").stdout
    groups = ["Read next 1", "Worth it 1", "In progress 2", "Needs attention 1"]
    assert [output.index(group) for group in groups] == sorted(output.index(group) for group in groups)
    assert "9NQBGH   91.0  围栏令牌的实践" in output
    assert "B0MA8N   66.2  Fencing tokens in practice" in output
    assert "I want to make our job queue safe" in output, "the intent is never hidden"
    assert "score 2/6, 0:12" in output
    assert "retry in 30 s: The page answered with 404" in output


def test_list_counts_hidden_items(live_user: User, product: Product) -> None:
    fill(product)
    output = live_user.run("list").stdout
    assert "Skip: 1 hidden (readdo list --priority skip)" in output
    assert "readdo list --status shipped --status archived" in output
    assert all(title not in output for title in ("Cooking pasta", "A shipped one", "An archived one"))


def test_list_sends_its_filters(live_user: User, product: Product, server: Server) -> None:
    fill(product)
    output = live_user.run("list", "--status", "Shipped", "--status", "failed_*").stdout
    assert "A shipped one" in output
    assert "Needs attention 1" in output
    assert server.requests[-1].query["status"] == ["SHIPPED", "FAILED_*"]
    live_user.run(
        "list", "--priority", "skip", "--source-type", "web", "-q", "围栏", "--limit", "7", "--sort", "newest"
    )
    query = {"priority": ["SKIP"], "source_type": ["web"], "q": ["围栏"], "limit": ["7"], "sort": ["created_desc"]}
    assert server.requests[-1].query == query


def test_list_counts_system_skipped_items_as_skip(live_user: User, product: Product) -> None:
    product.add(EN, "ARCHIVED", archive_reason="SYSTEM_SKIP")
    assert "Skip: 1" in live_user.run("list").stdout


def test_list_in_a_pipe_prints_complete_columns(user: User, product: Product) -> None:
    fill(product)
    lines = [line.split("\t") for line in user.run("list").stdout.splitlines()]
    assert len(lines) == 6, "what is done is left out here too; what is folded on a terminal is not"
    assert {len(line) for line in lines} == {11}
    [zh] = [line for line in lines if line[0] == ZH]
    row = item(ZH)
    assert zh[1:4] == ["READY", "READ_NEXT", "91.0"]
    assert zh[7:9] == [row["title"], row["intent_text"]]
    [failed] = [line for line in lines if line[1] == "FAILED_EXTRACTION"]
    assert failed[9] == "The page answered with 404 (not found). Paste its text instead."


@pytest.mark.parametrize("columns", [80, 60, 120])
def test_list_fits_the_terminal(live_user: User, product: Product, columns: int) -> None:
    fill(product)
    product.add(f"{'9' * 20}LNGEST", title="很长的标题" * 40, intent_text="why " * 99, domain="d" * 200)
    live_user.columns = columns
    for more in ([], ["--long"], ["--sort", "newest"], ["--status", "shipped"]):
        output = live_user.run("list", *more).stdout
        assert too_wide(output, columns) == []


def test_list_all_follows_the_cursors(user: User, product: Product, server: Server) -> None:
    for number in range(7):
        product.add(f"01M7QBHF0000000000000000{number:02}")
    product.page = 3
    assert len(user.run("list").stdout.splitlines()) == 3
    assert len(user.run("list", "--all").stdout.splitlines()) == 7
    answer = json.loads(user.run("list", "--all", "--json").stdout)
    assert (len(answer["items"]), answer["next_cursor"]) == (7, None)
    assert server.requests[-1].query["cursor"] == ["6"]


def test_list_reports_more_items(live_user: User, product: Product) -> None:
    for number in range(3):
        product.add(f"01M7QBHF0000000000000000{number:02}")
    assert "More items: readdo list --all" in live_user.run("list", "--limit", "2").stdout
    assert "More items" not in live_user.run("list").stdout


def test_list_json_is_the_api_response(user: User, product: Product) -> None:
    fill(product)
    result = user.run("list", "--json", "--limit", "2")
    answer = json.loads(result.stdout)
    newest = sorted(product.items, reverse=True)[:2]
    assert answer == {"items": [product.items[name] for name in newest], "next_cursor": "2"}
    assert result.stderr == ""


def test_empty_list_prints_advice(live_user: User) -> None:
    assert "readdo capture URL" in live_user.run("list").stdout
    assert "No items match." in live_user.run("list", "-q", "x").stdout
    live_user.live = False
    assert live_user.run("list").stdout == ""


def test_list_long_prints_the_reasons(live_user: User, product: Product) -> None:
    product.add(EN)
    assert "+2 more" not in live_user.run("list").stdout
    assert "+2 more" in live_user.run("list", "-l").stdout


@pytest.mark.parametrize("live", [True, False])
def test_list_all_prints_every_status(user: User, product: Product, live: bool) -> None:
    user.live = live
    fill(product)
    output = user.run("list", "--all").stdout
    assert all(title in output for title in ("Cooking pasta", "A shipped one", "An archived one"))
    assert "readdo list --status" not in output, "there is nothing more to look for"
