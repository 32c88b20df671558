"""extract: what was pasted becomes readable text; what cannot be read says why."""

import pytest
from items_in import CHINESE, brought_to, everything, in_turn

from readdo import schemas
from readdo.errors import StepFailed
from readdo.store import artifacts
from support.world import World

PAGE = """<!doctype html><html><head><title>Fencing tokens in practice</title><meta name="author" content="A. Writer">
</head><body><nav><a href="/">Home</a><a href="/about">About us and our cookies</a></nav><article>
<h1>Fencing tokens in practice</h1>
<p>Leases keep two workers from doing the same job, as long as each of them looks at the clock in the same way.</p>
<p>The step that people forget is the fencing token: every later write must carry the number of the lease, and the
storage must refuse a write that carries an older number than the one it has seen.</p>
<p>We compared three designs over ten thousand histories, and only the epoch let no stale write through.</p>
</article><script>track("everything")</script><footer>Copyright and a newsletter form</footer></body></html>"""


def extraction(world: World, item_id: str) -> dict[str, object]:
    world.invoke("extract", in_turn(world, item_id, "extract"))
    found = artifacts.of_run(world.table, "me", item_id, "extraction", world.row(item_id)["run_id"])
    assert found is not None
    assert schemas.problem("extraction", found["payload"]) is None
    return dict(found["payload"])


def refusal(world: World, **capture: str) -> StepFailed:
    item_id = brought_to(world, "extract", **capture)
    before = everything(world, item_id)
    with pytest.raises(StepFailed) as refused:
        world.invoke("extract", in_turn(world, item_id, "extract"))
    assert everything(world, item_id) == before
    return refused.value


def test_a_pasted_text_is_kept_as_it_is(shared: World) -> None:
    text = "A first paragraph about leases that is long enough to be read.\n\nA second one about epochs."
    made = extraction(shared, brought_to(shared, "extract", content=text))
    assert made["normalized_text"] == text
    assert made["warnings"] == []


def test_a_chinese_text_is_kept_and_known_as_chinese(shared: World) -> None:
    made = extraction(shared, brought_to(shared, "extract", **CHINESE))
    assert made["normalized_text"] == CHINESE["content"]
    assert made["content_meta"]["language"] == "zh"  # type: ignore[index]


def test_a_pasted_page_gives_its_article_without_what_is_around_it(shared: World) -> None:
    item_id = brought_to(shared, "extract", content=PAGE, title="")
    text = str(extraction(shared, item_id)["normalized_text"])
    assert "every later write must carry the number of the lease" in text
    assert not any(noise in text for noise in ("cookies", "track(", "newsletter form"))
    assert shared.item(item_id)["title"] == "Fencing tokens in practice"


def test_the_users_title_is_not_replaced_by_the_pages(shared: World) -> None:
    item_id = brought_to(shared, "extract", content=PAGE, title="Mine")
    extraction(shared, item_id)
    assert shared.item(item_id)["title"] == "Mine"


@pytest.mark.parametrize("size", [50_000, 50_001, 399_000])
def test_a_long_text_is_cut_at_a_paragraph_and_says_so(shared: World, size: int) -> None:
    paragraph = "word " * 99 + "end.\n\n"
    text = (paragraph * (size // len(paragraph) + 1))[:size].rstrip() + "!" * 10
    made = extraction(shared, brought_to(shared, "extract", content=text[:size]))
    kept = str(made["normalized_text"])
    assert len(kept) <= 50_000
    if size > 50_000:
        assert kept.endswith("end.")
        assert len(made["warnings"]) == 1  # type: ignore[arg-type]


def test_a_long_line_without_any_paragraph_is_cut_too(shared: World) -> None:
    made = extraction(shared, brought_to(shared, "extract", content="字" * 120_000))
    assert len(str(made["normalized_text"])) == 50_000


@pytest.mark.parametrize(
    "content",
    ["x" * 49, "字" * 49, " " * 500 + "short" + "\n" * 500, "<html><body></body></html>", "\u200b" * 100],
    ids=["49 letters", "49 characters", "padded", "empty page", "nothing to see"],
)
def test_too_little_text_is_a_parse_failure_that_asks_for_more_and_is_not_tried_again(
    shared: World, content: str
) -> None:
    failed = refusal(shared, content=content)
    assert (failed.code, failed.retryable) == ("EXTRACTION_PARSE_FAILED", False)
    assert "paste" in failed.message.lower()
    assert 0 < len(failed.message) <= 300


@pytest.mark.parametrize("content", ["x" * 50, "字" * 50])
def test_fifty_characters_are_enough(shared: World, content: str) -> None:
    assert extraction(shared, brought_to(shared, "extract", content=content))["normalized_text"] == content


def test_a_link_that_leads_nowhere_is_a_fetch_failure_that_says_what_to_do(shared: World) -> None:
    failed = refusal(shared, url="https://example.org/page", content="")
    assert (failed.code, failed.retryable) == ("EXTRACTION_FETCH_FAILED", True)
    assert "example.org" in failed.message
    assert "paste" in failed.message.lower()


ODD = {
    "nul bytes": "Leases\x00 keep two workers from doing\x00 the same job, as long as each looks at the clock.",
    "nul in a page": PAGE.replace("Leases", "Lea\x00ses"),
    "unclosed tags": "<div><p>" * 2000 + "Leases keep two workers from doing the same job, while the clock runs.",
    "an xml declaration": '<?xml version="1.0" encoding="ascii"?>' + PAGE,
    "another encoding declared": PAGE.replace("<head>", '<head><meta charset="gb2312">'),
    "entities": PAGE.replace("Leases", "&#0;&#xD800;&bogus;&amp;Leases"),
    "only emoji": "🦊" * 200,
    "right to left": "\u202e" + "عقود الإيجار تمنع عاملين من القيام بنفس العمل في نفس الوقت وهذا مهم جدا للجميع " * 3,
    "a bom": "\ufeff" + "Leases keep two workers from doing the same job, while the clock runs.",
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_text_is_read_or_refused_in_words_but_never_breaks_the_room(shared: World, name: str) -> None:
    item_id = brought_to(shared, "extract", content=ODD[name])
    try:
        text = str(extraction(shared, item_id)["normalized_text"])
    except StepFailed as failed:
        assert failed.code == "EXTRACTION_PARSE_FAILED"
    else:
        assert "\x00" not in text
