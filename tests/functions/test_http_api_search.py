"""http_api: `q` finds what a person means by it in the title, the domain and the intent, and never looks for ever."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from error_answers import fields, told
from items_in import at_once, item_in

from readdo import clock, ids
from readdo.lifecycle.write import Write
from readdo.store import inbox, keys, tokens
from support.world import TEXT, World

SAVED = {
    "leases": {"title": "Fencing Tokens, in practice", "intent_text": "make our job queue safe", "domain": "a.example"},
    "zh": {"title": "栅栏令牌与租约", "intent_text": "让任务队列不怕过期的进程", "domain": "博客.example"},
    "wide": {"title": "ＰＹＴＨＯＮ　３．１３ ﬁnally", "intent_text": "学习新的版本", "domain": "py.example"},
    "odd": {"title": "a.*b [c] (d) 50% \\w+ $x", "intent_text": "STRASSE und Straße", "domain": "odd.example"},
    "bare": {"intent_text": "read it on the train"},
}


@pytest.fixture(scope="module")
def saved(shared: World) -> Iterator[tuple[str, dict[str, str]]]:
    secret = tokens.issue(shared.table, "searcher", "search")
    found = {}
    for name, words in SAVED.items():
        body = {"content": TEXT, "process": False, **words}
        found[shared.api("POST", "/capture", body, token=secret).json["item"]["id"]] = name
    yield secret, found


def search(world: World, saved: tuple[str, dict[str, str]], q: str, more: str = "") -> set[str]:
    answer = world.api("GET", f"/items?q={quote(q)}{more}", token=saved[0])
    assert answer.status == 200, answer.text
    return {saved[1][item["id"]] for item in answer.json["items"]}


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
def test_a_search_finds_what_has_all_its_words(
    shared: World, saved: tuple[str, dict[str, str]], q: str, names: set[str], sort: str
) -> None:
    assert search(shared, saved, q, f"&sort={sort}") == names


def test_words_asked_for_apart_are_all_asked_for(shared: World, saved: tuple[str, dict[str, str]]) -> None:
    assert search(shared, saved, "example", "&q=fencing") == {"leases"}


def test_a_search_goes_with_a_filter(shared: World, saved: tuple[str, dict[str, str]]) -> None:
    assert search(shared, saved, "example", "&status=CAPTURED") == {"leases", "zh", "wide", "odd"}
    assert search(shared, saved, "example", "&status=READY,SHIPPED") == set()


def test_a_search_of_the_most_letters_is_answered_and_of_one_more_refused(
    shared: World, saved: tuple[str, dict[str, str]]
) -> None:
    assert search(shared, saved, "字" * 200) == set()
    for more in (quote("字" * 201), "x" * 100 + "&q=" + "x" * 100):
        error = told(shared.api("GET", f"/items?q={more}", token=saved[0]), 400, "VALIDATION_ERROR")
        assert fields(error) == {"q"}


def test_nothing_of_another_owner_is_found(shared: World, saved: tuple[str, dict[str, str]]) -> None:
    mine = item_in(shared, "CAPTURED")
    assert search(shared, saved, "Fencing") == {"leases"}
    found = shared.api("GET", "/items?q=fencing&limit=100").json["items"]
    assert mine in {item["id"] for item in found}
    assert not {item["id"] for item in found} & set(saved[1])


def test_what_is_changed_is_found_by_its_new_words_alone(shared: World, saved: tuple[str, dict[str, str]]) -> None:
    body = {"content": TEXT, "process": False, "intent_text": "read it", "title": "Vorher"}
    item_id = shared.api("POST", "/capture", body, token=saved[0]).json["item"]["id"]
    shared.api("PATCH", f"/items/{item_id}", {"title": "之后的标题"}, token=saved[0], if_match="*")
    after = shared.api("GET", f"/items?q={quote('之后的')}", token=saved[0]).json["items"]
    assert [item["id"] for item in after] == [item_id]
    assert shared.api("GET", "/items?q=vorher", token=saved[0]).json["items"] == []
    shared.api("DELETE", f"/items/{item_id}", token=saved[0])
    assert shared.api("GET", f"/items?q={quote('之后的')}", token=saved[0]).json["items"] == []


@pytest.fixture(scope="module")
def many(shared: World) -> tuple[str, list[str]]:
    """1,250 items, of which the oldest, the 1,001st newest and the newest are meant."""
    secret = tokens.issue(shared.table, "many", "search")
    at = clock.now()
    made = sorted(ids.new(at) for _ in range(1_250))
    meant = [made[0], made[249], made[-1]]

    def put(n: int) -> None:
        for item_id in made[n::8]:
            title = "Needle 针" if item_id in meant else "Hay 草"
            row = {"id": item_id, "owner": "many", "status": "CAPTURED", "title": title, "intent_text": "find it"}
            row |= {"created_at": at, "source_type": "web", **inbox.place("CAPTURED", item_id)}
            shared.table.write(Write(keys.item("many", item_id), "put", row=row))

    at_once(8, put)
    return secret, meant[::-1]


@pytest.mark.parametrize("q", ["needle", "针"])
@pytest.mark.parametrize("sort", inbox.SORTS)
@pytest.mark.parametrize("limit", [1, 20])
def test_a_long_search_goes_on_by_its_cursor_and_finds_each_once(
    shared: World, many: tuple[str, list[str]], q: str, sort: str, limit: int
) -> None:
    found: list[str] = []
    pages: list[int] = []
    cursor = ""
    while True:
        path = f"/items?q={quote(q)}&sort={sort}&limit={limit}{cursor}"
        page: dict[str, Any] = shared.api("GET", path, token=many[0]).json
        found += [item["id"] for item in page["items"]]
        pages.append(len(page["items"]))
        if page["next_cursor"] is None:
            break
        cursor = f"&cursor={page['next_cursor']}"
    assert found == many[1]
    assert max(pages) <= limit
    assert len(pages) >= 2
    assert pages[0] == 1  # the 1,001st was not looked at
