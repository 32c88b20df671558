"""The template comes up, answers, and its rights hold."""

import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from .conftest import SECRET, Stack, until
from .guard_requests import sign


def test_a_request_reaches_the_function_and_the_table(stack: Stack) -> None:
    assert stack.call("put", pk="a", value="1") == (200, {"stored": "a"})
    assert stack.call("get", pk="a") == (200, {"value": "1"})


def test_the_files_are_private_and_complete(stack: Stack) -> None:
    endpoint = json.loads(stack.file.read_text())
    assert endpoint == {"url": stack.url, "token": (stack.home / "token").read_text().strip()}
    assert [oct(p.stat().st_mode & 0o777) for p in (stack.home, stack.file, stack.home / "token")] == [
        "0o700",
        "0o600",
        "0o600",
    ]


def test_a_role_may_do_what_its_policy_says_and_nothing_else(stack: Stack) -> None:
    """Both functions name the same bucket; only the step may write there, and only under one prefix."""
    assert stack.call("write_object") == (403, {"code": "AccessDenied"})
    assert stack.call("scan") == (403, {"code": "AccessDeniedException"})
    assert stack.execute(write="allowed/x")["end"] == "Done"
    refused = stack.execute(write="elsewhere/x")
    assert refused["end"] == "Loud"
    assert "AccessDenied" in refused["error"]["Cause"]


def _as_role(stack: Stack, service: str) -> Any:
    env = stack.call("environment")[1]["env"]
    return boto3.client(
        service,
        endpoint_url=f"http://127.0.0.1:{stack.port}",
        region_name="eu-central-1",
        aws_access_key_id=env["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=env["AWS_SECRET_ACCESS_KEY"],
        aws_session_token=env["AWS_SESSION_TOKEN"],
    )


def _batch_write(stack: Stack, table: str, write: dict[str, Any]) -> int:
    """Signed as a role, and without what AWS's client refuses by itself."""
    env = stack.call("environment")[1]["env"]
    key = Credentials(env["AWS_ACCESS_KEY_ID"], env["AWS_SECRET_ACCESS_KEY"], env["AWS_SESSION_TOKEN"])
    body, url = json.dumps({"RequestItems": {table: [write]}}).encode(), f"http://127.0.0.1:{stack.port}/"
    headers = sign("POST", url, body=body, key=key, X_Amz_Target="DynamoDB_20120810.BatchWriteItem")
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=5) as answer:  # loopback
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def _refused(call: Callable[..., Any], **ask: Any) -> bool:
    try:
        call(**ask)
    except ClientError as error:
        return error.response["Error"]["Code"] in ("AccessDenied", "AccessDeniedException")
    return False


def test_a_role_is_held_to_the_partitions_that_its_policy_names(stack: Stack) -> None:
    """The emulator does not know `dynamodb:LeadingKeys`."""
    stack.call("put", pk="open", value="1")
    name, role = stack.call("environment")[1]["env"]["TABLE_NAME"], _as_role(stack, "dynamodb")
    free, secret = {"pk": {"S": "open"}}, {"pk": {"S": "secret#1"}}
    keyed = {"KeyConditionExpression": "#k = :k", "ExpressionAttributeNames": {"#k": "pk"}}
    for key, refused in ((free, False), (secret, True)):
        asked = {"TableName": name, **keyed, "ExpressionAttributeValues": {":k": key["pk"]}}
        assert _refused(role.get_item, TableName=name, Key=key) is refused
        assert _refused(role.put_item, TableName=name, Item=key) is refused
        assert _refused(role.query, **asked) is refused
        assert _refused(role.batch_get_item, RequestItems={name: {"Keys": [key]}}) is refused
        assert _refused(role.batch_write_item, RequestItems={name: [{"PutRequest": {"Item": key}}]}) is refused
        assert _refused(role.transact_write_items, TransactItems=[{"Put": {"TableName": name, "Item": key}}]) is refused
    values = {":a": {"S": "open"}, ":b": {"S": "secret#1"}}
    for condition in ("#k = :a OR pk = :b", "#k = :a OR :b = pk", "(#k = :a) OR (pk = :b)", "#k = :a AND pk = :b"):
        asked = {"TableName": name, **keyed, "KeyConditionExpression": condition, "ExpressionAttributeValues": values}
        assert _refused(role.query, **asked), condition
    for write in (
        {"DeleteRequest": {"Key": free}, "PutRequest": {"Item": secret}},
        {"DeleteRequest": {"Item": free, "Key": secret}},
        {"PutRequest": {"Item": free, "Key": secret}},
    ):
        assert _batch_write(stack, name, write) == 403, write
    assert _batch_write(stack, name, {"PutRequest": {"Item": free}}) == 200
    change: dict[str, Any] = {"TableName": name, "Key": free, "UpdateExpression": "REMOVE a"}
    assert _refused(role.update_item, **change), "only within a transaction"
    assert not _refused(role.transact_write_items, TransactItems=[{"Update": change}])
    assert _refused(role.execute_statement, Statement=f'SELECT * FROM "{name}"')  # noqa: S608  # no user's text
    assert _refused(role.scan, TableName=name)
    assert _refused(role.delete_table, TableName=name)


def test_a_role_takes_no_other_rights(stack: Stack) -> None:
    assert _refused(_as_role(stack, "sts").get_caller_identity)
    assert _refused(_as_role(stack, "iam").list_users)
    assert _refused(_as_role(stack, "lambda").list_functions)
    assert _refused(_as_role(stack, "ssm").get_parameter, Name="/readdo/model-key")
    assert _refused(_as_role(stack, "cloudformation").list_stacks)


def test_a_role_deletes_no_file_beside_those_it_may(stack: Stack) -> None:
    """The emulator checks one key of several; and one element with two keys as one of them."""
    bucket = stack.call("environment")[1]["env"]["BUCKET_NAME"]
    _owner(stack, "s3").put_object(Bucket=bucket, Key="elsewhere/victim", Body=b"x")
    role = _as_role(stack, "s3")
    listed = {"Objects": [{"Key": "elsewhere/victim"}, {"Key": "content/x"}]}
    assert _refused(role.delete_objects, Bucket=bucket, Delete=listed)
    assert _refused(role.delete_objects, Bucket=bucket, Delete={"Objects": [{"Key": "elsewhere/victim"}]})
    assert _owner(stack, "s3").head_object(Bucket=bucket, Key="elsewhere/victim")["ContentLength"] == 1


def test_a_roles_credentials_cannot_be_computed_from_the_functions_name(stack: Stack) -> None:
    key = stack.call("environment")[1]["env"]["AWS_ACCESS_KEY_ID"]
    owner = _owner(stack, "lambda")
    for function in owner.list_functions()["Functions"]:
        digest = hashlib.sha256(f"{function['FunctionArn']}:{function['Role']}".encode()).hexdigest()
        assert digest[:16].upper() not in key


def test_the_runtime_api_answers_only_its_own_process(stack: Stack) -> None:
    """Another user of this machine polls for events: every port that the stack listens on."""
    stack.call("put", pk="a", value="1")
    seen = stack.call("environment")[1]["env"]
    assert "READDO_RUNTIME_TOKEN" not in seen, "a handler does not hand it on to what it starts"
    port = int(seen["AWS_LAMBDA_RUNTIME_API"].rsplit(":", 1)[1])
    for method, path in (("GET", "invocation/next"), ("POST", "invocation/1/response"), ("POST", "init/error")):
        url = f"http://127.0.0.1:{port}/2018-06-01/runtime/{path}"
        for headers in ({}, {"X-Runtime-Token": ""}, {"X-Runtime-Token": "0" * 64}):
            request = urllib.request.Request(
                url, b"{}" if method == "POST" else None, headers, method=method
            )  # loopback
            with pytest.raises(urllib.error.HTTPError, match="403") as refused:
                urllib.request.urlopen(request, timeout=5)  # noqa: S310  # the same
            refused.value.close()


def test_handlers_see_an_allowlist_of_the_environment(stack: Stack) -> None:
    seen = stack.call("environment")[1]
    env = seen["env"]
    assert SECRET not in json.dumps(seen)
    assert {"OPENAI_API_KEY", "HTTPS_PROXY", "AWS_PROFILE", "STATE_DIR", "AUTH"}.isdisjoint(env)
    assert env["AWS_ENDPOINT_URL"] == f"http://127.0.0.1:{stack.port}"
    assert env["AWS_ENDPOINT_URL_S3"] == f"http://localhost:{stack.port}", "files are of another origin than the page"
    assert env["AWS_ACCESS_KEY_ID"].startswith("ASIA"), "credentials of the role, not of the stack's owner"
    assert env["LEASE_SECONDS"] == "90", "the local parameter, not the template's default"
    assert env["SCHEMAS_DIR"].endswith("/schemas")
    assert not [p for p in seen["path"] if p.endswith("/local")], "the stack's own modules are not the handler's"


def test_errors_are_caught_by_their_class(stack: Stack) -> None:
    lost = stack.execute(**{"raise": "LeaseLost"})
    assert (lost["end"], lost["error"]["Error"]) == ("Quiet", "LeaseLost")
    cause = json.loads(lost["error"]["Cause"])
    assert (cause["errorType"], cause["errorMessage"]) == ("LeaseLost", "somebody else has it")
    assert "handler.py" in cause["stackTrace"][0]
    assert stack.execute(**{"raise": "other"})["error"]["Error"] == "ValueError"
    assert stack.execute(**{"raise": "Flaky"})["result"]["calls"] == 3


def test_the_first_heartbeat_comes_at_once(stack: Stack) -> None:
    until(lambda: "count beats 1" in (stack.home / "functions.log").read_text())


def ask(stack: Stack, path: str, **headers: str) -> int:
    request = urllib.request.Request(f"http://127.0.0.1:{stack.port}{path}", b"", headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310  # the same
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


@pytest.mark.parametrize(
    "strange",
    [
        ("/_ministack/reset", {}),
        ("/_localstack/state/reset", {}),
        ("/_aws/execute-api/x/get", {"Host": "rebound.example:80"}),
        ("/?Action=ListUsers&Version=2010-05-08", {}),
    ],
)
def test_a_website_in_a_browser_gets_nowhere(stack: Stack, strange: tuple[str, dict[str, Any]]) -> None:
    path, headers = strange
    assert ask(stack, path, **headers) == 403


@pytest.mark.parametrize("key", ["test", "000000000000", "AKIAIOSFODNN7EXAMPLE"])
def test_a_key_that_everybody_knows_opens_nothing(stack: Stack, key: str) -> None:
    known = {"aws_access_key_id": key, "aws_secret_access_key": "test", "region_name": "eu-central-1"}
    for service, call in (("dynamodb", "list_tables"), ("s3", "list_buckets"), ("lambda", "list_functions")):
        client = boto3.client(service, endpoint_url=f"http://127.0.0.1:{stack.port}", **known)
        with pytest.raises(ClientError):
            getattr(client, call)()


def _owner(stack: Stack, service: str) -> Any:
    env = dict(line.split("=", 1) for line in (stack.home / "admin.env").read_text().splitlines())
    return boto3.client(
        service,
        endpoint_url=env["AWS_ENDPOINT_URL"],
        region_name=env["AWS_DEFAULT_REGION"],
        aws_access_key_id=env["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=env["AWS_SECRET_ACCESS_KEY"],
    )


def test_the_owner_can_look_inside(stack: Stack) -> None:
    owner = _owner(stack, "dynamodb")
    [table] = owner.list_tables()["TableNames"]
    assert owner.describe_time_to_live(TableName=table)["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED"
    backups = owner.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"


def test_more_calls_than_places_wait_for_their_turn(stack: Stack) -> None:
    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(lambda n: stack.call("put", pk=f"turn-{n}", value=str(n))[0], range(24)))
    assert answers == [200] * 24
