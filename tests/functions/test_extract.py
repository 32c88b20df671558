"""extract: pasted content becomes readable text, or an error with its reason."""

import pytest

from functions.items_in import CHINESE, item_at_step, step_event, stored_data
from readdo import schemas
from readdo.errors import StepFailed
from readdo.read import artifacts
from support.world import World

PAGE = """<!doctype html><html><head><title>Fencing tokens in practice</title><meta name="author" content="A. Writer">
</head><body><nav><a href="/">Home</a><a href="/about">About us and our cookies</a></nav><article>
<h1>Fencing tokens in practice</h1>
<p>Leases keep two workers from doing the same job, as long as each of them looks at the clock in the same way.</p>
<p>The step that people forget is the fencing token: every later write must carry the number of the lease, and the
storage must refuse a write that carries an older number than the one it has seen.</p>
<p>We compared three designs over ten thousand histories, and only the epoch let no stale write through.</p>
</article><script>track("everything")</script><footer>Copyright and a newsletter form</footer></body></html>"""


def extract(world: World, item_id: str) -> dict[str, object]:
    world.invoke("extract", step_event(world, item_id, "extract"))
    artifact = artifacts.of_run(world.table, "me", item_id, "extraction", world.row(item_id)["run_id"])
    assert artifact is not None
    assert schemas.schema_problem("extraction", artifact["payload"]) is None
    return dict(artifact["payload"])


def extraction_failure(world: World, **capture: str) -> StepFailed:
    item_id = item_at_step(world, "extract", **capture)
    before = stored_data(world, item_id)
    with pytest.raises(StepFailed) as refused:
        world.invoke("extract", step_event(world, item_id, "extract"))
    assert stored_data(world, item_id) == before
    return refused.value


def test_extract_keeps_a_pasted_text_unchanged(world: World) -> None:
    text = "A first paragraph about leases that is long enough to be read.\n\nA second one about epochs."
    payload = extract(world, item_at_step(world, "extract", content=text))
    assert payload["normalized_text"] == text
    assert payload["warnings"] == []


def test_extract_detects_chinese(world: World) -> None:
    payload = extract(world, item_at_step(world, "extract", **CHINESE))
    assert payload["normalized_text"] == CHINESE["content"]
    assert payload["content_meta"]["language"] == "zh"  # type: ignore[index]


def test_extract_takes_only_the_article_of_a_pasted_page(world: World) -> None:
    item_id = item_at_step(world, "extract", content=PAGE, title="")
    text = str(extract(world, item_id)["normalized_text"])
    assert "every later write must carry the number of the lease" in text
    assert not any(noise in text for noise in ("cookies", "track(", "newsletter form"))
    assert world.item(item_id)["title"] == "Fencing tokens in practice"


def test_extract_keeps_the_users_title(world: World) -> None:
    item_id = item_at_step(world, "extract", content=PAGE, title="Mine")
    extract(world, item_id)
    assert world.item(item_id)["title"] == "Mine"


@pytest.mark.parametrize("size", [50_000, 50_001, 399_000])
def test_extract_cuts_a_long_text_at_a_paragraph_with_a_warning(world: World, size: int) -> None:
    paragraph = "word " * 99 + "end.\n\n"
    text = (paragraph * (size // len(paragraph) + 1))[:size].rstrip() + "!" * 10
    payload = extract(world, item_at_step(world, "extract", content=text[:size]))
    text_kept = str(payload["normalized_text"])
    assert len(text_kept) <= 50_000
    if size > 50_000:
        assert text_kept.endswith("end.")
        assert len(payload["warnings"]) == 1  # type: ignore[arg-type]


def test_extract_cuts_a_long_text_without_paragraphs(world: World) -> None:
    payload = extract(world, item_at_step(world, "extract", content="字" * 120_000))
    assert len(str(payload["normalized_text"])) == 50_000


@pytest.mark.parametrize(
    "content",
    ["x" * 49, "字" * 49, " " * 500 + "short" + "\n" * 500, "<html><body></body></html>", "\u200b" * 100],
    ids=["49 letters", "49 characters", "padded", "empty page", "nothing to see"],
)
def test_extract_fails_for_good_on_too_little_text(world: World, content: str) -> None:
    failed = extraction_failure(world, content=content)
    assert (failed.code, failed.retryable) == ("EXTRACTION_PARSE_FAILED", False)
    assert "paste" in failed.message.lower()
    assert 0 < len(failed.message) <= 300


@pytest.mark.parametrize("content", ["x" * 50, "字" * 50])
def test_extract_accepts_fifty_characters(world: World, content: str) -> None:
    assert extract(world, item_at_step(world, "extract", content=content))["normalized_text"] == content


def test_unreachable_link_is_a_retryable_fetch_failure_with_advice(world: World) -> None:
    failed = extraction_failure(world, url="https://example.org/page", content="")
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
def test_extract_reads_or_rejects_malformed_text(world: World, name: str) -> None:
    item_id = item_at_step(world, "extract", content=ODD[name])
    try:
        text = str(extract(world, item_id)["normalized_text"])
    except StepFailed as failed:
        assert failed.code == "EXTRACTION_PARSE_FAILED"
    else:
        assert "\x00" not in text
