"""The command: its flags, its exit codes, and the files that it takes and writes."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from evals import __main__ as runner
from evals import cases, lead3, samples
from evals.engines import Engine
from evals.gate import Row, passes, rows
from evals.play import Outcome, play
from evals.recall import recall
from evals.report import Run, written
from evals.rubric import Case, Finding
from evals.samples import ENGLISH
from readdo.errors import StepFailed

ONE = {
    "id": "one",
    "source_type": "web",
    "intent_text": "decide how often to back up our small database",
    "extracted_text": f"{ENGLISH.text} <script>alert(1)</script> \u202e",
}


class Fixed:
    """An engine that always says the same, except where it is told to fail."""

    VERSION = "fixed.1"
    model_id = "model-7"

    def __init__(self, failure: Exception | None = None, **other: dict[str, Any]) -> None:
        self.failure, self.made = failure, {**samples.english().payloads(), **other}

    def summarize(self, **_told: Any) -> Any:
        return self.made["summary"]

    def score(self, **_told: Any) -> Any:
        return self.made["score"]

    def todos(self, **_told: Any) -> Any:
        if self.failure:
            raise self.failure
        return self.made["todos"]

    def card(self, **_told: Any) -> Any:
        return self.made["card"]


def played(engine: Fixed, *asked: Case) -> list[Outcome]:
    return play(Engine("fixed", "engineer", engine), list(asked) or [ENGLISH], lambda *_told: None)


def saved(folder: Path, text: str, name: str = "cases.json") -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (json.dumps(ONE), 1),
        (json.dumps([ONE, {**ONE, "id": "two"}]), 2),
        (json.dumps({"cases": [ONE]}), 1),
        (f"{json.dumps(ONE)}\n\n{json.dumps({**ONE, 'id': 'two'})}\n", 2),
        ("\ufeff" + json.dumps({**ONE, "title": None, "domain": "x.example", "unknown": 3, "gold": ["a fact"]}), 1),
    ],
)
def test_cases_come_one_a_file_many_a_file_or_one_a_line(tmp_path: Path, text: str, count: int) -> None:
    assert len(cases.load([saved(tmp_path, text)])) == count


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "[3]", '{"id": "one"}', json.dumps([ONE, ONE])),
        *(
            json.dumps({**ONE, **odd})
            for odd in ({"gold": [[3]]}, {"expect": [1]}, {"title": 3}, {"extracted_text": " "})
        ),
    ],
)
def test_what_is_no_case_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert runner.main(["--cases", saved(tmp_path, text)]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("evals: ")
    assert "Traceback" not in told.err + told.out


def test_a_file_that_is_no_text_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe\x00{")
    assert runner.main(["--cases", str(tmp_path / "*.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_no_case_and_no_place_for_the_report_are_the_runners_errors(tmp_path: Path) -> None:
    assert runner.main(["--cases", str(tmp_path / "*.json")]) == 2
    one = saved(tmp_path, json.dumps(ONE))
    assert runner.main(["--cases", one, "--out", str(tmp_path / "no" / "x.html")]) == 2
    assert runner.main(["--cases", one, "--out", str(tmp_path)]) == 2


@pytest.mark.parametrize("flag", ["--engine", "--profile", "--format", "--fail-on", "--nonsense"])
def test_an_unknown_value_is_the_runners_error(flag: str) -> None:
    with pytest.raises(SystemExit) as left:
        runner.main([flag, "nonsense"])
    assert left.value.code == 2


@pytest.mark.parametrize("name", ["openai", "bedrock"])
@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (RuntimeError("no key"), "is not configured: no key"),
        (ImportError("no such module"), "is not part of this copy of the product: no such module."),
        (None, "is not configured: no model is named (MODEL_NAME)."),
    ],
)
def test_an_engine_that_is_not_configured_is_said_in_words(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    name: str,
    failure: Exception | None,
    words: str,
) -> None:
    def chosen(_name: str) -> Any:
        if failure:
            raise failure
        return lead3

    monkeypatch.setattr("evals.engines._chosen", chosen)
    assert runner.main(["--cases", saved(tmp_path, json.dumps(ONE)), "--engine", name]) == 2
    assert capsys.readouterr().err.strip() == f"evals: The engine {name} {words}"


def test_an_engine_that_is_configured_is_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("evals.engines._chosen", lambda _name: Fixed())
    one = saved(tmp_path, json.dumps({**ONE, "title": ENGLISH.title}))
    assert runner.main(["--cases", one, "--engine", "openai", "--fail-on", "P2"]) == 0


@pytest.mark.parametrize(("form", "start"), [("json", "{"), ("text", "case")])
def test_the_report_is_printed_in_either_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, start: str
) -> None:
    code = runner.main(["--cases", saved(tmp_path, json.dumps(ONE)), "--format", form])
    told = capsys.readouterr()
    assert code in {0, 1}
    assert told.out.startswith(start)
    assert "1 of 1 cases" in told.err


def test_the_files_ending_says_the_form_of_the_report(tmp_path: Path) -> None:
    one = saved(tmp_path, json.dumps(ONE))
    for name, start in (("r.html", "<!doctype html>"), ("r.json", "{"), ("r.txt", "case")):
        runner.main(["--cases", one, "--out", str(tmp_path / name)])
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    runner.main(["--cases", one, "--out", str(tmp_path / "r"), "--format", "json"])
    assert json.loads((tmp_path / "r").read_text(encoding="utf-8"))["levels"]["P0"]["cases"] == 1


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen |= {tag, *(name for name, _ in attrs)}


def test_nothing_of_a_case_is_more_than_text_on_the_page() -> None:
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)> and 'quotes' \" \u202e turned"
    case = Case("<b>id", "web", nasty, f"{ENGLISH.text} {nasty}", title=nasty, kind=nasty)
    summary = {"bullets": [nasty] * 3, "insight": nasty, "evidence": [{"quote": nasty}]}
    page = written(Run("fixed", "engineer", {"engine": nasty}, "P1", played(Fixed(summary=summary), case)), "html")
    tags = _Tags()
    tags.feed(page)
    assert not {"script", "img", "onerror", "b>id"} & tags.seen
    assert "\u202e" not in page
    assert "[U+202E]" in page


@pytest.mark.parametrize("form", ["html", "json", "text"])
def test_the_report_names_who_was_judged(form: str) -> None:
    run = Run("fixed", "engineer", Engine("fixed", "engineer", Fixed()).versions(), "P1", played(Fixed()))
    report = written(run, form)
    assert all(
        name in report for name in ("fixed.1", "model-7", "summary.engineer.v1", "score.v1", "todos.v1", "card.v1")
    )


def test_an_engine_with_nothing_to_say_fails_the_case_with_its_words() -> None:
    [outcome] = played(Fixed(StepFailed("AI_TIMEOUT", "It took too long.")))
    assert outcome.wrong("P0")[0].why == "no result: todos: AI_TIMEOUT: It took too long."
    assert not outcome.passed("P1")
    assert not outcome.passed("P2")


def test_an_engine_that_breaks_fails_the_case_and_not_the_runner() -> None:
    [outcome] = played(Fixed(KeyError("odd")))
    assert "todos: KeyError" in outcome.wrong("P0")[0].why
    assert written(Run("fixed", "engineer", {"engine": "", "model": "", "templates": ""}, "P1", [outcome]), "html")


def test_a_case_may_expect_that_nothing_can_be_said() -> None:
    case = Case(**{**vars(ENGLISH), "expect": {"fails": "EXTRACTION_PARSE_FAILED"}})
    [honest] = played(Fixed(StepFailed("EXTRACTION_PARSE_FAILED", "There is no text.")), case)
    assert all(honest.passed(level) for level in ("P0", "P1", "P2"))
    [made_up] = played(Fixed(), case)
    assert not made_up.passed("P0")


def test_a_text_must_score_clearly_higher_for_the_intent_that_it_fits() -> None:
    first = Case(**{**vars(ENGLISH), "expect": {"outscores": {"id": "other", "by": 10}}})
    fits, _other = played(Fixed(), first, Case(**{**vars(ENGLISH), "id": "other"}))
    assert [one.check for one in fits.wrong("P1")] == ["outscores a foreign intent"]
    [alone] = played(Fixed(), first)
    assert alone.passed("P1")


def test_the_gate_lets_two_cases_in_ten_fail_in_p2_and_none_before() -> None:
    good, bad = Finding("P2", "a check", ""), Finding("P2", "a check", "why")
    outcomes = [Outcome(ENGLISH, None, "", (bad if number < 2 else good,)) for number in range(10)]
    assert passes(rows(outcomes), "P2")
    assert not Row("P2", 10, 3).passed
    assert not Row("P2", 4, 1).passed
    assert not Row("P1", 100, 1).passed
    assert passes([Row("P0", 9, 0), Row("P1", 9, 1), Row("P2", 9, 9)], "P0")
    assert passes([Row("P0", 9, 0), Row("P1", 9, 0), Row("P2", 9, 9)], "P1")
    assert not passes([Row("P0", 9, 0), Row("P1", 9, 0), Row("P2", 9, 9)], "P2")


def test_facts_are_counted_in_any_of_their_wordings() -> None:
    case = Case(**{**vars(ENGLISH), "gold": [["31 euros", "31"], ["1,000"], ["two keys"]]})
    found = recall(case, {"bullets": ["An hourly one costs 31.", "b", "c"], "insight": "It was 1000 in all."})
    assert (found.told, found.of, found.missing) == (2, 3, ("two keys",))


def test_any_four_sentences_are_of_the_text_and_the_same_for_the_same_seed() -> None:
    made = lead3.at_random("One is here. Two is here! Three is here. Four is here. Five is here.", "a")
    said = [*made["bullets"], made["insight"]]
    assert len(set(said)) == 4
    assert set(said) <= {"One is here.", "Two is here!", "Three is here.", "Four is here.", "Five is here."}
    assert made == lead3.at_random("One is here. Two is here! Three is here. Four is here. Five is here.", "a")


def test_lead_three_takes_the_first_three_sentences() -> None:
    made = lead3.summarize(text="# Head\nOne is here. Two is here!\n第三句话写在这里。Four is here.")
    assert made["bullets"] == ["One is here.", "Two is here!", "第三句话写在这里。"]
    assert made["insight"] == "Four is here."
    assert len(lead3.summarize(text="short")["bullets"]) == 3
