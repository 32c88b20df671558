"""readdo collect work: batches through a folder, and the worker and the files of docs/collect.md."""

import json
import re
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from support.collect_pool import document, output_of, put_document, result, supplement
from support.world import World

from .collect_files import Program, add, batch_of, program_output, write
from .conftest import User

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("collect_desk")


def test_work_hands_a_batch_to_a_program(user: User, collect_desk: World, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    add(user, tmp_path, supplement("old", "talks/old.md"), supplement("new", "talks/new.md"))
    put_document(collect_desk, "talks/old.md", document(10, 10, "before"))

    def do_it(file: Path) -> None:
        assert (folder / "documents/talks/old.md").read_text() == document(10, 10, "before")
        assert not (folder / "documents/talks/new.md").exists()
        for name in ("old", "new"):
            write(folder / f"documents/talks/{name}.md", document(name=name))
        program.output(file, output_of(batch_of(file)))

    program = Program(folder, do_it)
    user.on_wait = program.step
    worked = user.run("collect", "work", str(folder), "--once")
    assert worked.exit_code == 0, worked.stderr
    assert worked.stdout.splitlines() == ["old\tin_progress\tdone\t1.0", "new\tin_progress\tdone\t1.0"]
    assert collect_desk.api("GET", "/documents/talks/old.md").json["document"]["version"] == 2
    (archive,) = (folder / "archive").iterdir()
    files = sorted(file.relative_to(archive).as_posix() for file in archive.rglob("*.*"))
    assert files == ["documents/talks/new.md", "documents/talks/old.md", "input.json", "output.json"]
    assert [file for file in folder.rglob("*.*") if archive not in file.parents] == []


def test_work_shows_faults_and_sends_the_corrected_output(user: User, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    add(user, tmp_path, supplement("a"))

    def faulty(file: Path) -> None:
        program.output(file, {**output_of(batch_of(file)), "processed_at": "soon"})

    program = Program(
        folder,
        lambda file: program.output(file, '{"batch_name": '),
        lambda _: None,
        faulty,
        lambda _: None,
        lambda file: program.output(file, output_of(batch_of(file), result("a", "failed", error="500"))),
    )
    user.on_wait = program.step
    worked = user.run("collect", "work", str(folder), "--once")
    assert worked.stdout.splitlines() == ["a\tin_progress\tfailed\t"]
    assert worked.stderr.count("is not valid JSON yet") == 1
    assert worked.stderr.count("/processed_at must be a time") == 1


def test_work_archives_a_batch_that_has_ended(user: User, collect_desk: World, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    add(user, tmp_path, supplement("a"))

    def fail_elsewhere(file: Path) -> None:
        collect_desk.api("PUT", f"/batches/{file.stem}/output", raw="{")
        program.output(file, output_of(batch_of(file)))

    program = Program(folder, fail_elsewhere)
    user.on_wait = program.step
    worked = user.run("collect", "work", str(folder), "--once")
    assert worked.exit_code == 0
    assert "is failed. Its files are moved to" in " ".join(worked.stderr.split())
    assert len(list((folder / "archive").iterdir())) == 1


def test_work_goes_on_with_the_batch_in_hand(user: User, collect_desk: World, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    add(user, tmp_path, supplement("a"))
    user.run("collect", "pick", "--to", str(folder / "input"))
    user.on_wait = Program(folder).step
    (waiting,) = (folder / "input").iterdir()
    write(folder / "output" / waiting.name, output_of(batch_of(waiting), result("a", "pending")))
    assert user.run("collect", "work", str(folder), "--once").stdout == "a\tin_progress\tpending\t\n"
    assert len(collect_desk.api("GET", "/batches").json["batches"]) == 1


def test_work_keeps_documents_that_were_not_sent(user: User, collect_desk: World, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    add(user, tmp_path, supplement("a"))
    put_document(collect_desk, "a.md", document(10, 10))
    kept = write(folder / "documents/a.md", "my work")
    user.on_wait = Program(folder, lambda file: program_output(folder, file)).step
    user.run("collect", "work", str(folder), "--once")
    assert collect_desk.api("GET", "/documents/a.md").json["content"] == "my work"
    assert not Path(kept).exists()


def test_document_that_is_no_text_is_refused_in_words(user: User, collect_desk: World, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    add(user, tmp_path, supplement("a"))

    def write_bytes(file: Path) -> None:
        (folder / "documents/a.md").write_bytes(b"\xff\xfe")
        program_output(folder, file)

    def correct(_: Path) -> None:
        write(folder / "documents/a.md", document())
        output = next((folder / "output").iterdir())
        output.write_text(output.read_text() + " ")

    user.on_wait = Program(folder, write_bytes, lambda _: None, correct).step
    worked = user.run("collect", "work", str(folder), "--once")
    assert "is not UTF-8 text" in worked.stderr
    assert worked.stdout == "a\tin_progress\tdone\t1.0\n"
    assert collect_desk.api("GET", "/documents/a.md").json["document"]["version"] == 1


def test_worker_of_the_docs_runs(user: User, collect_desk: World, tmp_path: Path) -> None:
    text = (ROOT / "docs/collect.md").read_text(encoding="utf-8")
    (script,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    folder, program = tmp_path / "desk", tmp_path / "worker.py"
    program.write_text(script, encoding="utf-8")
    add(user, tmp_path, supplement("a"))
    put_document(collect_desk, "a.md", document().replace("https://www.gdcvault.com/play/1", ""))
    run = [sys.executable, str(program), str(folder)]

    def run_it(_: Path) -> None:
        subprocess.run(run, check=True)  # noqa: S603 - the program of our docs

    user.on_wait = Program(folder, run_it).step
    assert user.run("collect", "work", str(folder), "--once").stdout == "a\tin_progress\tdone\t1.0\n"


@pytest.mark.parametrize("block", range(3))
def test_files_of_the_docs_are_valid(user: User, tmp_path: Path, block: int) -> None:
    text = (ROOT / "docs/collect.md").read_text(encoding="utf-8")
    example = re.findall(r"```json\n(.*?)```", text, re.DOTALL)[block]
    if block:
        schema = json.loads((ROOT / f"schemas/collect/batch_{('input', 'output')[block - 1]}.json").read_text())
        jsonschema.validate(json.loads(example), schema)
    else:
        assert user.run("collect", "check", write(tmp_path / "tasks.json", example)).exit_code == 0
