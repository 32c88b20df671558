"""readdo show: an item's intents, artifacts and available actions."""

import json

import pytest

from terminal.time_format import clock
from terminal.words import next_commands

from .conftest import User, too_wide
from .product import Product
from .samples import AT, EN, ZH, failure, payloads


@pytest.mark.parametrize("item_id", [EN, ZH])
@pytest.mark.parametrize("live", [True, False])
def test_show_prints_all_parts_in_order(user: User, product: Product, item_id: str, live: bool) -> None:
    row, artifacts = product.add(item_id), payloads(item_id)
    user.live = live
    output = user.run("show", item_id).stdout
    flat = "".join(output.split())
    assert too_wide(output) == [] or not live
    texts = [
        row["title"],
        row["intent_text"],
        *artifacts["summary"]["bullets"],
        artifacts["summary"]["insight"],
        *artifacts["score"]["reasons"],
        artifacts["todos"]["todos"][0]["title"],
    ]
    places = [flat.index("".join(text.split())) for text in texts[:6]]
    assert places == sorted(places)
    assert ["".join(text.split()) in flat for text in texts] == [True] * len(texts)
    assert "65% sure" in output
    assert f"“{artifacts['score']['evidence'][0]['quote']}”" in output
    assert "P1 · BUILD · 1h · #" in output
    assert f"readdo export {item_id[-6:]}" in output
    assert ("╭" in output) == live, "boxes are for terminals"


def test_show_in_a_pipe_prints_each_paragraph_on_one_line(user: User, product: Product) -> None:
    product.add(EN)
    lines = user.run("show", EN).stdout.splitlines()
    assert f"  • {payloads(EN)['summary']['bullets'][1]}" in lines
    assert "  relevance 82.3, depth 43.9, novelty 100, effort 78.1" in lines


def test_show_prints_a_failure_with_its_next_step(live_user: User, product: Product) -> None:
    product.add(EN, "FAILED_EXTRACTION", failure=failure(next_retry_at="2026-11-18T13:02:00.000Z", attempts=2))
    output = live_user.run("show", EN).stdout
    assert "✗ The page answered with 404" in output
    assert "step extract · EXTRACTION_FETCH_FAILED · tried 2 times · last 1 min ago" in output
    assert "Next automatic retry in 2 min" in output
    assert "readdo retry B0MA8N" in output


def test_show_prints_a_failed_export_of_a_shipped_item(live_user: User, product: Product) -> None:
    product.add(EN, "SHIPPED", last_export_failure=failure("export", message="The card could not be drawn."))
    output = live_user.run("show", EN).stdout
    assert "The last export failed. Earlier exports are unchanged." in output
    assert "The card could not be drawn." in output


@pytest.mark.parametrize("part", ["summary", "score", "todos", "card", "extraction"])
def test_show_only_prints_one_artifact(user: User, product: Product, part: str) -> None:
    product.add(ZH)
    full_output, only = user.run("show", ZH).stdout, user.run("show", ZH, "--only", part).stdout
    assert 0 < len(only) < len(full_output)
    assert json.loads(user.run("show", ZH, "--only", part, "--json").stdout) == product.artifacts[ZH][part][0]


def test_show_only_prints_the_text_and_the_caption(user: User, product: Product) -> None:
    product.add(ZH)
    text = payloads(ZH)["extraction"]["normalized_text"]
    assert user.run("show", ZH, "--only", "extraction").stdout == text + "\n"
    output = user.run("show", ZH, "--only", "card").stdout
    assert "Caption\n  围栏令牌的实践" in output


def test_show_only_of_a_missing_artifact_is_not_found(user: User, product: Product) -> None:
    product.add(EN, "QUEUED")
    result = user.run("show", EN, "--only", "card")
    assert (result.exit_code, "has no card yet: it is QUEUED" in result.stderr) == (3, True)


def test_show_prints_history_and_versions_on_request(live_user: User, product: Product) -> None:
    product.add(EN)
    live_user.run(
        "edit", EN, "--from", "-", stdin="## Bullets\n- another first bullet\n- b\n- c\n## Insight\nanother one"
    )
    output = live_user.run("show", EN, "--history", "--versions").stdout
    assert "publish" in output
    assert "✓ summary      2  yours" in output
    assert "  summary      1  system" in output
    assert "Summary  yours, version 2" in output
    assert too_wide(output) == []
    plain = live_user.run("show", EN).stdout
    assert "publish" not in plain
    old = live_user.run("show", EN, "--only", "summary", "--version", "1").stdout
    assert payloads(EN)["summary"]["bullets"][0] in " ".join(old.split())
    assert live_user.run("show", EN, "--only", "summary", "--version", "9").exit_code == 3
    assert live_user.run("show", EN, "--version", "1").exit_code == 2


def test_json_output_is_the_api_response(user: User, product: Product) -> None:
    row = product.add(EN)
    answer = json.loads(user.run("show", EN, "--json", "--history").stdout)
    assert answer["item"] == row
    assert set(answer) == {"item", "artifacts", "exports", "available_actions", "history"}


def test_unknown_action_is_printed_as_its_call() -> None:
    new = [{"action": "frame", "method": "POST", "path": f"/items/{EN}/frame"}]
    assert next_commands(new, {"status": "READY"}) == [(f"POST /items/{EN}/frame", "frame")]


def test_undo_is_offered_only_for_edited_kinds() -> None:
    unedit = [{"action": "unedit", "method": "DELETE", "path": f"/items/{EN}/artifacts/{{type}}/user"}]
    row = {"id": EN, "status": "READY"}
    offered = next_commands(unedit, {**row, "edited": ["card", "todos"]})
    assert [command for command, _ in offered] == ["readdo edit B0MA8N card --undo", "readdo edit B0MA8N todos --undo"]
    assert next_commands(unedit, row) == []


@pytest.mark.parametrize(("retryable", "first"), [(False, "edit B0MA8N content"), (True, "retry B0MA8N")])
def test_next_commands_start_with_the_useful_one(retryable: bool, first: str) -> None:
    path = f"/items/{EN}"
    actions = [{"action": name, "method": "POST", "path": path} for name in ("patch", "process", "retry")]
    row = {"id": EN, "status": "FAILED_EXTRACTION", "failure": failure(retryable=retryable)}
    commands = [command for command, _ in next_commands(actions, row)]
    assert commands[0] == f"readdo {first}"
    assert {"readdo edit B0MA8N content", "readdo retry B0MA8N"} < set(commands)


def test_show_prints_the_options_of_each_export(live_user: User, product: Product) -> None:
    product.add(EN)
    live_user.run("export", EN, "-f", "html", "--theme", "dark", "--layout", "square")
    live_user.run("export", EN, "-f", "html")
    output = " ".join(live_user.run("show", EN).stdout.split())
    assert f"html · dark, square · {clock(AT)[:16]} · key" in output
    assert f"html · light, tall · {clock(AT)[:16]} · key" in output
