"""Errors: exit codes, messages, advice and retries."""

import json
from pathlib import Path

import pytest

from .conftest import User, error_of
from .product import Product
from .samples import EN
from .server import DROP, TOKEN, Fault, Server
from .wire import Reply, refusal


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (400, 2, "no"),
        (401, 6, "READDO_TOKEN"),
        (403, 6, "a token with that scope"),
        (404, 3, "readdo list --all"),
        (405, 4, "no"),
        (409, 4, "no"),
        (412, 4, "changed in the meantime"),
        (413, 2, "Send only the relevant part"),
        (422, 4, "another key"),
        (429, 5, "Wait a moment"),
        (500, 5, "readdo doctor"),
        (503, 5, "readdo doctor"),
    ],
)
def test_error_status_sets_exit_code_and_advice(user: User, server: Server, status: int, code: int, words: str) -> None:
    server.faults = [Fault(refusal(status, "SOME_CODE", "no"), times=9)]
    result = user.run("show", EN)
    assert (result.exit_code, result.stdout) == (code, "")
    assert "✗ no" in result.stderr
    assert words in result.stderr
    as_json = user.run("show", EN, "--json")
    assert error_of(as_json) == {"code": "SOME_CODE", "message": "no", "details": {}}
    assert as_json.stdout == ""


@pytest.mark.parametrize("fault", [DROP, Reply(500), Reply(502), Reply(503), Reply(504), Reply(429)])
@pytest.mark.parametrize("times", [1, 2])
def test_transient_error_is_retried(
    user: User, product: Product, server: Server, fault: str | Reply, times: int
) -> None:
    product.add(EN)
    server.faults = [Fault(fault, times=times)]
    assert user.run("show", EN).exit_code == 0
    assert len(server.requests) == times + 1
    assert user.waited == sorted(user.waited)


@pytest.mark.parametrize("fault", [DROP, Reply(500)])
def test_transient_error_is_tried_three_times_at_most(user: User, server: Server, fault: str | Reply) -> None:
    server.faults = [Fault(fault, times=99)]
    assert user.run("show", EN).exit_code == 5
    assert len(server.requests) == 3


@pytest.mark.parametrize("status", [400, 401, 404, 409, 412, 422])
def test_permanent_error_is_not_retried(user: User, server: Server, status: int) -> None:
    server.faults = [Fault(Reply(status), times=9)]
    user.run("ship", EN)
    assert (len(server.requests), user.waited) == (1, [])


def test_retry_after_is_respected_up_to_a_limit(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(429, None, {"Retry-After": "7"})), Fault(Reply(503, None, {"Retry-After": "9999"}))]
    assert user.run("show", EN).exit_code == 0
    assert user.waited == [7.0, 20.0], "but not for ever"


def test_each_write_has_its_own_idempotency_key(user: User, product: Product, server: Server) -> None:
    product.add(EN, edited=["card"])
    user.run("export", EN)
    user.run("edit", EN, "intent", "--from", "-", stdin="another one")
    user.run("edit", EN, "card", "--undo")
    user.run("token", "create", "x")
    user.run("archive", EN)
    user.run("delete", EN, "-y")
    keys = [request.headers.get("Idempotency-Key") for request in server.writes]
    assert len(keys) == 6
    assert None not in keys
    assert len(set(keys)) == len(keys)
    assert not [request for request in server.calls("GET") if "Idempotency-Key" in request.headers]


def test_error_prints_the_request_id(user: User, server: Server) -> None:
    server.faults = [Fault(refusal(500, "INTERNAL_ERROR", "Our fault.", request_id="req-17"), times=9)]
    assert "req-17" in user.run("show", EN).stderr


@pytest.mark.parametrize("reply", [Reply(200, b"<html>a portal</html>"), Reply(200, []), Reply(200, b"")])
def test_response_of_another_server_is_detected(user: User, server: Server, reply: Reply) -> None:
    server.faults = [Fault(reply, times=9)]
    result = user.run("show", EN)
    assert (result.exit_code, "is not Read→Do" in result.stderr) == (5, True)


def test_redirect_is_not_followed_with_the_token(user: User, server: Server) -> None:
    server.faults = [Fault(Reply(302, None, {"Location": f"{server.url}/elsewhere"}), times=9)]
    assert user.run("list").exit_code == 5
    assert server.calls(path="/elsewhere") == []


def test_netrc_does_not_replace_the_token(
    user: User, product: Product, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """requests reads netrc for 127.1, a loopback address that it takes for a remote one."""
    netrc = Path("netrc")
    netrc.write_text("machine 127.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("NO_PROXY", "*")
    user.environ["READDO_URL"] = server.url.replace("127.0.0.1", "127.1")
    product.add(EN)
    assert user.run("show", EN).exit_code == 0
    assert server.requests[0].headers["Authorization"] == f"Bearer {TOKEN}"


def test_proxy_is_not_used_for_loopback(user: User, product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    product.add(EN)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert user.run("export", EN).exit_code == 0


def test_unexpected_response_prints_no_traceback(user: User, server: Server) -> None:
    server.faults = [Fault(Reply(200, {"item": {}}), times=9)]
    user.environ["READDO_DEBUG"] = ""
    result = user.run("show", EN)
    assert result.exit_code == 1
    assert "READDO_DEBUG=1" in result.stderr
    assert "Traceback" not in result.stderr


def test_file_system_error_is_reported(user: User, product: Product) -> None:
    product.add(EN)
    Path("taken").write_text("a file")
    user.environ["READDO_DEBUG"] = ""
    result = user.run("export", EN, "--to", "taken/below")
    assert (result.exit_code, "System error" in result.stderr) == (1, True)


def test_misspelt_command_gets_a_suggestion(user: User) -> None:
    result = user.run("sho", EN)
    assert (result.exit_code, "Did you mean 'show'?" in result.stderr) == (2, True)
    assert json.loads(user.run("sho", "--json").stderr)["error"]["code"] == "USAGE"


def test_control_sequences_never_reach_the_terminal(user: User, product: Product, server: Server) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202eevil\r\n\x1b]52;c;eA==\x07 text\ud800"
    fields = {"title": evil, "intent_text": evil, "domain": evil, "first_reason": evil, "url": f"https://a/{evil}"}
    product.add(EN, **fields)
    for kind in product.artifacts[EN].values():
        kind[0]["payload"] = _with_suffix(kind[0]["payload"], evil)
    for live in (True, False):
        user.live = live
        for args in (
            ["list"],
            ["list", "-l"],
            ["show", EN, "--history"],
            ["watch", EN],
            ["open", EN],
            ["show", "01M7"],
        ):
            _assert_clean(user.run(*args))
        product.add("01M7QBHEY2000000000000MA8N", title=evil)
        _assert_clean(user.run("show", "MA8N"))
        del product.items["01M7QBHEY2000000000000MA8N"]
        for args in (["ship", EN], ["archive", EN, EN[:-1] + "0"], ["export", EN]):
            server.faults = [Fault(refusal(409, "STATE_CONFLICT", evil), "POST")]
            _assert_clean(user.run(*args))
    answer = user.run("show", EN, "--json").stdout
    assert json.loads(answer)["item"]["title"] == evil, "a machine gets what is there"
    assert not [c for c in answer if c in "\x1b\x07\x9b\u202e\ud800"], "escaped, as JSON can"


def _with_suffix(value: object, evil: str) -> object:
    if isinstance(value, str):
        return value + evil if value not in ("P1", "BUILD", "1h", "reason#1", "WORTH_IT") else value
    if isinstance(value, list):
        return [_with_suffix(part, evil) for part in value]
    return {name: _with_suffix(part, evil) for name, part in value.items()} if isinstance(value, dict) else value


def _assert_clean(result: object) -> None:
    output = f"{result.stdout}{result.stderr}"  # type: ignore[attr-defined]
    own = output.replace("\x1b[?25l", "").replace("\x1b[?25h", "").replace("\x1b[1A", "").replace("\x1b[2K", "")
    assert not [c for c in own if c in "\x1b\x07\x9b\u202e\ud800"], repr(output)
    assert "evil" in output or "text" in output, "the text itself stays"


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["token", "revoke", "nosuch", "--yes"], "readdo token list"),
        (["show", EN, "--only", "summary", "--version", "9"], "readdo show B0MA8N --versions"),
        (["show", EN[:-1] + "X"], "readdo list --all"),
    ],
)
def test_not_found_advises_the_matching_list(user: User, product: Product, args: list[str], hint: str) -> None:
    product.add(EN)
    result = user.run(*args)
    assert result.exit_code == 3
    assert hint in result.stderr
