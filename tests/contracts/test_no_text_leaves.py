"""User text stays in the table and the bucket: workflows and logs carry only ids."""

import importlib
import io
import json
import logging
from typing import Any

import pytest

from readdo.engine import extractive
from readdo.runtime import Unexpected, logger
from support import import_helpers
from support.reader import Reader
from support.template import function_name, functions
from support.world import TEXT, World, context

MARK = "zebrafinch"
# All except the API and the pages, which report an error to the caller.
ROOMS = [function_name(name) for name in functions() if name not in ("HttpApi", "Pages")]
MARKED = f"{TEXT} The {MARK} sleeps while the lease of the queue is renewed."
IDS = {"owner", "item", "run", "epoch", "execution", "export", "again", "error", "backup", "restore"}
IDS_OF_IMPORTS = {"owner", "import", "epoch", "read", "slice", "wait"}


@pytest.fixture
def logged() -> Any:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logger.registered_formatter)
    inner = logger._logger
    level = inner.level
    inner.addHandler(handler)
    inner.setLevel("DEBUG")
    yield stream
    inner.removeHandler(handler)
    inner.setLevel(level)


def capture_marked(fresh: World) -> str:
    intent = f"make our {MARK} queue safe"
    return fresh.capture(intent_text=intent, title=f"On the {MARK}", content=MARKED, url=f"https://example.org/{MARK}")


def events_of(fresh: World) -> str:
    return json.dumps([event for room, event in fresh.invoked if room != "http_api"], ensure_ascii=False)


def test_run_and_export_carry_only_ids(fresh: World, logged: io.StringIO) -> None:
    item_id = capture_marked(fresh)
    assert fresh.settled(item_id)["status"] == "READY"
    fresh.api("POST", f"/items/{item_id}/export", {"export_key": MARK})
    assert fresh.settled(item_id)["status"] == "SHIPPED"
    assert {name for _, event in fresh.invoked for name in event} <= IDS
    assert MARK not in events_of(fresh)
    assert MARK not in logged.getvalue()
    assert all(MARK not in e["name"] for e in fresh.executions() + fresh.executions("ExportMachineArn"))


def test_import_carries_only_ids_and_numbers(fresh: World, logged: io.StringIO) -> None:
    marked = f"https://example.org/{MARK}\njavascript:{MARK}\n"
    import_id = import_helpers.start_import(fresh, marked, f"{MARK}.txt", intent_text=f"find the {MARK}", process=False)
    fresh.settle()
    assert import_helpers.get_import(fresh, import_id)["status"] == "DONE"
    events = [event for room, event in fresh.invoked if room in ("read_file", "import_lines")]
    assert {name for event in events for name in event} == IDS_OF_IMPORTS
    assert MARK not in events_of(fresh)
    assert MARK not in logged.getvalue()
    assert all(MARK not in e["name"] for e in fresh.executions("ImportMachineArn"))


@pytest.mark.parametrize("wrong", ["a quote that is not in the text", "a text that is too long"])
def test_refused_result_is_logged_without_its_text(
    wrong: str, fresh: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The execution's history contains the event of record_failure and has other readers."""
    summarize = extractive.summarize

    def marked(**parameters: Any) -> dict[str, Any]:
        summary = dict(summarize(**parameters))
        if wrong.startswith("a quote"):
            return summary | {"evidence": [{**e, "quote": f"{MARK} {e['quote']}"} for e in summary["evidence"]]}
        return summary | {"insight": f"{MARK} " * 500}

    monkeypatch.setattr(extractive, "summarize", marked)
    item_id = capture_marked(fresh)
    assert fresh.settled(item_id)["status"] == "FAILED_AI"
    assert "step failed" in logged.getvalue()
    assert MARK not in events_of(fresh), "in the workflow's state"
    assert MARK not in logged.getvalue(), "in the log"


def crash(**_: Any) -> Any:
    raise ValueError(f"cannot read {MARKED}")


def test_step_error_is_logged_with_type_and_place_only(
    fresh: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lambda logs an exception's message, and the workflow stores it in its history."""
    monkeypatch.setattr(extractive, "summarize", crash)
    item_id = capture_marked(fresh)
    assert fresh.settled(item_id)["status"] == "FAILED_AI"
    assert MARK not in events_of(fresh), "in the workflow's state"
    assert MARK not in logged.getvalue() + capsys.readouterr().out, "in the log"
    assert "ValueError" in logged.getvalue()
    assert "crash" in logged.getvalue(), "the place"
    assert "ValueError" in fresh.row(item_id)["failure"]["debug_message"]


def test_export_error_is_logged_without_text(
    fresh: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    item_id = capture_marked(fresh)
    fresh.settled(item_id)
    monkeypatch.setattr(importlib.import_module("export"), "render", lambda *_, **__: crash())
    fresh.api("POST", f"/items/{item_id}/export", {"export_key": "k"})
    fresh.settled(item_id)
    assert MARK not in events_of(fresh)
    assert MARK not in logged.getvalue()
    assert "not drawn" in logged.getvalue()


def test_api_error_is_logged_without_text(fresh: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    item_id = capture_marked(fresh)
    fresh.settled(item_id)
    monkeypatch.setattr(importlib.import_module("readdo.read.views"), "item", lambda *_: crash())
    answer = fresh.api("GET", f"/items/{item_id}")
    assert answer.status == 500
    assert MARK not in answer.text
    assert MARK not in logged.getvalue()
    assert answer.json["error"]["details"]["request_id"] in logged.getvalue()


def test_page_error_is_logged_without_text(fresh: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    item_id = capture_marked(fresh)
    fresh.settled(item_id)
    monkeypatch.setattr(importlib.import_module("readdo.read.views"), "item", lambda *_: crash())
    page = Reader(fresh).look(f"/my/items/{item_id}")
    assert (page.status, "request-1" in page.words()) == (500, True)
    assert MARK not in page.text
    assert MARK not in logged.getvalue()
    assert "request-1" in logged.getvalue()


def test_log_entries_of_a_run_share_its_id_and_nothing_of_an_earlier_call(
    fresh: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.import_module("extract"), "produce", lambda _: crash())
    run = fresh.settled(capture_marked(fresh))["run_id"]
    with pytest.raises(Unexpected):
        fresh.invoke("lease", {"id": "another-call"})
    *of_run, other = [json.loads(line) for line in logged.getvalue().splitlines() if line.startswith('{"level"')]
    assert {entry["message"]: entry["correlation_id"] for entry in of_run} == {"unexpected": run, "step failed": run}
    assert (other["correlation_id"], "item" in other) == ("another-call", False)


@pytest.mark.parametrize("name", ROOMS)
def test_function_reports_only_the_type_of_an_error(name: str) -> None:
    handler = importlib.import_module(name).handler
    with pytest.raises(Unexpected) as raised:
        handler(None, context(name))
    assert str(raised.value) in ("TypeError", "AttributeError", "RuntimeError")
