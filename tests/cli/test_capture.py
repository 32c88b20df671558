"""readdo capture: a link or a text is captured once, even if requests are repeated."""

import json
import uuid
from pathlib import Path

import pytest

from .conftest import User
from .product import Product
from .samples import EN
from .server import DROP, LOSE, Fault, Server
from .wire import Reply, refusal


def test_capture_in_a_pipe_prints_the_id(user: User, server: Server) -> None:
    result = user.run("capture", "https://example.com/post", "-i", "how to test 队列")
    [request] = server.writes
    uuid.UUID(request.body.pop("capture_id"))
    assert request.body == {"url": "https://example.com/post", "intent_text": "how to test 队列"}
    assert result.stdout == f"{next(iter(server.product.items))}\n"
    assert result.exit_code == 0


def test_capture_sends_every_option(user: User, server: Server) -> None:
    options = ["--title", "标题", "--profile", "manager", "--language", "zh", "--source-type", "other"]
    user.run("capture", "https://example.com", "--intent", "why", *options, "--no-process", "--new")
    [request] = server.writes
    del request.body["capture_id"]
    assert request.body == {
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
def test_retried_capture_sends_the_same_id_and_key(user: User, server: Server, fault: str | Reply) -> None:
    server.faults = [Fault(fault, "POST", "/capture", times=2)]
    result = user.run("capture", "https://example.com/post", "-i", "why")
    assert result.exit_code == 0, result.stderr
    assert len(server.writes) == 3
    assert len({request.body["capture_id"] for request in server.writes}) == 1
    assert len({request.headers["Idempotency-Key"] for request in server.writes}) == 1
    assert len(server.product.items) == 1
    assert [0.2 <= wait <= 1.2 for wait in user.waited] == [True, True]


@pytest.mark.parametrize(
    "written",
    ["Read me, 读我。".encode(), b"\xef\xbb\xbf" + "Read me, 读我。".encode(), "Read me, 读我。".encode("utf-16")],
)
def test_capture_reads_stdin_in_any_unicode_encoding(user: User, server: Server, written: bytes) -> None:
    user.run("capture", "-", "--url", "https://example.com/source", "-i", "why", stdin=written)
    [request] = server.writes
    assert (request.body["content"], request.body["url"]) == ("Read me, 读我。", "https://example.com/source")


def test_capture_reads_a_file_in_a_legacy_encoding(user: User, server: Server) -> None:
    text = (
        "租约让两个工作进程不会同时做同一件事。人们常常忘记的一步是围栏令牌，之后的每次写入都必须带上租约的编号。" * 3
    )
    Path("notes.txt").write_bytes(text.encode("gb18030"))
    user.run("capture", "--file", "notes.txt", "-i", "why")
    [request] = server.writes
    assert request.body["content"] == text
    assert "url" not in request.body


@pytest.mark.parametrize(
    ("args", "stdin", "words"),
    [
        (["capture", "https://example.com"], None, '--intent "…"'),
        (["capture", "-i", "why"], None, "Enter a link or a text."),
        (["capture", "notes", "-i", "why"], None, "is not a link"),
        (["capture", "here.txt", "-i", "why"], None, "--file"),
        (["capture", "-", "-i", "why"], "", "stdin is empty"),
        (["capture", "-", "-i", "why"], b"%PDF-1.7 ...", "is a PDF"),
        (["capture", "-", "-i", "why"], b"a\0b", "is not text"),
        (["capture", "-", "--file", "here.txt", "-i", "why"], "x", "Use one of them"),
        (["capture", "https://a.example", "--url", "https://b.example", "-i", "why"], None, "two links"),
        (["capture", "--file", "nowhere", "-i", "why"], None, "does not exist"),
    ],
)
def test_invalid_capture_arguments_are_rejected_with_advice(
    user: User, server: Server, args: list[str], stdin: str | bytes | None, words: str
) -> None:
    Path("here.txt").write_text("text")
    result = user.run(*args, stdin=stdin)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert server.requests == []


def test_capture_accepts_a_link_without_a_scheme(user: User, server: Server) -> None:
    user.run("capture", "example.com/post?id=1", "-i", "why")
    assert server.writes[0].body["url"] == "https://example.com/post?id=1"


def test_capture_on_a_terminal_prompts_for_the_intent(live_user: User, server: Server) -> None:
    result = live_user.run("capture", "https://example.com/post", stdin="因为想学\n")
    assert "Why are you saving this?" in result.stderr
    assert server.writes[0].body["intent_text"] == "因为想学"


def test_capture_reports_an_existing_page(live_user: User, product: Product) -> None:
    there = product.add(EN)
    output = live_user.run("capture", there["url"], "-i", "为了团队的分享").stdout
    assert "Already saved as B0MA8N, 2 times now." in output
    assert "为了团队的分享" in output
    assert there["intent_text"] in " ".join(output.split())
    live_user.live = False
    result = live_user.run("capture", there["url"], "-i", "once more")
    assert result.stdout == f"{EN}\n"
    assert "3 times now" in result.stderr
    for reason in (there["intent_text"], "为了团队的分享", "once more"):
        assert f"saved for: {reason}" in " ".join(result.stderr.split())


def test_json_output_is_the_api_response(user: User, product: Product) -> None:
    there = product.add(EN)
    result = user.run("capture", there["url"], "-i", "why", "--json")
    assert json.loads(result.stdout) == {"item": there, "joined": True}
    assert result.stderr == ""


def test_capture_with_watch_waits_for_the_end(user: User, product: Product) -> None:
    first = "01M7QC" + "0" * 20
    product.upcoming[first] = [{}, {"status": "QUEUED"}, {"status": "READY"}]
    result = user.run("capture", "https://example.com/new", "-i", "why", "--watch")
    assert result.exit_code == 0
    assert "Summary" in result.stdout
    assert result.stderr.split() == ["captured", "queued", "ready"]


def test_capture_prints_the_servers_validation_message(user: User, server: Server) -> None:
    words = "intent_text is too short: at least 3 characters are needed"
    server.faults = [Fault(refusal(400, "VALIDATION_ERROR", words, fields=[]), "POST")]
    result = user.run("capture", "https://example.com", "-i", "x")
    assert (result.exit_code, words in result.stderr) == (2, True)


@pytest.mark.parametrize("live", [True, False])
def test_unprocessed_capture_is_not_watched(user: User, live: bool) -> None:
    user.live = live
    result = user.run("capture", "https://example.com/new", "-i", "why", "--no-process", "--watch")
    assert (result.exit_code, user.waited) == (0, [])
    assert "This item was saved without processing. Next: readdo process 000000" in " ".join(result.stderr.split())
    assert "readdo watch" not in result.stdout


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("FAILED_AI", "It failed. Try again: readdo retry B0MA8N"),
        ("ARCHIVED", "It is archived. Unarchive it: readdo unarchive B0MA8N"),
    ],
)
@pytest.mark.parametrize("live", [True, False])
def test_join_of_a_failed_or_archived_item_prints_the_next_step(
    user: User, product: Product, status: str, words: str, live: bool
) -> None:
    user.live = live
    there = product.add(EN, status)
    result = user.run("capture", there["url"], "-i", "once more")
    assert words in " ".join((result.stdout + result.stderr).split())
