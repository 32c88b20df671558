"""The list: in groups on a terminal, in columns in a pipe, as it is for a machine."""

import json

import pytest

from .conftest import Person, too_wide
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


def test_the_groups_come_in_their_order_with_what_matters_of_each_item(reader: Person, product: Product) -> None:
    fill(product)
    shown = reader.run("list").stdout
    groups = ["Read next 1", "Worth it 1", "In progress 2", "Needs attention 1"]
    assert [shown.index(group) for group in groups] == sorted(shown.index(group) for group in groups)
    assert "9NQBGH   91.0  围栏令牌的实践" in shown
    assert "B0MA8N   66.2  Fencing tokens in practice" in shown
    assert "I want to make our job queue safe" in shown, "the intent is never hidden"
    assert "score 2/6, 0:12" in shown
    assert "again in 30 s: The page answered with 404" in shown


def test_what_is_folded_away_or_done_is_told_and_not_shown(reader: Person, product: Product) -> None:
    fill(product)
    shown = reader.run("list").stdout
    assert "Skip: 1, folded away (readdo list --priority skip)" in shown
    assert "readdo list --status shipped --status archived" in shown
    assert all(title not in shown for title in ("Cooking pasta", "A shipped one", "An archived one"))


def test_filters_reach_the_server_as_it_knows_them(reader: Person, product: Product, server: Server) -> None:
    fill(product)
    shown = reader.run("list", "--status", "Shipped", "--status", "failed_*").stdout
    assert "A shipped one" in shown
    assert "Needs attention 1" in shown
    assert server.asked[-1].query["status"] == ["SHIPPED", "FAILED_*"]
    reader.run("list", "--priority", "skip", "--source-type", "web", "-q", "围栏", "--limit", "7", "--sort", "newest")
    query = {"priority": ["SKIP"], "source_type": ["web"], "q": ["围栏"], "limit": ["7"], "sort": ["created_desc"]}
    assert server.asked[-1].query == query


def test_an_item_that_the_system_skipped_is_folded_with_the_skipped(reader: Person, product: Product) -> None:
    product.add(EN, "ARCHIVED", archive_reason="SYSTEM_SKIP")
    assert "Skip: 1" in reader.run("list").stdout


def test_a_pipe_gets_a_line_an_item_with_the_same_columns_and_nothing_cut(person: Person, product: Product) -> None:
    fill(product)
    lines = [line.split("\t") for line in person.run("list").stdout.splitlines()]
    assert len(lines) == 6, "what is done is left out here too; what is folded on a terminal is not"
    assert {len(line) for line in lines} == {11}
    [zh] = [line for line in lines if line[0] == ZH]
    row = item(ZH)
    assert zh[1:4] == ["READY", "READ_NEXT", "91.0"]
    assert zh[7:9] == [row["title"], row["intent_text"]]
    [failed] = [line for line in lines if line[1] == "FAILED_EXTRACTION"]
    assert failed[9] == "The page answered with 404 (not found). Paste its text instead."


@pytest.mark.parametrize("columns", [80, 60, 120])
def test_no_line_is_wider_than_the_terminal(reader: Person, product: Product, columns: int) -> None:
    fill(product)
    product.add(f"{'9' * 20}LNGEST", title="很长的标题" * 40, intent_text="why " * 99, domain="d" * 200)
    reader.columns = columns
    for more in ([], ["--long"], ["--sort", "newest"], ["--status", "shipped"]):
        shown = reader.run("list", *more).stdout
        assert too_wide(shown, columns) == []


def test_all_follows_the_cursors_to_the_end(person: Person, product: Product, server: Server) -> None:
    for number in range(7):
        product.add(f"01M7QBHF0000000000000000{number:02}")
    product.page = 3
    assert len(person.run("list").stdout.splitlines()) == 3
    assert len(person.run("list", "--all").stdout.splitlines()) == 7
    found = json.loads(person.run("list", "--all", "--json").stdout)
    assert (len(found["items"]), found["next_cursor"]) == (7, None)
    assert server.asked[-1].query["cursor"] == ["6"]


def test_more_than_is_shown_is_told(reader: Person, product: Product) -> None:
    for number in range(3):
        product.add(f"01M7QBHF0000000000000000{number:02}")
    assert "There is more: readdo list --all" in reader.run("list", "--limit", "2").stdout
    assert "There is more" not in reader.run("list").stdout


def test_json_is_the_answer_of_the_api_and_nothing_else(person: Person, product: Product) -> None:
    fill(product)
    result = person.run("list", "--json", "--limit", "2")
    answer = json.loads(result.stdout)
    newest = sorted(product.items, reverse=True)[:2]
    assert answer == {"items": [product.items[name] for name in newest], "next_cursor": "2"}
    assert result.stderr == ""


def test_nothing_at_all_says_how_to_begin(reader: Person) -> None:
    assert "readdo capture URL" in reader.run("list").stdout
    assert "Nothing here is like that" in reader.run("list", "-q", "x").stdout
    reader.live = False
    assert reader.run("list").stdout == ""


def test_the_reasons_come_with_long(reader: Person, product: Product) -> None:
    product.add(EN)
    assert "+2 more" not in reader.run("list").stdout
    assert "+2 more" in reader.run("list", "-l").stdout


@pytest.mark.parametrize("live", [True, False])
def test_all_is_every_status(person: Person, product: Product, live: bool) -> None:
    person.live = live
    fill(product)
    shown = person.run("list", "--all").stdout
    assert all(title in shown for title in ("Cooking pasta", "A shipped one", "An archived one"))
    assert "readdo list --status" not in shown, "there is nothing more to look for"
