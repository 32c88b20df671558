"""What a user wrote stays in the table and the bucket: workflows carry ids, and so do logs."""

import importlib
import io
import json
import logging
from typing import Any

import pytest

from readdo.engine import extractive
from readdo.error_redaction import Unexpected
from readdo.runtime import logger
from support import import_helpers
from support.reader import Reader
from support.template import functions, room
from support.world import TEXT, World

MARK = "zebrafinch"
# Each but the doors, which answer in words what breaks.
ROOMS = [room(name) for name in functions() if name not in ("HttpApi", "Pages")]
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


def captured(made: World) -> str:
    intent = f"make our {MARK} queue safe"
    return made.capture(intent_text=intent, title=f"On the {MARK}", content=MARKED, url=f"https://example.org/{MARK}")


def given(made: World) -> str:
    return json.dumps([event for room, event in made.invoked if room != "http_api"], ensure_ascii=False)


def test_a_run_and_an_export_that_go_well_carry_ids_only(made: World, logged: io.StringIO) -> None:
    item_id = captured(made)
    assert made.settled(item_id)["status"] == "READY"
    made.api("POST", f"/items/{item_id}/export", {"export_key": MARK})
    assert made.settled(item_id)["status"] == "SHIPPED"
    assert {name for _, event in made.invoked for name in event} <= IDS
    assert MARK not in given(made)
    assert MARK not in logged.getvalue()
    assert all(MARK not in e["name"] for e in made.executions() + made.executions("ExportMachineArn"))


def test_an_import_carries_ids_and_numbers_only(made: World, logged: io.StringIO) -> None:
    marked = f"https://example.org/{MARK}\njavascript:{MARK}\n"
    import_id = import_helpers.begin(made, marked, f"{MARK}.txt", intent_text=f"find the {MARK}", process=False)
    made.settle()
    assert import_helpers.look(made, import_id)["status"] == "DONE"
    events = [event for room, event in made.invoked if room in ("read_file", "import_lines")]
    assert {name for event in events for name in event} == IDS_OF_IMPORTS
    assert MARK not in given(made)
    assert MARK not in logged.getvalue()
    assert all(MARK not in e["name"] for e in made.executions("ImportMachineArn"))


@pytest.mark.parametrize("wrong", ["a quote that is not in the text", "a text that is too long"])
def test_a_step_whose_result_is_refused_says_so_without_quoting_it(
    wrong: str, made: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The event of record_failure is part of the execution's history, which has other readers than the table."""
    summarize = extractive.summarize

    def marked(**asked: Any) -> dict[str, Any]:
        found = dict(summarize(**asked))
        if wrong.startswith("a quote"):
            return found | {"evidence": [{**e, "quote": f"{MARK} {e['quote']}"} for e in found["evidence"]]}
        return found | {"insight": f"{MARK} " * 500}

    monkeypatch.setattr(extractive, "summarize", marked)
    item_id = captured(made)
    assert made.settled(item_id)["status"] == "FAILED_AI"
    assert "step failed" in logged.getvalue()
    assert MARK not in given(made), "in the workflow's state"
    assert MARK not in logged.getvalue(), "in the log"


def crash(**_: Any) -> Any:
    raise ValueError(f"cannot read {MARKED}")


def test_a_step_that_breaks_is_told_by_its_kind_and_place(
    made: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lambda itself writes what an exception says into the log, and the workflow into its history."""
    monkeypatch.setattr(extractive, "summarize", crash)
    item_id = captured(made)
    assert made.settled(item_id)["status"] == "FAILED_AI"
    assert MARK not in given(made), "in the workflow's state"
    assert MARK not in logged.getvalue() + capsys.readouterr().out, "in the log"
    assert "ValueError" in logged.getvalue()
    assert "crash" in logged.getvalue(), "the place"
    assert "ValueError" in made.row(item_id)["failure"]["debug_message"]


def test_an_export_that_breaks_is_too(made: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    item_id = captured(made)
    made.settled(item_id)
    monkeypatch.setattr(importlib.import_module("export"), "render", lambda *_, **__: crash())
    made.api("POST", f"/items/{item_id}/export", {"export_key": "k"})
    made.settled(item_id)
    assert MARK not in given(made)
    assert MARK not in logged.getvalue()
    assert "not drawn" in logged.getvalue()


def test_a_call_that_breaks_is_too(made: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    item_id = captured(made)
    made.settled(item_id)
    monkeypatch.setattr(importlib.import_module("readdo.read.views"), "item", lambda *_: crash())
    answer = made.api("GET", f"/items/{item_id}")
    assert answer.status == 500
    assert MARK not in answer.text
    assert MARK not in logged.getvalue()
    assert answer.json["error"]["details"]["request_id"] in logged.getvalue()


def test_a_page_that_breaks_is_too(made: World, logged: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    item_id = captured(made)
    made.settled(item_id)
    monkeypatch.setattr(importlib.import_module("readdo.read.views"), "item", lambda *_: crash())
    page = Reader(made).look(f"/my/items/{item_id}")
    assert (page.status, "request-1" in page.words()) == (500, True)
    assert MARK not in page.text
    assert MARK not in logged.getvalue()
    assert "request-1" in logged.getvalue()


@pytest.mark.parametrize("name", ROOMS)
def test_every_room_is_quiet_about_what_breaks(name: str) -> None:
    handler = importlib.import_module(name).handler
    with pytest.raises(Unexpected) as told:
        handler(None, None)
    assert str(told.value) in ("TypeError", "AttributeError", "RuntimeError")
