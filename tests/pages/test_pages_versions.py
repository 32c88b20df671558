"""The differences between two versions, as the page marks them."""

from itertools import pairwise

import pytest

from support.page_items import ready_item
from support.reader import Page, Reader
from support.world import World

OLD_TEXT = "Checking the status alone let stale writes through."


def versions_page_after_edits(world: World, reader: Reader, *texts: str) -> Page:
    item_id = ready_item(world, reader.language)
    for text in texts:
        reader.send(reader.item(item_id, "?edit=summary").form("/change/summary"), insight=text)
    return reader.look(f"/my/items/{item_id}/versions/summary")


def test_only_the_changed_word_is_marked(world: World) -> None:
    page = versions_page_after_edits(world, Reader(world), OLD_TEXT, OLD_TEXT.replace("alone", "once"))
    newest = page.tree.cssselect(".version")[0]
    assert [removed.text_content() for removed in newest.cssselect("del")] == ["alone"]
    assert [inserted.text_content() for inserted in newest.cssselect("ins")] == ["once"]


@pytest.mark.parametrize(
    ("language", "was", "now"),
    [
        ("en", OLD_TEXT, "What I learnt from the talk is to count every write, and the time it takes."),
        ("zh", "只看状态是不够的，过期的写入还是会通过。", "我从这次分享学到的是：每一次的操作都要数清楚。"),
    ],
)
def test_new_sentence_is_marked_as_a_whole(world: World, language: str, was: str, now: str) -> None:
    page = versions_page_after_edits(world, Reader(world, language=language), was, now)
    newest = page.tree.cssselect(".version")[0]
    assert len(newest.cssselect("del")) <= 2
    assert "".join(newest.cssselect("dd")[-1].itertext()).count(now[:12]) == 1
    marks = [mark.tag for mark in newest.cssselect("dd")[-1]]
    assert all(a != b for a, b in pairwise(marks))
