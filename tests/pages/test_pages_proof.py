"""The pages of the Proof desk, without scripts, in both languages."""

import json
from pathlib import Path

import pytest

from readdo.lifecycle.proof_chunk import CHUNK_STATES
from readdo.lifecycle.proof_job import JOB
from readdo.proof.option_values import RULES
from readdo.store import tokens
from support.proof_jobs import OPTIONS, TEXT, chunk_with, post, validated
from support.proof_model import failure, local_model
from support.reader import OURS, Page, Reader
from support.world import World

PAGE = "/my/proof"
NOVEL = "第一章 雨夜\n林栀推开门,屋里一个人也没有...\n".encode("gb18030")
WORDS = {
    tag: json.loads((Path(__file__).parents[2] / f"functions/pages/words/{tag}.json").read_text("utf-8"))
    for tag in ("en", "zh")
}


def uploaded(reader: Reader, body: bytes = NOVEL, **fields: str) -> Page:
    page = reader.bring(reader.look(PAGE).form(PAGE), "小说.txt", body, **fields)
    reader.world.settle()
    return reader.look(page.path) if page.path != PAGE else page


def test_text_is_uploaded_processed_merged_and_downloaded(reader: Reader) -> None:
    words = WORDS[reader.language]
    page = uploaded(reader)
    assert words["proof.state.paused.process"] in page.words(".state")
    assert "gb18030" in page.words("#text, .facts")
    reader.send(page.form("/do/start"))
    reader.world.settle()
    page = reader.send(reader.look(page.path).form("/do/merge"))
    reader.world.settle()
    page = reader.look(page.path)
    assert words["proof.state.done.done"] in page.words(".state")
    assert reader.ask("GET", page.link("/output")).status == 302
    report = reader.look(page.link("/report"))
    assert words["proof.rule.indent"] in report.words()  # the reader sends one value of each field
    chunk = reader.look(page.link("/chunks/0"))
    assert "林栀推开门" in chunk.words("pre")


def test_delete_removes_the_job(reader: Reader) -> None:
    page = uploaded(reader)
    after = reader.send(page.form("/do/reset"))
    assert (after.status, after.path.split("?")[0]) == (200, PAGE)
    assert reader.look(page.path).status == 404


def test_validation_that_failed_takes_an_encoding(reader: Reader) -> None:
    page = uploaded(reader, NOVEL, encoding="utf-8")
    assert page.words(".failure")
    reader.send(page.form("/do/validate"), encoding="gb18030")
    reader.world.settle()
    page = reader.look(page.path)
    assert WORDS[reader.language]["proof.state.paused.process"] in page.words(".state")


@pytest.mark.parametrize("fields", [{"encoding": "klingon"}, {"chunk_chars": "7"}, {"max_cost": "much"}])
def test_invalid_options_keep_the_form(reader: Reader, fields: dict[str, str]) -> None:
    page = reader.bring(reader.look(PAGE).form(PAGE), "a.txt", NOVEL, **fields)
    assert page.status == 400
    assert page.words('[role="alert"]')
    for name, value in fields.items():
        assert page.form(PAGE).fields.get(name, value) == value


def test_empty_upload_gets_a_sentence(reader: Reader) -> None:
    page = reader.bring(reader.look(PAGE).form(PAGE), "a.txt", b"")
    assert (page.status, WORDS[reader.language]["proof.wrong.empty"] in page.words('[role="alert"]')) == (400, True)


def test_late_button_shows_the_state_and_changes_nothing(reader: Reader) -> None:
    page = uploaded(reader)
    form = page.form("/do/start")
    reader.send(form)
    reader.world.settle()
    late = reader.send(form)
    assert late.status == 409
    assert WORDS[reader.language]["proof.state.paused.merge"] in late.words('[role="alert"], .wrong')


def test_errors_of_chunks_have_three_readings(world: World, reader: Reader) -> None:
    words = WORDS[reader.language]
    failures = iter(["503"])

    def act(text: str) -> str:
        if "chunk-1" in text and (code := next(failures, "")):
            raise failure(code)
        if "chunk-3" in text:
            raise failure("400")
        return text

    with local_model(act):
        job_id = validated(world, TEXT, **OPTIONS, engine="model")
        post(world, job_id, "start")
        world.settle()
    page = reader.look(f"{PAGE}/{job_id}?state=error")
    assert words["proof.error.final"] in page.words("table")
    retried = chunk_with(world, job_id, "chunk-1")["n"]
    chunk = reader.look(f"{PAGE}/{job_id}/chunks/{retried}")
    assert words["proof.error.before"] in chunk.words()
    assert words["proof.code.503"] in chunk.words()
    grid = reader.look(f"{PAGE}/{job_id}")
    assert len(grid.tree.cssselect(".grid a.done")) == 5
    assert len(grid.tree.cssselect(".grid a.error")) == 1


def test_text_in_a_file_name_is_escaped(reader: Reader) -> None:
    job_id = validated(reader.world, "<b>他说</b>,好.\n", filename="<script>alert(1)</script>.txt")
    for path in (PAGE, f"{PAGE}/{job_id}", f"{PAGE}/{job_id}/chunks/0"):
        assert "<script>alert" not in reader.ask("GET", path).text
        assert "<b>他说" not in reader.ask("GET", path).text


def test_job_of_another_owner_is_not_found(world: World, english: Reader) -> None:
    job_id = validated(world, "A text.\n")
    other = Reader(world, token=tokens.issue(world.table, "other", "a token"))
    for path in ("", "/chunks/0", "/output", "/report"):
        assert other.ask("GET", f"{PAGE}/{job_id}{path}").status == 404
    assert other.ask("POST", f"{PAGE}/{job_id}/do/reset", "", **OURS).status == 404
    assert english.look(f"{PAGE}/{job_id}").status == 200


@pytest.mark.parametrize("tag", ["en", "zh"])
def test_each_state_rule_and_reason_has_a_text(tag: str) -> None:
    named = {f"proof.state.{status.replace('/', '.')}" for status in JOB.states}
    named |= {f"proof.chunk.{state}" for state in CHUNK_STATES} | {f"proof.rule.{rule}" for rule in RULES}
    assert named <= set(WORDS[tag])
