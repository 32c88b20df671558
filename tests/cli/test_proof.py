"""readdo proof: from a file to the merged file, and each step by itself."""

import hashlib
import json
from pathlib import Path
from typing import Any

from .conftest import User
from .product import Product
from .server import Server
from .wire import Reply, Request

ID = "01KA4ZF0Q2M6V3T9R5W7X1Y0BD"
MERGED = "她点亮了灯。\n".encode()
NONE = {"pending": 0, "processing": 0, "retrying": 0, "done": 0, "error": 0}
FILE = {"filename": "novel_rev.txt", "bytes": len(MERGED), "sha256": hashlib.sha256(MERGED).hexdigest()}
FAILURE = {"error_code": "CHUNKS_FAILED", "message": "1 of 4 chunks failed."}


def job(state: str, phase: str, **more: Any) -> dict[str, Any]:
    counts = {**NONE, **more.pop("counts", {})}
    row = {"id": ID, "filename": "novel.txt", "state": state, "phase": phase, "counts": counts, "engine": "model"}
    row |= {"progress": {"total_chunks": sum(counts.values()), "done_chunks": counts["done"]}, "changes": {"dashes": 2}}
    row |= {"llm_model": "gpt-4o-mini", "created_at": "2026-11-18T12:59:00.000Z"}
    return {**row, **more}


ESTIMATE = {"characters": 8000, "chunks": 4, "tokens_in": 9000, "tokens_out": 8000, "cost": "0.0120"}
READY = job("paused", "process", counts={"pending": 4}, estimate=ESTIMATE, wait_reason="ready_to_process")
HALF = job("running", "process", counts={"pending": 1, "processing": 1, "done": 2})
TO_MERGE = job("paused", "merge", counts={"done": 4}, wait_reason="ready_to_merge")
DONE = job("done", "done", counts={"done": 4}, output=FILE)
OTHER = job("queued", "validate") | {"id": ID[:-1] + "E"}
FAILED = job("error", "process", counts={"done": 3, "error": 1}, failure=FAILURE)


class Proofing:
    """A fake Proof API: each look at the job takes the next state."""

    def __init__(self, product: Product, *looks: dict[str, Any]) -> None:
        self.calls: list[tuple[str, Any]] = []
        self.looks, self.home = list(looks), product
        product.more = [
            ("POST", "/jobs", self.create),
            ("PUT", "/blob/(.+)", self.put),
            (
                "GET",
                "/jobs",
                lambda _: Reply(200, {"jobs": [DONE, FAILED | {"id": ID[:-1] + "E"}], "next_cursor": None}),
            ),
            ("POST", "/jobs/([^/]+)/([a-z-]+)", self.command),
            ("GET", "/jobs/([^/]+)/chunks", lambda *_: Reply(200, {"chunks": [CHUNK], "next_cursor": None})),
            ("GET", "/jobs/([^/]+)/chunks/(.+)", lambda *_: Reply(200, {"chunk": {**CHUNK, **TEXT}})),
            ("GET", "/jobs/([^/]+)/output", self.output),
            ("GET", "/blob/(.+)", lambda *_: Reply(200, MERGED)),
            ("GET", "/jobs/([^/]+)", lambda *_: self.answer(self.looks.pop(0))),
        ]

    def answer(self, row: dict[str, Any], status: int = 200, **more: Any) -> Reply:
        return Reply(status, {"job": row, "available_actions": [], **more})

    def create(self, request: Request) -> Reply:
        self.calls.append(("create", request.body))
        upload = {"method": "PUT", "url": f"{self.home.home}/blob/input", "headers": {"Content-Type": "a/b"}}
        return self.answer(job("queued", "validate"), 201, upload=upload)

    def put(self, request: Request, _: str) -> Reply:
        self.calls.append(("upload", request.body))
        return Reply(200, {})

    def command(self, request: Request, _: str, verb: str) -> Reply:
        self.calls.append((verb, request.body))
        phase = {"validate": "validate", "merge": "merge"}.get(verb, "process")
        return self.answer(job("running", phase), 202)

    def output(self, *_: Any) -> Reply:
        return Reply(302, {}, {"Location": f"{self.home.home}/blob/output"})


CHUNK = {"n": 3, "state": "error", "last_error_code": "503", "last_error_message": "The server failed."}
TEXT = {
    "state": "done",
    "pre": "她点亮了等。",
    "out": "她点亮了灯。",
    "diff": [
        {"kind": "same", "pre": "她点亮了", "out": "她点亮了"},
        {"kind": "changed", "pre": "等", "out": "灯"},
        {"kind": "same", "pre": "。", "out": "。"},
    ],
}


def novel(folder: Path) -> str:
    (folder / "novel.txt").write_text("她点亮了等。\n", encoding="utf-8")
    return str(folder / "novel.txt")


def test_file_becomes_the_merged_file(user: User, product: Product, tmp_path: Path) -> None:
    api = Proofing(product, READY, HALF, TO_MERGE, DONE, DONE)
    result = user.run("proof", novel(tmp_path), "--yes", "--off", "dashes", "--to", str(tmp_path))
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / "novel_rev.txt").read_bytes() == MERGED
    assert [name for name, _ in api.calls] == ["create", "upload", "validate", "start", "merge"]
    assert api.calls[0][1]["options"] == {"rules": {"dashes": False}}
    assert "8,000 characters, 4 chunks; model gpt-4o-mini." in result.stderr
    assert "cost about 0.0120" in result.stderr
    assert "novel.txt: 50 %" in result.stderr
    assert str(tmp_path / "novel_rev.txt") in result.stdout


def test_user_is_asked_before_the_processing(user: User, product: Product, tmp_path: Path) -> None:
    api = Proofing(product, READY)
    user.live = True
    result = user.run("proof", novel(tmp_path), stdin="n\n")
    assert result.exit_code == 1
    assert [name for name, _ in api.calls] == ["create", "upload", "validate"]
    assert f"readdo proof start {ID}" in " ".join(result.stderr.split())


def test_without_a_terminal_it_needs_yes(user: User, product: Product, tmp_path: Path) -> None:
    api = Proofing(product)
    result = user.run("proof", novel(tmp_path))
    assert (result.exit_code, api.calls) == (2, [])
    assert "--yes" in result.stderr


def test_failed_chunks_end_with_the_next_step(user: User, product: Product, tmp_path: Path) -> None:
    Proofing(product, READY, FAILED)
    result = user.run("proof", novel(tmp_path), "--yes")
    assert result.exit_code == 1
    assert "1 of 4 chunks failed." in result.stderr
    assert f"readdo proof retry {ID}" in result.stderr


def test_pause_by_the_system_names_its_cause(user: User, product: Product) -> None:
    Proofing(product, job("paused", "process", counts={"pending": 4}, wait_reason="budget"))
    result = user.run("proof", "resume", ID)
    assert result.exit_code == 1
    assert "budget is used up" in result.stderr


def test_jobs_are_listed_and_found_by_a_short_id(user: User, product: Product) -> None:
    api = Proofing(product, DONE)
    assert "novel.txt: done (done), 4 of 4 chunks done" in user.run("proof", "list").stdout
    assert user.run("proof", "show", "1y0bd").exit_code == 0
    assert user.run("proof", "show", "nothing").exit_code == 3
    assert api.calls == []


def test_diff_shows_the_changes_of_a_chunk(user: User, product: Product) -> None:
    Proofing(product)
    assert user.run("proof", "diff", ID, "3").stdout == "- 等\n+ 灯\n"


def test_reset_asks_first(user: User, product: Product) -> None:
    api = Proofing(product)
    assert user.run("proof", "reset", ID).exit_code == 2
    assert user.run("proof", "reset", ID, "--yes").exit_code == 0
    assert api.calls == [("reset", {"confirm": True})]


def test_json_is_the_response(user: User, product: Product) -> None:
    Proofing(product, DONE)
    assert json.loads(user.run("proof", "show", ID, "--json").stdout)["job"]["id"] == ID


def test_another_model_is_sent(user: User, product: Product) -> None:
    api = Proofing(product, TO_MERGE)
    assert user.run("proof", "retry", ID, "--model", "gpt-4o").exit_code == 0
    assert api.calls == [("retry-failed", {"model": "gpt-4o"})]


def test_server_is_not_called_for_an_empty_file(user: User, server: Server, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_bytes(b"")
    result = user.run("proof", str(tmp_path / "empty.txt"), "--yes")
    assert (result.exit_code, server.requests) == (1, [])
