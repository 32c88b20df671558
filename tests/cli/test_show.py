"""One item: why it was saved, what was made of it, what may be done."""

import json

import pytest

from terminal.moments import clock
from terminal.words import next_commands

from .conftest import Person, too_wide
from .product import Product
from .samples import AT, EN, ZH, failure, payloads


@pytest.mark.parametrize("item_id", [EN, ZH])
@pytest.mark.parametrize("live", [True, False])
def test_everything_is_there_in_its_order(person: Person, product: Product, item_id: str, live: bool) -> None:
    row, made = product.add(item_id), payloads(item_id)
    person.live = live
    shown = person.run("show", item_id).stdout
    flat = "".join(shown.split())
    assert too_wide(shown) == [] or not live
    told = [
        row["title"],
        row["intent_text"],
        *made["summary"]["bullets"],
        made["summary"]["insight"],
        *made["score"]["reasons"],
        made["todos"]["todos"][0]["title"],
    ]
    places = [flat.index("".join(text.split())) for text in told[:6]]
    assert places == sorted(places)
    assert ["".join(text.split()) in flat for text in told] == [True] * len(told)
    assert "65% sure" in shown
    assert f"“{made['score']['evidence'][0]['quote']}”" in shown
    assert "P1 · BUILD · 1h · #" in shown
    assert f"readdo export {item_id[-6:]}" in shown
    assert ("╭" in shown) == live, "boxes are for terminals"


def test_a_pipe_gets_each_paragraph_in_one_line(person: Person, product: Product) -> None:
    product.add(EN)
    lines = person.run("show", EN).stdout.splitlines()
    assert f"  • {payloads(EN)['summary']['bullets'][1]}" in lines
    assert "  intent 82.3, content 43.9, novelty 100, effort 78.1" in lines


def test_a_failure_says_what_when_and_how_to_go_on(reader: Person, product: Product) -> None:
    product.add(EN, "FAILED_EXTRACTION", failure=failure(next_retry_at="2026-11-18T13:02:00.000Z", attempts=2))
    shown = reader.run("show", EN).stdout
    assert "✗ The page answered with 404" in shown
    assert "step extract · EXTRACTION_FETCH_FAILED · tried 2 times · last 1 min ago" in shown
    assert "tried again by itself in 2 min" in shown
    assert "readdo retry B0MA8N" in shown


def test_a_failed_export_of_a_shipped_item_is_told_beside_what_is_fine(reader: Person, product: Product) -> None:
    product.add(EN, "SHIPPED", last_export_failure=failure("export", message="The card could not be drawn."))
    shown = reader.run("show", EN).stdout
    assert "The last export failed; earlier ones are untouched." in shown
    assert "The card could not be drawn." in shown


@pytest.mark.parametrize("part", ["summary", "score", "todos", "card", "extraction"])
def test_only_a_part_and_as_json_the_artifact_itself(person: Person, product: Product, part: str) -> None:
    product.add(ZH)
    whole, only = person.run("show", ZH).stdout, person.run("show", ZH, "--only", part).stdout
    assert 0 < len(only) < len(whole)
    assert json.loads(person.run("show", ZH, "--only", part, "--json").stdout) == product.made[ZH][part][0]


def test_an_extraction_is_the_text_and_a_card_comes_with_its_caption(person: Person, product: Product) -> None:
    product.add(ZH)
    text = payloads(ZH)["extraction"]["normalized_text"]
    assert person.run("show", ZH, "--only", "extraction").stdout == text + "\n"
    shown = person.run("show", ZH, "--only", "card").stdout
    assert "Caption\n  围栏令牌的实践" in shown


def test_a_part_that_is_not_there_is_not_found(person: Person, product: Product) -> None:
    product.add(EN, "QUEUED")
    result = person.run("show", EN, "--only", "card")
    assert (result.exit_code, "has no card: it is QUEUED" in result.stderr) == (3, True)


def test_history_and_versions_come_when_asked_for(reader: Person, product: Product) -> None:
    product.add(EN)
    reader.run("edit", EN, "--from", "-", stdin="## Bullets\n- another first bullet\n- b\n- c\n## Insight\nanother one")
    shown = reader.run("show", EN, "--history", "--versions").stdout
    assert "publish" in shown
    assert "✓ summary      2  yours" in shown
    assert "  summary      1  system" in shown
    assert "Summary  yours, version 2" in shown
    assert too_wide(shown) == []
    plain = reader.run("show", EN).stdout
    assert "publish" not in plain
    old = reader.run("show", EN, "--only", "summary", "--version", "1").stdout
    assert payloads(EN)["summary"]["bullets"][0] in " ".join(old.split())
    assert reader.run("show", EN, "--only", "summary", "--version", "9").exit_code == 3
    assert reader.run("show", EN, "--version", "1").exit_code == 2


def test_json_is_the_answer_of_the_api(person: Person, product: Product) -> None:
    row = product.add(EN)
    answer = json.loads(person.run("show", EN, "--json", "--history").stdout)
    assert answer["item"] == row
    assert set(answer) == {"item", "artifacts", "exports", "available_actions", "history"}


def test_an_action_that_is_new_to_this_client_is_shown_as_the_api_has_it() -> None:
    new = [{"action": "frame", "method": "POST", "path": f"/items/{EN}/frame"}]
    assert next_commands(new, {"status": "READY"}) == [(f"POST /items/{EN}/frame", "frame")]


def test_undo_is_offered_for_what_was_changed_and_for_nothing_else() -> None:
    unedit = [{"action": "unedit", "method": "DELETE", "path": f"/items/{EN}/artifacts/{{type}}/user"}]
    row = {"id": EN, "status": "READY"}
    offered = next_commands(unedit, {**row, "edited": ["card", "todos"]})
    assert [command for command, _ in offered] == ["readdo edit B0MA8N card --undo", "readdo edit B0MA8N todos --undo"]
    assert next_commands(unedit, row) == []


@pytest.mark.parametrize(("retryable", "first"), [(False, "edit B0MA8N content"), (True, "retry B0MA8N")])
def test_a_paste_comes_first_where_only_that_helps(retryable: bool, first: str) -> None:
    path = f"/items/{EN}"
    actions = [{"action": name, "method": "POST", "path": path} for name in ("patch", "process", "retry")]
    row = {"id": EN, "status": "FAILED_EXTRACTION", "failure": failure(retryable=retryable)}
    commands = [command for command, _ in next_commands(actions, row)]
    assert commands[0] == f"readdo {first}"
    assert {"readdo edit B0MA8N content", "readdo retry B0MA8N"} < set(commands)


def test_exports_are_told_apart(reader: Person, product: Product) -> None:
    product.add(EN)
    reader.run("export", EN, "-f", "html", "--theme", "dark", "--layout", "square")
    reader.run("export", EN, "-f", "html")
    shown = " ".join(reader.run("show", EN).stdout.split())
    assert f"html · dark, square · {clock(AT)[:16]} · key" in shown
    assert f"html · light, tall · {clock(AT)[:16]} · key" in shown
