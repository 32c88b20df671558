"""Files of what was saved elsewhere: sent to the link that they get, started, and watched to their last line."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Person
from .product import Product
from .server import Server
from .wire import Asked, Reply

ID, OTHER = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD", "01KA4ZC5H8N2P4S6T8V0W2X4Y6"
BODY = b"https://example.com/a\njavascript:alert(1)\n"
NONE = dict.fromkeys(("lines", "captured", "archived", "joined", "duplicate", "bad", "left"), 0)
FAILURE = {"error_code": "IMPORT_FILE_UNREADABLE", "message": "links.txt is empty. Export it anew."}


class Importing:
    """The product's side: an import for each file, which goes on with each look."""

    def __init__(self, product: Product, *looks: dict[str, Any]) -> None:
        self.sent: list[Asked] = []
        self.asked: list[dict[str, Any]] = []
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

    def ask(self, asked: Asked) -> Reply:
        self.asked.append(asked.body)
        found = self.row(status="WAITING")
        upload = {"method": "PUT", "url": f"{self.home.home}/blob/file", "headers": {"Content-Type": "a/b"}}
        return Reply(202, {"import": found, "available_actions": [], "upload": upload})

    def put(self, asked: Asked, _: str) -> Reply:
        self.sent.append(asked)
        return Reply(200, {})

    def move(self, asked: Asked, *_: str) -> Reply:
        verb = asked.path.rsplit("/", 1)[-1]
        return self.answer(
            **(self.started if verb == "start" else {"status": {"pause": "PAUSED"}.get(verb, "RUNNING")})
        )

    def lines(self, *_: Any) -> Reply:
        line = {"line": 2, "result": "bad", "place": "line 2", "words": "It is a script, not a page."}
        return Reply(200, {"lines": [line], "next_cursor": None})


def counts(**said: int) -> dict[str, int]:
    return {**NONE, **said}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    found = tmp_path / "links.txt"
    found.write_bytes(BODY)
    return found


DONE = {"status": "DONE", "counts": counts(lines=2, captured=1, bad=1)}


def test_a_file_is_sent_and_watched_to_its_end(person: Person, product: Product, server: Server, file: Path) -> None:
    half = {"status": "RUNNING", "counts": counts(lines=2, captured=1, left=1)}
    importing = Importing(product, half, half, DONE)
    result = person.run("import", str(file), "--no-process", "-i", "for the talk")
    assert (result.exit_code, result.stdout) == (0, "links.txt: done; 1 captured, 1 bad\n")
    assert "links.txt: 50 %" in result.stderr
    assert "line 2: It is a script, not a page." in result.stderr
    (asked,) = importing.asked
    assert asked == {
        "filename": "links.txt",
        "size": len(BODY),
        "sha256": hashlib.sha256(BODY).hexdigest(),
        "intent_text": "for the talk",
        "process": False,
    }
    assert len(server.calls("POST", f"/imports/{ID}/start")) == 1


def test_the_link_gets_the_file_its_headers_and_not_our_token(person: Person, product: Product, file: Path) -> None:
    importing = Importing(product, DONE)
    assert person.run("import", str(file)).exit_code == 0
    (sent,) = importing.sent
    assert sent.headers.get("Content-Type") == "a/b"
    assert sent.headers.get("Content-Length") == str(len(BODY))
    assert sent.headers.get("Authorization") is None


def test_several_parts_are_all_sent_before_the_first_is_watched(person: Person, product: Product, file: Path) -> None:
    other = file.with_name("part_000001.csv")
    other.write_bytes(b"url\nhttps://example.com/b\n")
    importing = Importing(product, DONE, DONE)
    assert person.run("import", str(file), str(other)).exit_code == 0
    assert [asked["filename"] for asked in importing.asked] == ["links.txt", "part_000001.csv"]
    assert len(importing.sent) == 2


def test_without_waiting_the_ids_are_all_that_is_printed(person: Person, product: Product, file: Path) -> None:
    Importing(product)
    result = person.run("import", str(file), "--no-wait")
    assert (result.exit_code, result.stdout) == (0, f"{ID}\n")


def test_json_is_the_imports_as_they_came(person: Person, product: Product, file: Path) -> None:
    Importing(product, DONE)
    result = person.run("import", str(file), "--json")
    assert json.loads(result.stdout)["imports"][0]["counts"]["captured"] == 1


def test_a_file_that_cannot_be_read_is_told_with_its_name(person: Person, product: Product, file: Path) -> None:
    Importing(product, {"status": "FAILED", "failure": FAILURE})
    result = person.run("import", str(file))
    assert result.exit_code == 1
    assert "links.txt is empty. Export it anew." in " ".join(result.stderr.split())


def test_an_empty_file_and_one_that_is_not_there_are_not_sent(person: Person, product: Product, file: Path) -> None:
    importing = Importing(product)
    file.write_bytes(b"")
    assert person.run("import", str(file)).exit_code == 1
    assert person.run("import", str(file.with_name("none.csv"))).exit_code == 2
    assert importing.asked == []


def test_an_upload_that_is_refused_is_told_and_nothing_is_started(
    person: Person, product: Product, server: Server, file: Path
) -> None:
    importing = Importing(product)
    product.more[1] = ("PUT", "/blob/(.+)", lambda *_: Reply(403, {}))
    result = person.run("import", str(file))
    assert result.exit_code == 5
    assert "could not be sent" in result.stderr
    assert server.calls("POST", f"/imports/{ID}/start") == []
    assert len(importing.asked) == 1


def test_imports_are_listed_paused_and_gone_on_with(person: Person, product: Product, server: Server) -> None:
    importing = Importing(product)
    importing.started = {"status": "RUNNING", "counts": counts(lines=9, captured=4, archived=2, left=5)}
    listed = person.run("imports").stdout
    assert listed == f"{ID}  links.txt: running; 4 captured, 2 of them archived, 5 left\n"
    assert person.run("imports", "pause", ID).stdout == "links.txt: paused; nothing yet\n"
    assert person.run("imports", "resume", ID).exit_code == 0
    assert len(server.calls("POST", f"/imports/{ID}/resume")) == 1


def test_a_name_that_gives_a_terminal_orders_is_shown_without_them(person: Person, product: Product) -> None:
    importing = Importing(product)
    importing.started = {"status": "RUNNING", "filename": "a\x1b[2Jb.csv", "counts": NONE}
    assert "\x1b" not in person.run("imports").stdout


def test_tags_are_shown_with_the_item(person: Person, product: Product) -> None:
    product.add(ID, "READY", tags=["starred", "读书"])
    assert "#starred #读书" in person.run("show", ID).stdout
