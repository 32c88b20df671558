"""The command line: options, exit codes, input files and reports."""

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
from evals.report import Run, render
from evals.rubric import Case, Finding
from evals.samples import ENGLISH
from readdo.errors import StepFailed

ONE = {
    "id": "one",
    "source_type": "web",
    "intent_text": "decide how often to back up our small database",
    "extracted_text": f"{ENGLISH.text} <script>alert(1)</script> \u202e",
}


class FixedEngine:
    """Engine that always returns the same results, or fails in `todos`."""

    VERSION = "fixed.1"
    model_id = "model-7"

    def __init__(self, failure: Exception | None = None, **other: dict[str, Any]) -> None:
        self.failure, self.results = failure, {**samples.english().payloads(), **other}

    def summarize(self, **_inputs: Any) -> Any:
        return self.results["summary"]

    def score(self, **_inputs: Any) -> Any:
        return self.results["score"]

    def todos(self, **_inputs: Any) -> Any:
        if self.failure:
            raise self.failure
        return self.results["todos"]

    def card(self, **_inputs: Any) -> Any:
        return self.results["card"]


def run_engine(engine: FixedEngine, *selected: Case) -> list[Outcome]:
    return play(Engine("fixed", "engineer", engine), list(selected) or [ENGLISH], lambda *_inputs: None)


def save_file(folder: Path, text: str, name: str = "cases.json") -> str:
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
def test_load_reads_single_cases_lists_and_json_lines(tmp_path: Path, text: str, count: int) -> None:
    assert len(cases.load([save_file(tmp_path, text)])) == count


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
def test_invalid_case_file_exits_with_2_and_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert runner.main(["--cases", save_file(tmp_path, text)]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("evals: ")
    assert "Traceback" not in captured.err + captured.out


def test_binary_case_file_is_reported_as_unreadable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.json").write_bytes(b"\xff\xfe\x00{")
    assert runner.main(["--cases", str(tmp_path / "*.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_missing_cases_or_report_folder_exit_with_2(tmp_path: Path) -> None:
    assert runner.main(["--cases", str(tmp_path / "*.json")]) == 2
    one = save_file(tmp_path, json.dumps(ONE))
    assert runner.main(["--cases", one, "--out", str(tmp_path / "no" / "x.html")]) == 2
    assert runner.main(["--cases", one, "--out", str(tmp_path)]) == 2


@pytest.mark.parametrize("flag", ["--engine", "--profile", "--format", "--fail-on", "--nonsense"])
def test_unknown_option_value_exits_with_2(flag: str) -> None:
    with pytest.raises(SystemExit) as exit_error:
        runner.main([flag, "nonsense"])
    assert exit_error.value.code == 2


@pytest.mark.parametrize("name", ["openai", "bedrock"])
@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (RuntimeError("no key"), "is not configured: no key"),
        (ImportError("no such module"), "is not part of this copy of the product: no such module."),
        (None, "is not configured: MODEL_NAME is not set."),
    ],
)
def test_unconfigured_engine_is_reported(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    name: str,
    failure: Exception | None,
    words: str,
) -> None:
    def import_engine(_name: str) -> Any:
        if failure:
            raise failure
        return lead3

    monkeypatch.setattr("evals.engines._import_engine", import_engine)
    assert runner.main(["--cases", save_file(tmp_path, json.dumps(ONE)), "--engine", name]) == 2
    assert capsys.readouterr().err.strip() == f"evals: The engine {name} {words}"


def test_configured_engine_is_judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("evals.engines._import_engine", lambda _name: FixedEngine())
    one = save_file(tmp_path, json.dumps({**ONE, "title": ENGLISH.title}))
    assert runner.main(["--cases", one, "--engine", "openai", "--fail-on", "P2"]) == 0


@pytest.mark.parametrize(("form", "start"), [("json", "{"), ("text", "case")])
def test_report_is_printed_in_the_requested_format(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, start: str
) -> None:
    code = runner.main(["--cases", save_file(tmp_path, json.dumps(ONE)), "--format", form])
    captured = capsys.readouterr()
    assert code in {0, 1}
    assert captured.out.startswith(start)
    assert "1 of 1 cases" in captured.err


def test_file_suffix_selects_the_report_format(tmp_path: Path) -> None:
    one = save_file(tmp_path, json.dumps(ONE))
    for name, start in (("r.html", "<!doctype html>"), ("r.json", "{"), ("r.txt", "case")):
        runner.main(["--cases", one, "--out", str(tmp_path / name)])
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    runner.main(["--cases", one, "--out", str(tmp_path / "r"), "--format", "json"])
    assert json.loads((tmp_path / "r").read_text(encoding="utf-8"))["levels"]["P0"]["cases"] == 1


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names |= {tag, *(name for name, _ in attrs)}


def test_html_report_escapes_all_case_content() -> None:
    nasty = "<script>alert(1)</script><img src=x onerror=alert(1)> and 'quotes' \" \u202e turned"
    case = Case("<b>id", "web", nasty, f"{ENGLISH.text} {nasty}", title=nasty, kind=nasty)
    summary = {"bullets": [nasty] * 3, "insight": nasty, "evidence": [{"quote": nasty}]}
    page = render(
        Run("fixed", "engineer", {"engine": nasty}, "P1", run_engine(FixedEngine(summary=summary), case)), "html"
    )
    tags = _Tags()
    tags.feed(page)
    assert not {"script", "img", "onerror", "b>id"} & tags.names
    assert "\u202e" not in page
    assert "[U+202E]" in page


@pytest.mark.parametrize("form", ["html", "json", "text"])
def test_report_names_engine_model_and_templates(form: str) -> None:
    run = Run(
        "fixed", "engineer", Engine("fixed", "engineer", FixedEngine()).versions(), "P1", run_engine(FixedEngine())
    )
    report = render(run, form)
    assert all(
        name in report for name in ("fixed.1", "model-7", "summary.engineer.v1", "score.v1", "todos.v1", "card.v1")
    )


def test_step_failure_fails_the_case_with_its_message() -> None:
    [outcome] = run_engine(FixedEngine(StepFailed("AI_TIMEOUT", "It took too long.")))
    assert outcome.wrong("P0")[0].why == "no result: todos: AI_TIMEOUT: It took too long."
    assert not outcome.passed("P1")
    assert not outcome.passed("P2")


def test_engine_crash_fails_the_case_but_not_the_runner() -> None:
    [outcome] = run_engine(FixedEngine(KeyError("odd")))
    assert "todos: KeyError" in outcome.wrong("P0")[0].why
    assert render(Run("fixed", "engineer", {"engine": "", "model": "", "templates": ""}, "P1", [outcome]), "html")


def test_case_may_expect_a_failure() -> None:
    case = Case(**{**vars(ENGLISH), "expect": {"fails": "EXTRACTION_PARSE_FAILED"}})
    [honest] = run_engine(FixedEngine(StepFailed("EXTRACTION_PARSE_FAILED", "There is no text.")), case)
    assert all(honest.passed(level) for level in ("P0", "P1", "P2"))
    [made_up] = run_engine(FixedEngine(), case)
    assert not made_up.passed("P0")


def test_text_must_outscore_its_foreign_intent_case() -> None:
    first = Case(**{**vars(ENGLISH), "expect": {"outscores": {"id": "other", "by": 10}}})
    fits, _other = run_engine(FixedEngine(), first, Case(**{**vars(ENGLISH), "id": "other"}))
    assert [one.check for one in fits.wrong("P1")] == ["outscores a foreign intent"]
    [alone] = run_engine(FixedEngine(), first)
    assert alone.passed("P1")


def test_gate_allows_two_p2_failures_in_ten_and_none_in_p0_and_p1() -> None:
    good, bad = Finding("P2", "a check", ""), Finding("P2", "a check", "why")
    outcomes = [Outcome(ENGLISH, None, "", (bad if number < 2 else good,)) for number in range(10)]
    assert passes(rows(outcomes), "P2")
    assert not Row("P2", 10, 3).passed
    assert not Row("P2", 4, 1).passed
    assert not Row("P1", 100, 1).passed
    assert passes([Row("P0", 9, 0), Row("P1", 9, 1), Row("P2", 9, 9)], "P0")
    assert passes([Row("P0", 9, 0), Row("P1", 9, 0), Row("P2", 9, 9)], "P1")
    assert not passes([Row("P0", 9, 0), Row("P1", 9, 0), Row("P2", 9, 9)], "P2")


def test_recall_accepts_any_wording_of_a_fact() -> None:
    case = Case(**{**vars(ENGLISH), "gold": [["31 euros", "31"], ["1,000"], ["two keys"]]})
    result = recall(case, {"bullets": ["An hourly one costs 31.", "b", "c"], "insight": "It was 1000 in all."})
    assert (result.mentioned, result.of, result.missing) == (2, 3, ("two keys",))


def test_at_random_picks_four_sentences_reproducibly() -> None:
    summary = lead3.at_random("One is here. Two is here! Three is here. Four is here. Five is here.", "a")
    lines = [*summary["bullets"], summary["insight"]]
    assert len(set(lines)) == 4
    assert set(lines) <= {"One is here.", "Two is here!", "Three is here.", "Four is here.", "Five is here."}
    assert summary == lead3.at_random("One is here. Two is here! Three is here. Four is here. Five is here.", "a")


def test_lead_three_takes_the_first_three_sentences_as_bullets() -> None:
    summary = lead3.summarize(text="# Head\nOne is here. Two is here!\n第三句话写在这里。Four is here.")
    assert summary["bullets"] == ["One is here.", "Two is here!", "第三句话写在这里。"]
    assert summary["insight"] == "Four is here."
    assert len(lead3.summarize(text="short")["bullets"]) == 3
