"""Enforce the rights of function roles as AWS does; the emulator is more lenient.

The emulator derives a role's credentials from the function's name, which is guessable; it reads the action to authorize
from a parameter that the called service ignores; and it does not support `dynamodb:LeadingKeys`.
"""

import functools
import json
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

from stack.signatures import SignedRequest

_TRANSACTION = {
    "Put": ("PutItem", "Item"),
    "Update": ("UpdateItem", "Key"),
    "Delete": ("DeleteItem", "Key"),
    "ConditionCheck": ("ConditionCheckItem", "Key"),
    "Get": ("GetItem", "Key"),
}
_SINGLE = {"GetItem": "Key", "PutItem": "Item", "UpdateItem": "Key", "DeleteItem": "Key"}
# The calls that roles make, by signed service: method, path, X-Amz-Target.
_CALLS = {
    "dynamodb": ("POST", re.compile(r"/"), re.compile(r"DynamoDB_20120810\.(\w+)")),
    "states": ("POST", re.compile(r"/"), re.compile(r"AWSStepFunctions\.\w+")),
    "ssm": ("POST", re.compile(r"/"), re.compile(r"AmazonSSM\.GetParameter")),
    "lambda": ("POST", re.compile(r"/2015-03-31/functions/[^/]+/invocations"), re.compile(r"")),
    "s3": ("", re.compile(r"/readdo-[^/]+(/.*)?"), re.compile(r"")),  # other paths are routed to other services
}


_UNREADABLE = "The request cannot be parsed, so its permissions cannot be checked."
_NAME, _VALUE = r"([#\w]+)", r"(:\w+)"
# The key conditions that the product uses: one partition, optionally with a range of sort keys.
_QUERY = re.compile(
    rf"\s*{_NAME}\s*=\s*{_VALUE}"
    rf"(?:\s+AND\s+{_NAME}\s*(?:BETWEEN\s+:\w+\s+AND\s+:\w+|(?:=|<=?|>=?)\s*:\w+))?\s*"
)


@dataclass(frozen=True)
class RequiredRight:
    """A right that a DynamoDB call needs."""

    action: str
    table: str
    index: str
    keys: tuple[str, ...]


def issue_random_credentials(lambda_runtime: Any, lambda_svc: Any) -> None:
    """Issue random credentials for each process of a function, instead of guessable ones."""
    from ministack.services import sts  # noqa: PLC0415  # the emulator reads its settings on import

    def execution_credentials(config: Mapping[str, Any]) -> dict[str, str]:
        account = config["FunctionArn"].split(":")[4]
        role, name = config["Role"].rsplit("/", 1)[-1], config["FunctionName"][:64]
        key, secret, token = f"ASIA{secrets.token_hex(16).upper()}", secrets.token_hex(32), secrets.token_hex(32)
        session = {"Arn": f"arn:aws:sts::{account}:assumed-role/{role}/{name}", "UserId": f"{role}:{name}"}
        sts.register_session(key, {**session, "SecretAccessKey": secret, "SessionToken": token})
        return {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_SESSION_TOKEN": token}

    lambda_runtime.execution_credentials = execution_credentials
    lambda_svc.execution_credentials = execution_credentials


def parse_policies_once() -> None:
    """Keep parsed policies: the emulator reads every policy of the role three times for each request."""
    from ministack.core import iam_evaluator  # noqa: PLC0415  # as above

    parse = iam_evaluator.parse_policy_document
    parse_text = functools.lru_cache(maxsize=1000)(parse)

    def parse_policy_document(document: str | dict[str, Any]) -> list[Any]:
        return list(parse_text(document)) if isinstance(document, str) else parse(document)

    iam_evaluator.parse_policy_document = parse_policy_document


def refusal_for_role(service: str, key: str, request: SignedRequest) -> str | None:
    """Return why a request signed by a role is rejected, or None; the emulator checks policies too."""
    method, path, target = _CALLS.get(service, ("", re.compile(r"(?!)"), re.compile(r"(?!)")))
    called = target.fullmatch(request.headers.get("x-amz-target", ""))
    if called is None or not path.fullmatch(request.path) or method not in ("", request.method):
        return "Functions do not make this call."
    form = "x-www-form-urlencoded" in request.headers.get("content-type", "")
    if form or any(name.lower() == "action" for name in request.query):
        return "The action must be in the path or in X-Amz-Target."
    if service == "s3" and "delete" in request.query:
        return _refusal_to_delete(key, request)
    if service != "dynamodb":
        return None
    try:
        checks = list(_required_rights(called[1], json.loads(request.body)))
    except (ValueError, TypeError, KeyError, AttributeError):
        return _UNREADABLE
    enclosing = [called[1]] if called[1].startswith("Transact") else []
    denied = next((check for check in checks if _is_denied(key, check, enclosing)), None)
    return f"The role may not make {denied.action} on {list(denied.keys)}." if denied else None


def _is_denied(key: str, check: RequiredRight, enclosing: list[str]) -> bool:
    from ministack.core import iam_evaluator, responses  # noqa: PLC0415  # as above

    region, account = responses.get_region(), responses.get_account_id()
    arn = f"arn:aws:dynamodb:{region}:{account}:table/{check.table}" + (f"/index/{check.index}" if check.index else "")
    context: dict[str, Any] = {"dynamodb:LeadingKeys": list(check.keys)}
    if enclosing:
        context["dynamodb:EnclosingOperation"] = enclosing
    action = f"dynamodb:{check.action}"
    return bool(iam_evaluator.enforce(key, action, "dynamodb", region, resource_arn=arn, service_context=context))


def _required_rights(operation: str, body: Mapping[str, Any]) -> Iterator[RequiredRight]:
    """Yield the rights that a call needs: one per item of a transaction or batch.

    Scans and PartiQL have no leading keys.
    """
    if operation in _SINGLE:
        yield _check(operation, body["TableName"], [_only(body, _SINGLE[operation])])
    elif operation == "Query":
        index = body.get("IndexName", "")
        yield RequiredRight("Query", body["TableName"], index, (_query_partition(body["TableName"], index, body),))
    elif operation in ("TransactWriteItems", "TransactGetItems"):
        for member in body["TransactItems"]:
            [(name, detail)] = member.items()
            action, place = _TRANSACTION[name]
            yield _check(action, detail["TableName"], [_only(detail, place)])
    elif operation == "BatchGetItem":
        for table, request in body["RequestItems"].items():
            yield _check(operation, table, request["Keys"])
    elif operation == "BatchWriteItem":
        for table, writes in body["RequestItems"].items():
            yield _check(operation, table, [_written_row(write) for write in writes])
    else:
        yield RequiredRight(operation, body["TableName"], "", ())


def _only(holder: Mapping[str, Any], place: str) -> Mapping[str, Any]:
    """Return `Key` or `Item` of the call. Both at once are rejected: the emulator may read the other one."""
    if {"Key", "Item"} & holder.keys() != {place}:
        raise ValueError
    row: Mapping[str, Any] = holder[place]
    return row


def _written_row(write: Mapping[str, Any]) -> Mapping[str, Any]:
    [(name, detail)] = write.items()
    return _only(detail, {"PutRequest": "Item", "DeleteRequest": "Key"}[name])


def _refusal_to_delete(key: str, request: SignedRequest) -> str | None:
    """Check every key of DeleteObjects, because the emulator does not check all of them."""
    from ministack.core import iam_evaluator, responses  # noqa: PLC0415  # as above

    if request.method != "POST" or b"<!" in request.body:
        return _UNREADABLE
    try:
        objects = [one for one in ElementTree.fromstring(request.body) if one.tag.rpartition("}")[2] == "Object"]  # noqa: S314  # without entities
    except ElementTree.ParseError:
        return _UNREADABLE
    for one in objects:
        if [child.tag.rpartition("}")[2] for child in one] != ["Key"]:
            return _UNREADABLE
        arn = f"arn:aws:s3:::{request.path.strip('/')}/{one[0].text or ''}"
        if iam_evaluator.enforce(key, "s3:DeleteObject", "s3", responses.get_region(), resource_arn=arn):
            return f"The role may not delete {one[0].text}."
    return None


def _check(action: str, table: str, rows: list[Mapping[str, Any]]) -> RequiredRight:
    hash_key = _hash_key(table, "")
    return RequiredRight(action, table, "", tuple(row[hash_key]["S"] for row in rows))


def _query_partition(table: str, index: str, body: Mapping[str, Any]) -> str:
    """Return a query's partition. Other forms are rejected: the emulator parses some unlike AWS."""
    names: Mapping[str, str] = body.get("ExpressionAttributeNames") or {}
    match = _QUERY.fullmatch(body["KeyConditionExpression"])
    hash_key = _hash_key(table, index)
    if match is None or "KeyConditions" in body or names.get(match[1], match[1]) != hash_key:
        raise ValueError
    if match[3] and names.get(match[3], match[3]) == hash_key:
        raise ValueError
    partition: str = body["ExpressionAttributeValues"][match[2]]["S"]
    return partition


def _hash_key(table: str, index: str) -> str:
    from ministack.services import dynamodb  # noqa: PLC0415  # as above

    description = dynamodb._tables[table]
    schema = description["KeySchema"]
    if index:
        [schema] = [i["KeySchema"] for i in description["GlobalSecondaryIndexes"] if i["IndexName"] == index]
    return next(str(part["AttributeName"]) for part in schema if part["KeyType"] == "HASH")
