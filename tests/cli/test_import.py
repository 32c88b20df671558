"""readdo import: upload files, start the imports and watch them to the end."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import User
from .product import Product
from .server import Server
from .wire import Reply, Request

ID, OTHER = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD", "01KA4ZC5H8N2P4S6T8V0W2X4Y6"
BODY = b"https://example.com/a\njavascript:alert(1)\n"
NONE = dict.fromkeys(("lines", "captured", "archived", "joined", "duplicate", "bad", "left"), 0)
FAILURE = {"error_code": "IMPORT_FILE_UNREADABLE", "message": "links.txt is empty. Export it again."}


class Importing:
    """A fake import API: each look takes the next status."""

    def __init__(self, product: Product, *looks: dict[str, Any]) -> None:
        self.sent: list[Request] = []
        self.requests: list[dict[str, Any]] = []
        self.looks = list(looks)
        self.started = {"status": "READING", "counts": NONE}
        product.more = [
            ("POST", "/import", self.ask),
            ("PUT", "/blob/(.+)", self.put),
            ("GET", "/imports", lambda _: Reply(200, {"imports": [self.row(**self.started)]})),
            ("POST", "/imports/([^/]+)/([a-z]+)", self.move),
            ("GET", "/imports/([^/]+)", lambda *_: self.answer(**self.looks.pop(0))),
            ("GET", "/imports/([^/]+)/lines", self.lines),
        ]
        self.home = product

    def row(self, **more: Any) -> dict[str, Any]:
        return {"id": ID, "filename": "links.txt", "in_flight": 0, "counts": NONE, **more}

    def answer(self, status_: int = 200, **more: Any) -> Reply:
        return Reply(status_, {"import": self.row(**more), "available_actions": []})

    def ask(self, request: Request) -> Reply:
        self.requests.append(request.body)
        row = self.row(status="WAITING")
        upload = {"method": "PUT", "url": f"{self.home.home}/blob/file", "headers": {"Content-Type": "a/b"}}
        return Reply(202, {"import": row, "available_actions": [], "upload": upload})

    def put(self, request: Request, _: str) -> Reply:
        self.sent.append(request)
        return Reply(200, {})

    def move(self, request: Request, *_: str) -> Reply:
        verb = request.path.rsplit("/", 1)[-1]
        return self.answer(
            **(self.started if verb == "start" else {"status": {"pause": "PAUSED"}.get(verb, "RUNNING")})
        )

    def lines(self, *_: Any) -> Reply:
        line = {"line": 2, "result": "bad", "place": "line 2", "words": "It is a script, not a page."}
        return Reply(200, {"lines": [line], "next_cursor": None})


def counts(**changes: int) -> dict[str, int]:
    return {**NONE, **changes}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "links.txt"
    path.write_bytes(BODY)
    return path


DONE = {"status": "DONE", "counts": counts(lines=2, captured=1, bad=1)}


def test_import_uploads_and_watches_to_the_end(user: User, product: Product, server: Server, file: Path) -> None:
    half = {"status": "RUNNING", "counts": counts(lines=2, captured=1, left=1)}
    importing = Importing(product, half, half, DONE)
    result = user.run("import", str(file), "--no-process", "-i", "for the talk")
    assert (result.exit_code, result.stdout) == (0, "links.txt: done; 1 captured, 1 invalid\n")
    assert "links.txt: 50 %" in result.stderr
    assert "line 2: It is a script, not a page." in result.stderr
    (request,) = importing.requests
    assert request == {
        "filename": "links.txt",
        "size": len(BODY),
        "sha256": hashlib.sha256(BODY).hexdigest(),
        "intent_text": "for the talk",
        "process": False,
    }
    assert len(server.calls("POST", f"/imports/{ID}/start")) == 1


def test_upload_has_its_headers_and_no_token(user: User, product: Product, file: Path) -> None:
    importing = Importing(product, DONE)
    assert user.run("import", str(file)).exit_code == 0
    (upload,) = importing.sent
    assert upload.headers.get("Content-Type") == "a/b"
    assert upload.headers.get("Content-Length") == str(len(BODY))
    assert upload.headers.get("Authorization") is None


def test_all_files_are_uploaded_before_watching(user: User, product: Product, file: Path) -> None:
    other = file.with_name("part_000001.csv")
    other.write_bytes(b"url\nhttps://example.com/b\n")
    importing = Importing(product, DONE, DONE)
    assert user.run("import", str(file), str(other)).exit_code == 0
    assert [request["filename"] for request in importing.requests] == ["links.txt", "part_000001.csv"]
    assert len(importing.sent) == 2


def test_no_wait_prints_only_ids(user: User, product: Product, file: Path) -> None:
    Importing(product)
    result = user.run("import", str(file), "--no-wait")
    assert (result.exit_code, result.stdout) == (0, f"{ID}\n")


def test_import_json_prints_the_imports(user: User, product: Product, file: Path) -> None:
    Importing(product, DONE)
    result = user.run("import", str(file), "--json")
    assert json.loads(result.stdout)["imports"][0]["counts"]["captured"] == 1


def test_unreadable_import_is_reported_with_its_file_name(user: User, product: Product, file: Path) -> None:
    Importing(product, {"status": "FAILED", "failure": FAILURE})
    result = user.run("import", str(file))
    assert result.exit_code == 1
    assert "links.txt is empty. Export it again." in " ".join(result.stderr.split())


def test_empty_or_missing_file_is_not_uploaded(user: User, product: Product, file: Path) -> None:
    importing = Importing(product)
    file.write_bytes(b"")
    assert user.run("import", str(file)).exit_code == 1
    assert user.run("import", str(file.with_name("none.csv"))).exit_code == 2
    assert importing.requests == []


def test_refused_upload_starts_no_import(user: User, product: Product, server: Server, file: Path) -> None:
    importing = Importing(product)
    product.more[1] = ("PUT", "/blob/(.+)", lambda *_: Reply(403, {}))
    result = user.run("import", str(file))
    assert result.exit_code == 5
    assert "could not be uploaded" in result.stderr
    assert server.calls("POST", f"/imports/{ID}/start") == []
    assert len(importing.requests) == 1


def test_imports_are_listed_paused_and_resumed(user: User, product: Product, server: Server) -> None:
    importing = Importing(product)
    importing.started = {"status": "RUNNING", "counts": counts(lines=9, captured=4, archived=2, left=5)}
    listed = user.run("imports").stdout
    assert listed == f"{ID}  links.txt: running; 4 captured, 2 of them archived, 5 left\n"
    assert user.run("imports", "pause", ID).stdout == "links.txt: paused; nothing yet\n"
    assert user.run("imports", "resume", ID).exit_code == 0
    assert len(server.calls("POST", f"/imports/{ID}/resume")) == 1


def test_import_name_is_printed_without_control_sequences(user: User, product: Product) -> None:
    importing = Importing(product)
    importing.started = {"status": "RUNNING", "filename": "a\x1b[2Jb.csv", "counts": NONE}
    assert "\x1b" not in user.run("imports").stdout


def test_tags_are_shown_with_the_item(user: User, product: Product) -> None:
    product.add(ID, "READY", tags=["starred", "读书"])
    assert "#starred #读书" in user.run("show", ID).stdout
