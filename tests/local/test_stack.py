"""Local stack: the template deploys, functions answer, and roles are enforced."""

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


def test_request_reaches_the_function_and_the_table(stack: Stack) -> None:
    assert stack.call("put", pk="a", value="1") == (200, {"stored": "a"})
    assert stack.call("get", pk="a") == (200, {"value": "1"})


def test_files_are_private_and_complete(stack: Stack) -> None:
    endpoint = json.loads(stack.file.read_text())
    assert endpoint == {"url": stack.url, "token": (stack.home / "token").read_text().strip()}
    assert [oct(p.stat().st_mode & 0o777) for p in (stack.home, stack.file, stack.home / "token")] == [
        "0o700",
        "0o600",
        "0o600",
    ]


def test_role_has_exactly_the_rights_of_its_policy(stack: Stack) -> None:
    """Both functions have the bucket's name; only the step may write there, under one prefix."""
    assert stack.call("write_object") == (403, {"code": "AccessDenied"})
    assert stack.call("scan") == (403, {"code": "AccessDeniedException"})
    assert stack.execute(write="allowed/x")["end"] == "Done"
    refused = stack.execute(write="elsewhere/x")
    assert refused["end"] == "Loud"
    assert "AccessDenied" in refused["error"]["Cause"]


def _role_client(stack: Stack, service: str) -> Any:
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
    """Send a batch write signed as a role, without the checks of AWS's client."""
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


def _is_refused(call: Callable[..., Any], **ask: Any) -> bool:
    try:
        call(**ask)
    except ClientError as error:
        return error.response["Error"]["Code"] in ("AccessDenied", "AccessDeniedException")
    return False


def test_role_reaches_only_the_partitions_of_its_policy(stack: Stack) -> None:
    """The emulator does not support `dynamodb:LeadingKeys`; the gateway does."""
    stack.call("put", pk="open", value="1")
    name, role = stack.call("environment")[1]["env"]["TABLE_NAME"], _role_client(stack, "dynamodb")
    allowed, forbidden = {"pk": {"S": "open"}}, {"pk": {"S": "secret#1"}}
    keyed = {"KeyConditionExpression": "#k = :k", "ExpressionAttributeNames": {"#k": "pk"}}
    for key, refused in ((allowed, False), (forbidden, True)):
        query = {"TableName": name, **keyed, "ExpressionAttributeValues": {":k": key["pk"]}}
        assert _is_refused(role.get_item, TableName=name, Key=key) is refused
        assert _is_refused(role.put_item, TableName=name, Item=key) is refused
        assert _is_refused(role.query, **query) is refused
        assert _is_refused(role.batch_get_item, RequestItems={name: {"Keys": [key]}}) is refused
        assert _is_refused(role.batch_write_item, RequestItems={name: [{"PutRequest": {"Item": key}}]}) is refused
        assert (
            _is_refused(role.transact_write_items, TransactItems=[{"Put": {"TableName": name, "Item": key}}]) is refused
        )
    values = {":a": {"S": "open"}, ":b": {"S": "secret#1"}}
    for condition in ("#k = :a OR pk = :b", "#k = :a OR :b = pk", "(#k = :a) OR (pk = :b)", "#k = :a AND pk = :b"):
        query = {"TableName": name, **keyed, "KeyConditionExpression": condition, "ExpressionAttributeValues": values}
        assert _is_refused(role.query, **query), condition
    for write in (
        {"DeleteRequest": {"Key": allowed}, "PutRequest": {"Item": forbidden}},
        {"DeleteRequest": {"Item": allowed, "Key": forbidden}},
        {"PutRequest": {"Item": allowed, "Key": forbidden}},
    ):
        assert _batch_write(stack, name, write) == 403, write
    assert _batch_write(stack, name, {"PutRequest": {"Item": allowed}}) == 200
    change: dict[str, Any] = {"TableName": name, "Key": allowed, "UpdateExpression": "REMOVE a"}
    assert _is_refused(role.update_item, **change), "only within a transaction"
    assert not _is_refused(role.transact_write_items, TransactItems=[{"Update": change}])
    assert _is_refused(role.execute_statement, Statement=f'SELECT * FROM "{name}"')  # noqa: S608  # no user's text
    assert _is_refused(role.scan, TableName=name)
    assert _is_refused(role.delete_table, TableName=name)


def test_role_has_no_other_rights(stack: Stack) -> None:
    assert _is_refused(_role_client(stack, "sts").get_caller_identity)
    assert _is_refused(_role_client(stack, "iam").list_users)
    assert _is_refused(_role_client(stack, "lambda").list_functions)
    assert _is_refused(_role_client(stack, "ssm").get_parameter, Name="/readdo/model-key")
    assert _is_refused(_role_client(stack, "cloudformation").list_stacks)


def test_role_deletes_no_other_file(stack: Stack) -> None:
    """The emulator checks one of several keys, and an element with two keys as one of them."""
    bucket = stack.call("environment")[1]["env"]["BUCKET_NAME"]
    _owner_client(stack, "s3").put_object(Bucket=bucket, Key="elsewhere/victim", Body=b"x")
    role = _role_client(stack, "s3")
    listed = {"Objects": [{"Key": "elsewhere/victim"}, {"Key": "content/x"}]}
    assert _is_refused(role.delete_objects, Bucket=bucket, Delete=listed)
    assert _is_refused(role.delete_objects, Bucket=bucket, Delete={"Objects": [{"Key": "elsewhere/victim"}]})
    assert _owner_client(stack, "s3").head_object(Bucket=bucket, Key="elsewhere/victim")["ContentLength"] == 1


def test_role_credentials_are_not_derived_from_the_function_name(stack: Stack) -> None:
    key = stack.call("environment")[1]["env"]["AWS_ACCESS_KEY_ID"]
    owner = _owner_client(stack, "lambda")
    for function in owner.list_functions()["Functions"]:
        digest = hashlib.sha256(f"{function['FunctionArn']}:{function['Role']}".encode()).hexdigest()
        assert digest[:16].upper() not in key


def test_runtime_api_answers_only_its_own_process(stack: Stack) -> None:
    """Another user of this machine polls for events, on every port of the stack."""
    stack.call("put", pk="a", value="1")
    environment = stack.call("environment")[1]["env"]
    assert "READDO_RUNTIME_TOKEN" not in environment, "a handler does not hand it on to what it starts"
    port = int(environment["AWS_LAMBDA_RUNTIME_API"].rsplit(":", 1)[1])
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
    answer = stack.call("environment")[1]
    env = answer["env"]
    assert SECRET not in json.dumps(answer)
    assert {"OPENAI_API_KEY", "HTTPS_PROXY", "AWS_PROFILE", "STATE_DIR", "AUTH"}.isdisjoint(env)
    assert env["AWS_ENDPOINT_URL"] == f"http://127.0.0.1:{stack.port}"
    assert env["AWS_ENDPOINT_URL_S3"] == f"http://localhost:{stack.port}", "files are of another origin than the page"
    assert env["AWS_ACCESS_KEY_ID"].startswith("ASIA"), "credentials of the role, not of the stack's owner"
    assert env["LEASE_SECONDS"] == "90", "the local parameter, not the template's default"
    assert env["SCHEMAS_DIR"].endswith("/schemas")
    assert not [p for p in answer["path"] if p.endswith("/local")], "the stack's own modules are not the handler's"


def test_errors_are_caught_by_their_class(stack: Stack) -> None:
    lost = stack.execute(**{"raise": "LeaseLost"})
    assert (lost["end"], lost["error"]["Error"]) == ("Quiet", "LeaseLost")
    cause = json.loads(lost["error"]["Cause"])
    assert (cause["errorType"], cause["errorMessage"]) == ("LeaseLost", "somebody else has it")
    assert "handler.py" in cause["stackTrace"][0]
    assert stack.execute(**{"raise": "other"})["error"]["Error"] == "ValueError"
    assert stack.execute(**{"raise": "Flaky"})["result"]["calls"] == 3


def test_first_heartbeat_runs_at_the_start(stack: Stack) -> None:
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
    "request_",
    [
        ("/_ministack/reset", {}),
        ("/_localstack/state/reset", {}),
        ("/_aws/execute-api/x/get", {"Host": "rebound.example:80"}),
        ("/?Action=ListUsers&Version=2010-05-08", {}),
    ],
)
def test_website_in_a_browser_is_refused(stack: Stack, request_: tuple[str, dict[str, Any]]) -> None:
    path, headers = request_
    assert ask(stack, path, **headers) == 403


@pytest.mark.parametrize("key", ["test", "000000000000", "AKIAIOSFODNN7EXAMPLE"])
def test_well_known_keys_are_refused(stack: Stack, key: str) -> None:
    settings = {"aws_access_key_id": key, "aws_secret_access_key": "test", "region_name": "eu-central-1"}
    for service, call in (("dynamodb", "list_tables"), ("s3", "list_buckets"), ("lambda", "list_functions")):
        client = boto3.client(service, endpoint_url=f"http://127.0.0.1:{stack.port}", **settings)
        with pytest.raises(ClientError):
            getattr(client, call)()


def _owner_client(stack: Stack, service: str) -> Any:
    env = dict(line.split("=", 1) for line in (stack.home / "admin.env").read_text().splitlines())
    return boto3.client(
        service,
        endpoint_url=env["AWS_ENDPOINT_URL"],
        region_name=env["AWS_DEFAULT_REGION"],
        aws_access_key_id=env["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=env["AWS_SECRET_ACCESS_KEY"],
    )


def test_owner_can_inspect_the_table(stack: Stack) -> None:
    owner = _owner_client(stack, "dynamodb")
    [table] = owner.list_tables()["TableNames"]
    assert owner.describe_time_to_live(TableName=table)["TimeToLiveDescription"]["TimeToLiveStatus"] == "ENABLED"
    backups = owner.describe_continuous_backups(TableName=table)["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"


def test_calls_above_the_concurrency_limit_wait(stack: Stack) -> None:
    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(lambda n: stack.call("put", pk=f"turn-{n}", value=str(n))[0], range(24)))
    assert answers == [200] * 24
