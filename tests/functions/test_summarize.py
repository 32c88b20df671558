"""summarize: three bullets and an insight, in the profile's manner and the intent's language."""

import pytest
from items_in import CHINESE, brought_to, in_turn

from readdo import schemas
from readdo.store import artifacts
from support.world import TEXT, World


def summary(world: World, **capture: str) -> dict[str, object]:
    item_id = brought_to(world, "summarize", **capture)
    world.invoke("summarize", in_turn(world, item_id, "summarize"))
    found = artifacts.of_run(world.table, "me", item_id, "summary", world.row(item_id)["run_id"])
    assert found is not None
    return found


def is_chinese(text: str) -> bool:
    return sum("\u4e00" <= c <= "\u9fff" for c in text) * 2 > len(text)


def test_an_english_text_has_three_bullets_one_insight_and_quotes_that_occur_in_it(shared: World) -> None:
    payload = dict(summary(shared)["payload"])  # type: ignore[call-overload]
    assert schemas.problem("summary", payload) is None
    assert len(payload["bullets"]) == 3
    assert all(evidence["quote"] in TEXT for evidence in payload.get("evidence", []))


def test_a_chinese_text_is_summed_up_in_chinese(shared: World) -> None:
    payload = dict(summary(shared, **CHINESE)["payload"])  # type: ignore[call-overload]
    assert schemas.problem("summary", payload) is None
    assert all(is_chinese(line) for line in [*payload["bullets"], payload["insight"]])


@pytest.mark.parametrize("profile", ["engineer", "creator", "manager"])
def test_the_profile_chooses_the_template(shared: World, profile: str) -> None:
    meta = dict(summary(shared, profile=profile)["meta"])  # type: ignore[call-overload]
    assert meta["template_version"] == f"summary.{profile}.v1"


def test_the_meta_names_what_was_read_and_holds_no_source_text(shared: World) -> None:
    meta = dict(summary(shared)["meta"])  # type: ignore[call-overload]
    assert meta["upstream_versions"] == {"extraction": 1}
    assert not any(sentence in str(meta) for sentence in TEXT.split(". ") if len(sentence) > 20)
