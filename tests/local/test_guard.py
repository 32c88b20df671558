"""Requests that the gateway of the local stack accepts, and those that change something."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.credentials import Credentials

from stack import request_gateway, role_rights
from stack.runtime_api import token_of
from stack.signatures import SignedRequest

from .guard_requests import FILES, JSON, KEY, OWN, SECRET, call, link, send, sign

PAGE = "/_aws/execute-api/api1"
FOREIGN = "https://evil.example"


@pytest.fixture(autouse=True)
def owner_key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setattr(request_gateway, "is_of_this_user", lambda *_: True)
    from ministack.services import sts  # noqa: PLC0415  # it reads its environment when it is imported

    yield
    sts._sessions.clear()


def test_owner_key_passes_and_the_body_arrives() -> None:
    answer = send("POST", f"{OWN}/", call("DynamoDB_20120810.ListTables"), b"{}")
    assert (answer.status, answer.seen_body) == (200, b"{}")
    assert "access-control-allow-origin" not in answer.headers


FORGED = f"SignedHeaders=host, Signature={'0' * 64}"


@pytest.mark.parametrize("key", ["", "test", "000000000000", KEY, "AKIAIOSFODNN7EXAMPLE"])
def test_key_without_its_signature_is_refused(key: str) -> None:
    scope = f"AWS4-HMAC-SHA256 Credential={key}/20261119/eu-central-1/dynamodb/aws4_request"
    assert not send("POST", f"{OWN}/", {"Authorization": f"{scope}, {FORGED}", **JSON}, b"{}").reached


@pytest.mark.parametrize("header", ["x", "", "Bearer rdo_x", "AWS4-HMAC-SHA256", f"AWS {KEY}:abc"])
def test_header_without_a_valid_signature_is_refused(header: str) -> None:
    headers = {"Authorization": header, "X-Amz-Target": "DynamoDB_20120810.ListTables", **JSON}
    answer = send("POST", f"{OWN}/", headers, b"{}")
    assert (answer.status, answer.reached) == (403, False)


def test_signature_by_another_secret_is_refused() -> None:
    headers = sign("POST", f"{OWN}/", key=Credentials(KEY, "guessed"))
    assert send("POST", f"{OWN}/", headers, b"{}").status == 403


def test_other_body_than_the_signed_one_is_refused() -> None:
    assert send("POST", f"{OWN}/", call("DynamoDB_20120810.ListTables"), b'{"Limit":1}').status == 403
    put = sign("PUT", f"{OWN}/bucket/key", "s3", b"signed")
    assert send("PUT", f"{OWN}/bucket/key", put, b"signed").status == 200
    assert send("PUT", f"{OWN}/bucket/key", put, b"other!").status == 403


def test_header_that_the_signature_does_not_cover_is_refused() -> None:
    headers = sign("POST", f"{OWN}/")
    assert send("POST", f"{OWN}/", {**headers, "X-Amz-Target": "DynamoDB_20120810.Scan"}, b"{}").status == 403


def test_second_key_in_the_header_is_refused() -> None:
    headers = call("DynamoDB_20120810.ListTables")
    twice = headers["Authorization"].replace("Credential=", "Credential=test/1/2/3/aws4_request, Credential=")
    assert send("POST", f"{OWN}/", {**headers, "Authorization": twice}, b"{}").status == 403
    assert send("POST", f"{OWN}/?X-Amz-Credential=test/1/2/s3/aws4_request", headers, b"{}").status == 403


def test_old_signature_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    import datetime  # noqa: PLC0415

    from botocore import auth  # noqa: PLC0415

    an_hour_ago = datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=1)
    monkeypatch.setattr(auth, "get_current_datetime", lambda **_: an_hour_ago)
    assert send("POST", f"{OWN}/", sign("POST", f"{OWN}/"), b"{}").status == 403


@pytest.mark.parametrize("origin", [{}, {"Origin": FOREIGN}], ids=["without Origin", "foreign"])
@pytest.mark.parametrize("name", ["X-Amz-Signature", "x-amz-signature", "AWSAccessKeyId"])
def test_blank_query_signature_is_refused(name: str, origin: dict[str, str]) -> None:
    """An `<img>` of a foreign website sends no Origin."""
    for method, host in (("POST", OWN), ("GET", OWN), ("GET", FILES), ("OPTIONS", OWN)):
        answer = send(method, f"{host}/?{name}=", origin)
        assert (answer.status, answer.reached) == (403, False)
        assert "access-control-allow-origin" not in answer.headers


def test_blank_query_parameter_is_part_of_what_is_signed() -> None:
    url = f"{OWN}/bucket/key?uploads="
    assert send("POST", url, sign("POST", url, "s3"), b"{}").reached
    assert not send("POST", f"{url}&acl=", sign("POST", url, "s3"), b"{}").reached


def test_link_leads_to_its_file_on_the_files_host_only() -> None:
    answer = send("GET", link())
    assert (answer.status, answer.headers["x-content-type-options"]) == (200, "nosniff")
    assert send("GET", link(host=OWN)).status == 403
    assert send("GET", link(secret="guessed")).status == 403
    assert send("GET", link().replace("b%20c.txt", "other")).status == 403
    assert send("PUT", link()).status == 403
    assert send("GET", link(), {"Authorization": "Bearer rdo_x"}).status == 403


def test_expired_link_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    url = link(ExpiresIn=60)
    assert send("GET", url).status == 200
    from ministack.core import sigv4  # noqa: PLC0415

    monkeypatch.setattr(sigv4, "presigned_request_is_expired", lambda _, seconds: int(seconds) == 60)
    assert send("GET", url).status == 403
    assert send("GET", url.replace("X-Amz-Expires=60", "X-Amz-Expires=9999999")).status == 403


def test_foreign_website_cannot_reach_anything_outside_the_api() -> None:
    headers = call("DynamoDB_20120810.ListTables")
    for method in ("OPTIONS", "POST", "GET"):
        for origin in (FOREIGN, "null", OWN, "chrome-extension://abc"):
            assert not send(method, f"{OWN}/", {**headers, "Origin": origin}, b"{}").reached
    assert not send("GET", link(), {"Origin": FOREIGN}).reached
    assert not send("OPTIONS", link("put_object"), {"Origin": FOREIGN}).reached
    assert not send("OPTIONS", f"{OWN}/").reached


def test_own_page_may_send_a_file_to_its_link() -> None:
    preflight = send("OPTIONS", link("put_object"), {"Origin": OWN, "Access-Control-Request-Method": "PUT"})
    assert (preflight.status, preflight.reached) == (204, False)
    assert preflight.headers["access-control-allow-origin"] == OWN
    assert preflight.headers["access-control-allow-methods"] == "PUT"
    answer = send("PUT", link("put_object"), {"Origin": OWN}, b"content")
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, OWN)


@pytest.mark.parametrize("host", ["rebound.example:4600", "s3.localhost:4600", "127.0.0.1", "127.0.0.1:80", ""])
def test_other_name_of_this_machine_is_refused(host: str) -> None:
    for path in (PAGE, "/_aws/execute-api/x", "/"):
        assert not send("GET", f"{OWN}{path}", {"Host": host}).reached


@pytest.mark.parametrize("path", ["/_ministack/reset", "/_localstack/state/reset", "/restapis/api1/x/_user_request_/"])
def test_emulators_own_calls_need_the_key(path: str) -> None:
    assert not send("POST", f"{OWN}{path}").reached


def test_administration_of_the_emulator_is_refused_to_the_owner_too() -> None:
    assert not send("POST", f"{OWN}/_ministack/reset", sign("POST", f"{OWN}/_ministack/reset", "s3"), b"{}").reached


def test_api_is_reached_without_a_signature_and_keeps_its_own_cors() -> None:
    answer = send("GET", f"{OWN}{PAGE}/items", {"Origin": "chrome-extension://abc", "Authorization": "Bearer rdo_x"})
    assert answer.reached
    assert answer.headers["access-control-allow-origin"] == "*", "as the application answered"
    assert send("OPTIONS", f"{OWN}{PAGE}/items", {"Origin": FOREIGN}).reached


@pytest.mark.parametrize(
    "path", ["/_aws/execute-api/", "/_aws/execute-api/api2/x", "/_aws/execute-api/api1x", "/_aws/x"]
)
def test_only_the_deployed_api_is_open(path: str) -> None:
    assert not send("GET", f"{OWN}{path}").reached


def test_api_request_cannot_name_another_service() -> None:
    answer = send("POST", f"{OWN}{PAGE}/items", {"X-Amz-Target": "DynamoDB_20120810.Scan"}, b"{}")
    assert "x-amz-target" not in answer.seen_headers
    assert not send("GET", f"{OWN}{PAGE}/items", {"Authorization": "AWS4-HMAC-SHA256 Credential=test/"}).reached
    assert not send("GET", f"{OWN}{PAGE}/items?X-Amz-Credential=000000000000/x").reached


def test_api_on_the_files_host_is_sent_to_its_own() -> None:
    answer = send("GET", f"{FILES}{PAGE}/my?q=1")
    assert (answer.status, answer.headers["location"]) == (307, f"{OWN}{PAGE}/my?q=1")


def temporary(**more: Any) -> Credentials:
    from ministack.services import sts  # noqa: PLC0415

    arn = "arn:aws:sts::000000000000:assumed-role/role/function"
    sts.register_session("ASIA0000000000000001", {"Arn": arn, "SecretAccessKey": "s", "SessionToken": "t", **more})
    return Credentials("ASIA0000000000000001", "s", "t")


def test_another_user_is_refused_whatever_they_send(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another user is refused even with a stolen token or link."""
    monkeypatch.setattr(request_gateway, "is_of_this_user", lambda *_: False)
    assert not send("GET", f"{OWN}{PAGE}/items", {"Authorization": "Bearer rdo_x"}).reached
    assert not send("GET", link()).reached
    assert not send("POST", f"{OWN}/", call("DynamoDB_20120810.ListTables"), b"{}").reached


def test_refusal_does_not_tell_where_the_page_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The secret path protects the cookie from other ports of this machine."""
    monkeypatch.setenv("READDO_PUBLIC_URL", f"{OWN}{PAGE}")
    for url in (f"{OWN}/", f"{FILES}/", f"{OWN}/_aws/execute-api/x", f"{OWN}/_ministack/health"):
        answer = send("GET", url)
        assert "api1" not in f"{answer.body!r} {answer.headers}"


def test_body_of_the_api_is_limited_before_it_is_taken() -> None:
    answer = send("POST", f"{OWN}{PAGE}/capture", {"Content-Length": str(11 * 1024 * 1024)})
    assert (answer.status, answer.reached) == (413, False)
    assert send("POST", f"{OWN}{PAGE}/capture", {}, b"x" * (11 * 1024 * 1024)).seen_body == b""


def test_temporary_key_passes_with_its_token_until_it_expires() -> None:
    key, url = temporary(), f"{OWN}/2015-03-31/functions/x/invocations"
    assert send("POST", url, sign("POST", url, "lambda", key=key), b"{}").status == 200
    other = Credentials(key.access_key, "s", "other")
    assert send("POST", url, sign("POST", url, "lambda", key=other), b"{}").status == 403
    temporary(Expiration=1.0)
    assert send("POST", url, sign("POST", url, "lambda", key=key), b"{}").status == 403


@pytest.mark.parametrize(
    ("method", "path", "service", "headers"),
    [
        ("POST", "/", "iam", {}),
        ("POST", "/", "sts", {}),
        ("POST", "/", "cloudformation", {}),
        ("POST", "/?Action=GetItem", "dynamodb", {"X_Amz_Target": "DynamoDB_20120810.DeleteTable"}),
        ("PUT", "/bucket/key?Action=x", "s3", {}),
        (
            "POST",
            "/",
            "states",
            {"X_Amz_Target": "AWSStepFunctions.X", "Content_Type": "application/x-www-form-urlencoded"},
        ),
        ("POST", "/", "s3", {"X_Amz_Target": "DynamoDB_20120810.Scan"}),
        ("PUT", "/2015-03-31/functions/x/code", "lambda", {}),
        ("POST", "/2015-03-31/functions/x/invocations", "ssm", {}),
        ("POST", "/", "ssm", {"X_Amz_Target": "AmazonSSM.PutParameter"}),
    ],
)
def test_role_makes_no_call_that_functions_do_not_make(
    method: str, path: str, service: str, headers: dict[str, Any]
) -> None:
    signed_headers = sign(method, f"{OWN}{path}", service, key=temporary(), **headers)
    assert (send(method, f"{OWN}{path}", signed_headers, b"{}").reached) is False


def test_each_key_of_a_batch_needs_its_right(monkeypatch: pytest.MonkeyPatch) -> None:
    from ministack.core import iam_evaluator  # noqa: PLC0415

    def enforce(*_: Any, service_context: dict[str, Any], **__: Any) -> bool:
        return not all(key.startswith("O#") for key in service_context["dynamodb:LeadingKeys"])

    monkeypatch.setattr(iam_evaluator, "enforce", enforce)
    monkeypatch.setattr(role_rights, "_hash_key", lambda *_: "pk")
    headers = {"x-amz-target": "DynamoDB_20120810.BatchGetItem"}
    for last, refused in (("O#me", False), ("S#me", True)):
        body = json.dumps({"RequestItems": {"table": {"Keys": [{"pk": {"S": "O#me"}}, {"pk": {"S": last}}]}}})
        request = SignedRequest("POST", "/", {}, headers, body.encode())
        assert (role_rights.refusal_for_role("dynamodb", "key", request) is not None) == refused


@pytest.mark.parametrize("operation", ["GetItem", "BatchGetItem", "Query"])
def test_read_of_the_table_is_no_change_though_it_is_posted(operation: str) -> None:
    assert send("POST", f"{OWN}/", call(f"DynamoDB_20120810.{operation}"), b"{}").changes == 0


@pytest.mark.parametrize(
    "name", ["DynamoDB_20120810.TransactWriteItems", "DynamoDB_20120810.UpdateItem", "AWSStepFunctions.Query", "other"]
)
def test_other_posts_are_changes(name: str) -> None:
    assert send("POST", f"{OWN}/", call(name), b"{}").changes == 1


def test_get_is_no_change_and_put_is_one() -> None:
    assert send("GET", f"{OWN}{PAGE}/items").changes == 0
    assert send("PUT", link("put_object")).changes == 1


def test_runtime_tokens_differ_by_port() -> None:
    assert token_of(4601) != token_of(4602)
