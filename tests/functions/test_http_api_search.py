"""http_api: `q` searches title, domain and intent, and limits the rows that one call reads."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest

from functions.error_answers import assert_error, error_fields
from functions.items_in import item_in, run_together
from readdo import clock
from readdo.lifecycle.write import Write
from readdo.read import inbox, item_keys
from readdo.store import tokens
from support.world import TEXT, World

SAVED = {
    "leases": {"title": "Fencing Tokens, in practice", "intent_text": "make our job queue safe", "domain": "a.example"},
    "zh": {"title": "栅栏令牌与租约", "intent_text": "让任务队列不怕过期的进程", "domain": "博客.example"},
    "wide": {"title": "ＰＹＴＨＯＮ　３．１３ ﬁnally", "intent_text": "学习新的版本", "domain": "py.example"},
    "odd": {"title": "a.*b [c] (d) 50% \\w+ $x", "intent_text": "STRASSE und Straße", "domain": "odd.example"},
    "bare": {"intent_text": "read it on the train"},
}


@pytest.fixture(scope="module")
def captured(world: World) -> Iterator[tuple[str, dict[str, str]]]:
    secret = tokens.issue(world.table, "searcher", "search")
    names = {}
    for name, words in SAVED.items():
        body = {"content": TEXT, "process": False, **words}
        names[world.api("POST", "/capture", body, token=secret).json["item"]["id"]] = name
    yield secret, names


def search(world: World, captured: tuple[str, dict[str, str]], q: str, more: str = "") -> set[str]:
    answer = world.api("GET", f"/items?q={quote(q)}{more}", token=captured[0])
    assert answer.status == 200, answer.text
    return {captured[1][item["id"]] for item in answer.json["items"]}


FINDS = [
    ("fencing", {"leases"}),
    ("TOKENS fencing", {"leases"}),
    ("tokens queue", {"leases"}),
    ("Tokens, in", {"leases"}),
    ("tokens,zzz", set()),
    ("zzz,tokens", set()),
    ("fencing zzz", set()),
    ("a.example", {"leases"}),
    ("example", {"leases", "zh", "wide", "odd"}),
    ("令牌", {"zh"}),
    ("令牌 队列", {"zh"}),
    ("令牌　队列", {"zh"}),
    ("令牌队列", set()),
    ("博客", {"zh"}),
    ("python 3.13", {"wide"}),
    ("ｐｙｔｈｏｎ", {"wide"}),
    ("finally", {"wide"}),
    ("ﬁnally", {"wide"}),
    ("版本", {"wide"}),
    (".*", {"odd"}),
    ("a.*b", {"odd"}),
    ("[c] (d)", {"odd"}),
    ("\\w+", {"odd"}),
    ("50%", {"odd"}),
    ("$x", {"odd"}),
    ("strasse", {"odd"}),
    ("straße", {"odd"}),
    ("practicemake", set()),
    ("train", {"bare"}),
    ("", set(SAVED)),
    (" \t　", set(SAVED)),
    ("\x00", set()),
    ("💥", set()),
    (" ".join("abcdefghijklmnop"), set()),
]


@pytest.mark.parametrize(("q", "names"), FINDS, ids=range(len(FINDS)))
@pytest.mark.parametrize("sort", inbox.SORTS)
def test_search_finds_items_with_all_its_words(
    world: World, captured: tuple[str, dict[str, str]], q: str, names: set[str], sort: str
) -> None:
    assert search(world, captured, q, f"&sort={sort}") == names


def test_repeated_q_parameters_are_combined(world: World, captured: tuple[str, dict[str, str]]) -> None:
    assert search(world, captured, "example", "&q=fencing") == {"leases"}


def test_search_is_combined_with_a_filter(world: World, captured: tuple[str, dict[str, str]]) -> None:
    assert search(world, captured, "example", "&status=CAPTURED") == {"leases", "zh", "wide", "odd"}
    assert search(world, captured, "example", "&status=READY,SHIPPED") == set()


def test_search_accepts_at_most_200_characters(world: World, captured: tuple[str, dict[str, str]]) -> None:
    assert search(world, captured, "字" * 200) == set()
    for more in (quote("字" * 201), "x" * 100 + "&q=" + "x" * 100):
        error = assert_error(world.api("GET", f"/items?q={more}", token=captured[0]), 400, "VALIDATION_ERROR")
        assert error_fields(error) == {"q"}


def test_search_finds_nothing_of_another_owner(world: World, captured: tuple[str, dict[str, str]]) -> None:
    mine = item_in(world, "CAPTURED")
    assert search(world, captured, "Fencing") == {"leases"}
    items = world.api("GET", "/items?q=fencing&limit=100").json["items"]
    assert mine in {item["id"] for item in items}
    assert not {item["id"] for item in items} & set(captured[1])


def test_search_uses_the_current_title(world: World, captured: tuple[str, dict[str, str]]) -> None:
    body = {"content": TEXT, "process": False, "intent_text": "read it", "title": "Vorher"}
    item_id = world.api("POST", "/capture", body, token=captured[0]).json["item"]["id"]
    world.api("PATCH", f"/items/{item_id}", {"title": "之后的标题"}, token=captured[0], if_match="*")
    after = world.api("GET", f"/items?q={quote('之后的')}", token=captured[0]).json["items"]
    assert [item["id"] for item in after] == [item_id]
    assert world.api("GET", "/items?q=vorher", token=captured[0]).json["items"] == []
    world.api("DELETE", f"/items/{item_id}", token=captured[0])
    assert world.api("GET", f"/items?q={quote('之后的')}", token=captured[0]).json["items"] == []


@pytest.fixture(scope="module")
def many_items(world: World) -> tuple[str, list[str]]:
    """1,250 items; the oldest, the 1,001st newest and the newest match."""
    secret = tokens.issue(world.table, "many", "search")
    at = clock.now()
    item_ids = sorted(clock.new_id(at) for _ in range(1_250))
    matches = [item_ids[0], item_ids[249], item_ids[-1]]

    def put(n: int) -> None:
        for item_id in item_ids[n::8]:
            title = "Needle 针" if item_id in matches else "Hay 草"
            row = {"id": item_id, "owner": "many", "status": "CAPTURED", "title": title, "intent_text": "find it"}
            row |= {"created_at": at, "source_type": "web", **item_keys.inbox_place("CAPTURED", item_id)}
            world.table.write(Write(item_keys.item("many", item_id), "put", row=row))

    run_together(8, put)
    return secret, matches[::-1]


@pytest.mark.parametrize("q", ["needle", "针"])
@pytest.mark.parametrize("sort", inbox.SORTS)
@pytest.mark.parametrize("limit", [1, 20])
def test_long_search_continues_with_its_cursor_and_finds_each_item_once(
    world: World, many_items: tuple[str, list[str]], q: str, sort: str, limit: int
) -> None:
    item_ids: list[str] = []
    pages: list[int] = []
    cursor = ""
    while True:
        path = f"/items?q={quote(q)}&sort={sort}&limit={limit}{cursor}"
        page: dict[str, Any] = world.api("GET", path, token=many_items[0]).json
        item_ids += [item["id"] for item in page["items"]]
        pages.append(len(page["items"]))
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert item_ids == many_items[1]
    assert max(pages) <= limit
    assert len(pages) >= 2
    assert pages[0] == 1  # the 1,001st row was not read
