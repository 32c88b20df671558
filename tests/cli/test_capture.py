"""Capture: a link or a text, once, however often the network makes us ask."""

import json
import uuid
from pathlib import Path

import pytest

from .conftest import Person
from .product import Product
from .samples import EN
from .server import DROP, LOSE, Fault, Server
from .wire import Reply, refusal


def test_a_link_and_a_why_in_a_pipe_the_id_comes_out(person: Person, server: Server) -> None:
    result = person.run("capture", "https://example.com/post", "-i", "how to test 队列")
    [asked] = server.writes
    uuid.UUID(asked.body.pop("capture_id"))
    assert asked.body == {"url": "https://example.com/post", "intent_text": "how to test 队列"}
    assert result.stdout == f"{next(iter(server.product.items))}\n"
    assert result.exit_code == 0


def test_every_option_reaches_the_server(person: Person, server: Server) -> None:
    given = ["--title", "标题", "--profile", "manager", "--language", "zh", "--source-type", "other"]
    person.run("capture", "https://example.com", "--intent", "why", *given, "--no-process", "--new")
    [asked] = server.writes
    del asked.body["capture_id"]
    assert asked.body == {
        "url": "https://example.com",
        "intent_text": "why",
        "title": "标题",
        "profile": "manager",
        "language": "zh",
        "source_type": "other",
        "process": False,
        "on_duplicate": "new",
    }


@pytest.mark.parametrize(
    "fault", [DROP, LOSE, refusal(500, "INTERNAL_ERROR", "no"), refusal(429, "RATE_LIMITED", "no")]
)
def test_a_try_that_is_repeated_names_the_same_item(person: Person, server: Server, fault: str | Reply) -> None:
    server.faults = [Fault(fault, "POST", "/capture", times=2)]
    result = person.run("capture", "https://example.com/post", "-i", "why")
    assert result.exit_code == 0, result.stderr
    assert len(server.writes) == 3
    assert len({asked.body["capture_id"] for asked in server.writes}) == 1
    assert len({asked.headers["Idempotency-Key"] for asked in server.writes}) == 1
    assert len(server.product.items) == 1
    assert [0.2 <= wait <= 1.2 for wait in person.waited] == [True, True]


@pytest.mark.parametrize(
    "written",
    ["Read me, 读我。".encode(), b"\xef\xbb\xbf" + "Read me, 读我。".encode(), "Read me, 读我。".encode("utf-16")],
)
def test_a_text_comes_from_stdin_in_any_unicode(person: Person, server: Server, written: bytes) -> None:
    person.run("capture", "-", "--url", "https://example.com/source", "-i", "why", stdin=written)
    [asked] = server.writes
    assert (asked.body["content"], asked.body["url"]) == ("Read me, 读我。", "https://example.com/source")


def test_a_text_comes_from_a_file_even_in_an_old_encoding(person: Person, server: Server) -> None:
    text = (
        "租约让两个工作进程不会同时做同一件事。人们常常忘记的一步是围栏令牌，之后的每次写入都必须带上租约的编号。" * 3
    )
    Path("notes.txt").write_bytes(text.encode("gb18030"))
    person.run("capture", "--file", "notes.txt", "-i", "why")
    [asked] = server.writes
    assert asked.body["content"] == text
    assert "url" not in asked.body


@pytest.mark.parametrize(
    ("args", "stdin", "words"),
    [
        (["capture", "https://example.com"], None, '--intent "…"'),
        (["capture", "-i", "why"], None, "What is to be saved?"),
        (["capture", "notes", "-i", "why"], None, "is no link"),
        (["capture", "here.txt", "-i", "why"], None, "--file"),
        (["capture", "-", "-i", "why"], "", "stdin is empty"),
        (["capture", "-", "-i", "why"], b"%PDF-1.7 ...", "is a PDF"),
        (["capture", "-", "-i", "why"], b"a\0b", "is no text"),
        (["capture", "-", "--file", "here.txt", "-i", "why"], "x", "Give one of them"),
        (["capture", "https://a.example", "--url", "https://b.example", "-i", "why"], None, "Two links"),
        (["capture", "--file", "nowhere", "-i", "why"], None, "does not exist"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_next_step(
    person: Person, server: Server, args: list[str], stdin: str | bytes | None, words: str
) -> None:
    Path("here.txt").write_text("text")
    result = person.run(*args, stdin=stdin)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert server.asked == []


def test_a_link_without_its_scheme_is_a_link(person: Person, server: Server) -> None:
    person.run("capture", "example.com/post?id=1", "-i", "why")
    assert server.writes[0].body["url"] == "https://example.com/post?id=1"


def test_a_person_is_asked_why(reader: Person, server: Server) -> None:
    result = reader.run("capture", "https://example.com/post", stdin="因为想学\n")
    assert "Why do you save it?" in result.stderr
    assert server.writes[0].body["intent_text"] == "因为想学"


def test_a_page_that_was_saved_before_says_so(reader: Person, product: Product) -> None:
    there = product.add(EN)
    shown = reader.run("capture", there["url"], "-i", "为了团队的分享").stdout
    assert "You had saved this before, as B0MA8N: 2 times now." in shown
    assert "为了团队的分享" in shown
    assert there["intent_text"] in " ".join(shown.split())
    reader.live = False
    result = reader.run("capture", there["url"], "-i", "once more")
    assert result.stdout == f"{EN}\n"
    assert "3 times now" in result.stderr
    for reason in (there["intent_text"], "为了团队的分享", "once more"):
        assert f"saved for: {reason}" in " ".join(result.stderr.split())


def test_json_is_the_answer_of_the_api(person: Person, product: Product) -> None:
    there = product.add(EN)
    result = person.run("capture", there["url"], "-i", "why", "--json")
    assert json.loads(result.stdout) == {"item": there, "joined": True}
    assert result.stderr == ""


def test_watching_goes_on_to_the_end(person: Person, product: Product) -> None:
    first = "01M7QC" + "0" * 20
    product.coming[first] = [{}, {"status": "QUEUED"}, {"status": "READY"}]
    result = person.run("capture", "https://example.com/new", "-i", "why", "--watch")
    assert result.exit_code == 0
    assert "Summary" in result.stdout
    assert result.stderr.split() == ["captured", "queued", "ready"]


def test_what_the_server_does_not_take_is_told_in_its_words(person: Person, server: Server) -> None:
    words = "intent_text is too short: at least 3 characters are needed"
    server.faults = [Fault(refusal(400, "VALIDATION_ERROR", words, fields=[]), "POST")]
    result = person.run("capture", "https://example.com", "-i", "x")
    assert (result.exit_code, words in result.stderr) == (2, True)


@pytest.mark.parametrize("live", [True, False])
def test_what_is_not_to_be_read_is_not_watched_and_that_is_said_at_once(person: Person, live: bool) -> None:
    person.live = live
    result = person.run("capture", "https://example.com/new", "-i", "why", "--no-process", "--watch")
    assert (result.exit_code, person.waited) == (0, [])
    assert "It rests: nobody has asked for it to be read. Next: readdo process 000000" in " ".join(
        result.stderr.split()
    )
    assert "readdo watch" not in result.stdout


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("FAILED_AI", "It has failed. Try it again: readdo retry B0MA8N"),
        ("ARCHIVED", "It is archived. Bring it back: readdo unarchive B0MA8N"),
    ],
)
@pytest.mark.parametrize("live", [True, False])
def test_joining_what_is_of_no_use_yet_says_how_it_becomes_so(
    person: Person, product: Product, status: str, words: str, live: bool
) -> None:
    person.live = live
    there = product.add(EN, status)
    result = person.run("capture", there["url"], "-i", "once more")
    assert words in " ".join((result.stdout + result.stderr).split())
