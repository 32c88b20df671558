"""What goes wrong: the exit code that says so, the words, the next step, and how often it was tried."""

import json
from pathlib import Path

import pytest

from .conftest import Person, error_of
from .product import Product
from .samples import EN
from .server import DROP, TOKEN, Fault, Server
from .wire import Reply, refusal


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (400, 2, "no"),
        (401, 6, "READDO_TOKEN"),
        (403, 6, "a token that has that scope"),
        (404, 3, "readdo list --all"),
        (405, 4, "no"),
        (409, 4, "no"),
        (412, 4, "changed meanwhile"),
        (413, 2, "Send less"),
        (422, 4, "another key"),
        (429, 5, "Wait a little"),
        (500, 5, "readdo doctor"),
        (503, 5, "readdo doctor"),
    ],
)
def test_each_refusal_has_its_exit_code_and_its_next_step(
    person: Person, server: Server, status: int, code: int, words: str
) -> None:
    server.faults = [Fault(refusal(status, "SOME_CODE", "no"), times=9)]
    result = person.run("show", EN)
    assert (result.exit_code, result.stdout) == (code, "")
    assert "✗ no" in result.stderr
    assert words in result.stderr
    as_json = person.run("show", EN, "--json")
    assert error_of(as_json) == {"code": "SOME_CODE", "message": "no", "details": {}}
    assert as_json.stdout == ""


@pytest.mark.parametrize("fault", [DROP, Reply(500), Reply(502), Reply(503), Reply(504), Reply(429)])
@pytest.mark.parametrize("times", [1, 2])
def test_what_may_pass_is_tried_three_times(
    person: Person, product: Product, server: Server, fault: str | Reply, times: int
) -> None:
    product.add(EN)
    server.faults = [Fault(fault, times=times)]
    assert person.run("show", EN).exit_code == 0
    assert len(server.asked) == times + 1
    assert person.waited == sorted(person.waited)


@pytest.mark.parametrize("fault", [DROP, Reply(500)])
def test_and_not_four_times(person: Person, server: Server, fault: str | Reply) -> None:
    server.faults = [Fault(fault, times=99)]
    assert person.run("show", EN).exit_code == 5
    assert len(server.asked) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 409, 412, 422])
def test_what_will_not_pass_is_asked_once(person: Person, server: Server, status: int) -> None:
    server.faults = [Fault(Reply(status), times=9)]
    person.run("ship", EN)
    assert (len(server.asked), person.waited) == (1, [])


def test_the_server_says_how_long_to_wait(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(429, None, {"Retry-After": "7"})), Fault(Reply(503, None, {"Retry-After": "9999"}))]
    assert person.run("show", EN).exit_code == 0
    assert person.waited == [7.0, 20.0], "but not for ever"


def test_every_write_has_a_key_of_its_own_and_no_read_has(person: Person, product: Product, server: Server) -> None:
    product.add(EN, edited=["card"])
    person.run("export", EN)
    person.run("edit", EN, "intent", "--from", "-", stdin="another one")
    person.run("edit", EN, "card", "--undo")
    person.run("token", "create", "x")
    person.run("archive", EN)
    person.run("delete", EN, "-y")
    keys = [asked.headers.get("Idempotency-Key") for asked in server.writes]
    assert len(keys) == 6
    assert None not in keys
    assert len(set(keys)) == len(keys)
    assert not [asked for asked in server.calls("GET") if "Idempotency-Key" in asked.headers]


def test_the_requests_id_is_told(person: Person, server: Server) -> None:
    server.faults = [Fault(refusal(500, "INTERNAL_ERROR", "Our fault.", request_id="req-17"), times=9)]
    assert "req-17" in person.run("show", EN).stderr


@pytest.mark.parametrize("reply", [Reply(200, b"<html>a portal</html>"), Reply(200, []), Reply(200, b"")])
def test_a_stranger_that_answers_is_found_out(person: Person, server: Server, reply: Reply) -> None:
    server.faults = [Fault(reply, times=9)]
    result = person.run("show", EN)
    assert (result.exit_code, "is not Read→Do" in result.stderr) == (5, True)


def test_a_redirect_is_not_followed_with_our_token(person: Person, server: Server) -> None:
    server.faults = [Fault(Reply(302, None, {"Location": f"{server.url}/elsewhere"}), times=9)]
    assert person.run("list").exit_code == 5
    assert server.calls(path="/elsewhere") == []


def test_the_token_of_netrc_does_not_take_the_place_of_ours(
    person: Person, product: Product, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """127.1 is this machine too, but looks like any other: the environment counts for it."""
    netrc = Path("netrc")
    netrc.write_text("machine 127.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("NO_PROXY", "*")
    person.environ["READDO_URL"] = server.url.replace("127.0.0.1", "127.1")
    product.add(EN)
    assert person.run("show", EN).exit_code == 0
    assert server.asked[0].headers["Authorization"] == f"Bearer {TOKEN}"


def test_a_proxy_is_not_asked_for_what_is_on_this_machine(
    person: Person, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    product.add(EN)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert person.run("export", EN).exit_code == 0


def test_an_answer_of_another_form_is_told_in_words_and_not_in_a_trace(person: Person, server: Server) -> None:
    server.faults = [Fault(Reply(200, {"item": {}}), times=9)]
    person.environ["READDO_DEBUG"] = ""
    result = person.run("show", EN)
    assert result.exit_code == 1
    assert "READDO_DEBUG=1" in result.stderr
    assert "Traceback" not in result.stderr


def test_what_the_machine_refuses_is_told_in_words(person: Person, product: Product) -> None:
    product.add(EN)
    Path("taken").write_text("a file")
    person.environ["READDO_DEBUG"] = ""
    result = person.run("export", EN, "--to", "taken/below")
    assert (result.exit_code, "This machine refuses" in result.stderr) == (1, True)


def test_a_slip_of_the_finger_is_named(person: Person) -> None:
    result = person.run("sho", EN)
    assert (result.exit_code, "Did you mean 'show'?" in result.stderr) == (2, True)
    assert json.loads(person.run("sho", "--json").stderr)["error"]["code"] == "USAGE"


def test_commands_in_the_webs_text_never_reach_the_terminal(person: Person, product: Product, server: Server) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\r\n\x1b]52;c;eA==\x07 text\ud800"
    dressed = {"title": evil, "intent_text": evil, "domain": evil, "first_reason": evil, "url": f"https://a/{evil}"}
    product.add(EN, **dressed)
    for kind in product.made[EN].values():
        kind[0]["payload"] = _dressed(kind[0]["payload"], evil)
    for live in (True, False):
        person.live = live
        for args in (
            ["list"],
            ["list", "-l"],
            ["show", EN, "--history"],
            ["watch", EN],
            ["open", EN],
            ["show", "01M7"],
        ):
            _is_clean(person.run(*args))
        product.add("01M7QBHEY2000000000000MA8N", title=evil)
        _is_clean(person.run("show", "MA8N"))
        del product.items["01M7QBHEY2000000000000MA8N"]
        for args in (["ship", EN], ["archive", EN, EN[:-1] + "0"], ["export", EN]):
            server.faults = [Fault(refusal(409, "STATE_CONFLICT", evil), "POST")]
            _is_clean(person.run(*args))
    answer = person.run("show", EN, "--json").stdout
    assert json.loads(answer)["item"]["title"] == evil, "a machine gets what is there"
    assert not [c for c in answer if c in "\x1b\x07\x9b\u202e\ud800"], "escaped, as JSON can"


def _dressed(value: object, evil: str) -> object:
    if isinstance(value, str):
        return value + evil if value not in ("P1", "BUILD", "1h", "reason#1", "WORTH_IT") else value
    if isinstance(value, list):
        return [_dressed(part, evil) for part in value]
    return {name: _dressed(part, evil) for name, part in value.items()} if isinstance(value, dict) else value


def _is_clean(result: object) -> None:
    said = f"{result.stdout}{result.stderr}"  # type: ignore[attr-defined]
    own = said.replace("\x1b[?25l", "").replace("\x1b[?25h", "").replace("\x1b[1A", "").replace("\x1b[2K", "")
    assert not [c for c in own if c in "\x1b\x07\x9b\u202e\ud800"], repr(said)
    assert "evil" in said or "text" in said, "the text itself stays"


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["token", "revoke", "nosuch", "--yes"], "readdo token list"),
        (["show", EN, "--only", "summary", "--version", "9"], "readdo show B0MA8N --versions"),
        (["show", EN[:-1] + "X"], "readdo list --all"),
    ],
)
def test_what_is_not_found_is_looked_up_where_its_kind_is(
    person: Person, product: Product, args: list[str], hint: str
) -> None:
    product.add(EN)
    result = person.run(*args)
    assert result.exit_code == 3
    assert hint in result.stderr
