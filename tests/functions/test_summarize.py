"""summarize: three bullets and an insight, by the profile's template and in the intent's language."""

import pytest

from functions.items_in import CHINESE, item_at_step, step_event
from readdo import schemas
from readdo.read import artifacts
from support.world import TEXT, World


def summarize(world: World, **capture: str) -> dict[str, object]:
    item_id = item_at_step(world, "summarize", **capture)
    world.invoke("summarize", step_event(world, item_id, "summarize"))
    artifact = artifacts.of_run(world.table, "me", item_id, "summary", world.row(item_id)["run_id"])
    assert artifact is not None
    return artifact


def is_chinese(text: str) -> bool:
    return sum("\u4e00" <= c <= "\u9fff" for c in text) * 2 > len(text)


def test_summary_has_three_bullets_and_quotes_from_the_text(world: World) -> None:
    payload = dict(summarize(world)["payload"])  # type: ignore[call-overload]
    assert schemas.schema_problem("summary", payload) is None
    assert len(payload["bullets"]) == 3
    assert all(evidence["quote"] in TEXT for evidence in payload.get("evidence", []))


def test_chinese_text_gets_a_chinese_summary(world: World) -> None:
    payload = dict(summarize(world, **CHINESE)["payload"])  # type: ignore[call-overload]
    assert schemas.schema_problem("summary", payload) is None
    assert all(is_chinese(line) for line in [*payload["bullets"], payload["insight"]])


@pytest.mark.parametrize("profile", ["engineer", "creator", "manager"])
def test_profile_selects_the_template(world: World, profile: str) -> None:
    meta = dict(summarize(world, profile=profile)["meta"])  # type: ignore[call-overload]
    assert meta["template_version"] == f"summary.{profile}.v1"


def test_summary_meta_names_its_upstream_and_holds_no_source_text(world: World) -> None:
    meta = dict(summarize(world)["meta"])  # type: ignore[call-overload]
    assert meta["upstream_versions"] == {"extraction": 1}
    assert not any(sentence in str(meta) for sentence in TEXT.split(". ") if len(sentence) > 20)
