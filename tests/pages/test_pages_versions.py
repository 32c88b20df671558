"""What changed between two versions, as somebody reads it."""

from itertools import pairwise

import pytest
from page_items import ready

from support.reader import Page, Reader
from support.world import World

WAS = "Checking the status alone let stale writes through."


def rewritten(world: World, reader: Reader, *texts: str) -> Page:
    item_id = ready(world, reader.language)
    for text in texts:
        reader.send(reader.item(item_id, "?edit=summary").form("/change/summary"), insight=text)
    return reader.look(f"/my/items/{item_id}/versions/summary")


def test_a_word_that_was_changed_is_marked_and_the_rest_is_not(shared: World) -> None:
    page = rewritten(shared, Reader(shared), WAS, WAS.replace("alone", "once"))
    newest = page.tree.cssselect(".version")[0]
    assert [gone.text_content() for gone in newest.cssselect("del")] == ["alone"]
    assert [new.text_content() for new in newest.cssselect("ins")] == ["once"]


@pytest.mark.parametrize(
    ("language", "was", "now"),
    [
        ("en", WAS, "What I learnt from the talk is to count every write, and the time it takes."),
        ("zh", "只看状态是不够的，过期的写入还是会通过。", "我从这次分享学到的是：每一次的操作都要数清楚。"),
    ],
)
def test_a_sentence_that_is_new_is_told_as_one_and_not_as_a_mosaic(
    shared: World, language: str, was: str, now: str
) -> None:
    page = rewritten(shared, Reader(shared, language=language), was, now)
    newest = page.tree.cssselect(".version")[0]
    assert len(newest.cssselect("del")) <= 2
    assert "".join(newest.cssselect("dd")[-1].itertext()).count(now[:12]) == 1
    marks = [mark.tag for mark in newest.cssselect("dd")[-1]]
    assert all(a != b for a, b in pairwise(marks))
