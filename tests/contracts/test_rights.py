"""Rights of each function and workflow in the transformed template, compared with lists by hand."""

import re
from typing import Any

import pytest

from contracts.rights_to_a_model import OF_A_MODEL
from contracts.template_rights import (
    many,
    named,
    resources,
    rights_in,
    rights_of_functions,
    rights_of_machines,
    role_of,
    statements,
)
from support.template import function_name, functions, transformed

# Rights to write logs and traces. X-Ray has no resources: segments can be put to `*` only.
LOGGING = {("logs:CreateLogStream", "Logs"), ("logs:PutLogEvents", "Logs")}
TRACING: set[tuple[str, str]] = {
    ("xray:PutTraceSegments", "*"),
    ("xray:PutTelemetryRecords", "*"),
    ("xray:GetSamplingRules", "*"),
    ("xray:GetSamplingTargets", "*"),
}
READ, PUT, CHANGE, CHECK = "GetItem", "PutItem", "UpdateItem", "ConditionCheckItem"
DELETE = {"DeleteItem", "BatchWriteItem"}
STEP = {READ, PUT, CHANGE}  # fence, artifact, and the item's record of it
# function → actions on rows of the table
ON_TABLE: dict[str, set[str]] = {
    "http_api": {READ, "BatchGetItem", "Query", PUT, CHANGE, CHECK, *DELETE},
    "pages": {READ, "BatchGetItem", "Query", PUT, CHANGE, CHECK, *DELETE},
    "lease": STEP,
    "extract": STEP,
    "summarize": STEP,
    "score": {*STEP, "Query"},  # the owner's last items, to score novelty
    "todos": STEP,
    "card": STEP,
    "gate": {READ, CHANGE},
    "record_failure": {READ, CHANGE, CHECK},
    "export": {READ, CHANGE, CHECK},
    "announce": {READ, PUT, "Query"},
    "deliver": {READ, CHANGE},
    # PUT: the folded history of an item; Query: all rows of a deleted item
    "backup": {READ, "Query", CHANGE},  # CHANGE: its progress
    "restore": {READ, "BatchGetItem", PUT, CHANGE, CHECK, "Query", "DeleteItem"},  # DELETE: rows of a failed restore
    "heartbeat": {READ, "BatchGetItem", PUT, CHANGE, CHECK, "Query", *DELETE},
    "mark": {PUT, CHANGE},
    "mirror": {READ, "BatchGetItem", "Query", PUT, CHANGE, CHECK, "DeleteItem"},  # DELETE: a mark that was processed
    "read_file": {READ, CHANGE},
    "proof_validate": {READ, CHANGE},
    "proof_slice": {*STEP, "Query"},
    "proof_merge": {READ, CHANGE, "Query"},
    "collect_work": {READ, "BatchGetItem", "Query", PUT, CHANGE, CHECK, "DeleteItem"},  # DELETE: a document's old text
    "import_lines": {READ, "BatchGetItem", "Query", PUT, CHANGE},  # Query: the owner's other imports
}
ON_STREAM = {"/stream": {"DescribeStream", "GetRecords", "GetShardIterator"}, "/stream/*": {"ListStreams"}}
ON_INDEX = {"http_api": {"inbox", "queue"}, "pages": {"inbox", "queue"}, "heartbeat": {"due", "queue"}}
# function → prefix of the bucket → actions
USER_FILES = {
    "content": {"GetObject", "PutObject", "DeleteObject"},
    "artifacts": {"GetObject", "PutObject", "DeleteObject"},  # PUT: a version edited by the user
    "exports": {"GetObject", "DeleteObject"},
}
FOR_TASKS = {prefix: {"GetObject", "PutObject"} for prefix in ("tasks", "runs")}
OF_PROOF = {"proof_validate", "proof_slice", "proof_merge"}
ON_BUCKET: dict[str, dict[str, set[str]]] = {
    "http_api": {
        **USER_FILES,
        "backups": {"GetObject"},
        # PUT: an upload by its presigned link
        "imports": {"GetObject", "PutObject"},
        "restores": {"GetObject", "PutObject"},
        "proof": {"GetObject", "PutObject", "DeleteObject"},
        "collect": {"GetObject", "PutObject"},
        **FOR_TASKS,
    },
    "pages": {
        **USER_FILES,
        **FOR_TASKS,
        "backups": {"GetObject"},
        "proof": {"GetObject", "PutObject", "DeleteObject"},
        "collect": {"GetObject", "PutObject"},
        **{prefix: {"GetObject", "PutObject"} for prefix in ("imports", "restores")},
    },
    "heartbeat": {
        **{prefix: {"DeleteObject"} for prefix in ("content", "artifacts", "exports", "tasks")},
        "runs": {"GetObject", "PutObject", "DeleteObject"},  # PUT: a run's summary
        "proof": {"GetObject", "DeleteObject"},
        "collect": {"GetObject", "PutObject"},  # PUT: the claims of a worker
    },
    "extract": {"content": {"GetObject"}, "artifacts": {"GetObject", "PutObject"}},
    "summarize": {"artifacts": {"GetObject", "PutObject"}},
    "score": {"artifacts": {"GetObject", "PutObject"}},
    "todos": {"artifacts": {"GetObject", "PutObject"}},
    "card": {"artifacts": {"GetObject", "PutObject"}},
    "gate": {"artifacts": {"GetObject"}},
    "export": {"artifacts": {"GetObject"}, "exports": {"GetObject", "PutObject"}},
    "restore": {
        **{prefix: {"GetObject", "PutObject"} for prefix in ("content", "artifacts", "exports", "proof", "collect")},
        "restores": {"GetObject"},
    },
    "backup": {
        **{prefix: {"GetObject"} for prefix in ("content", "artifacts", "exports", "proof", "collect")},
        "backups": {"GetObject", "PutObject"},  # the parts and the complete file
    },
    **{name: {"proof": {"GetObject", "PutObject", "DeleteObject"}} for name in OF_PROOF},
    "collect_work": {"collect": {"GetObject", "PutObject"}},
    "read_file": {"imports": {"GetObject", "PutObject", "DeleteObject"}},
    "import_lines": {"imports": {"GetObject"}, "content": USER_FILES["content"]},
}
ENTRY_POINTS = {"http_api", "pages"}  # entry points of users; each form of the page runs a command itself
SWEEPERS = {*ENTRY_POINTS, "heartbeat"}  # these delete the data of a deleted item
CALL_THE_SENDER = {"http_api", "heartbeat"}
STARTED = {"ProcessItem", "ExportItem", "BackupAll", "RestoreAll", "ImportFile", "ProofJob", "CollectBatch"}
# function → the workflows that it starts
STARTS = {
    "http_api": STARTED,
    "pages": STARTED,
    "heartbeat": STARTED,
    "import_lines": {"ProcessItem"},
}
# Functions that change state. A read-only function must never be added.
WRITERS = {
    *("http_api", "lease", "extract", "summarize", "score", "todos", "card", "gate"),
    *("record_failure", "export", "heartbeat", "pages", "announce", "deliver", "backup", "read_file", "import_lines"),
    *("restore", "mark", "mirror", "proof_validate", "proof_slice", "proof_merge", "collect_work"),
}
WRITES = {"dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"}
NAMES = {function_name(name): name for name in functions()}
ROOMS = list(NAMES)
every_room = pytest.mark.parametrize("name", ROOMS)


def rights_on(name: str, service: str, on: str) -> dict[str, set[str]]:
    """Return the function's rights to a service on this resource: rest of the resource → actions."""
    rights: dict[str, set[str]] = {}
    for action, resource in rights_of_functions()[name]:
        if action.startswith(f"{service}:") and (resource == on or resource.startswith(f"{on}/")):
            rights.setdefault(resource.removeprefix(on), set()).add(action.removeprefix(f"{service}:"))
    return rights


def test_each_function_and_workflow_has_its_own_role() -> None:
    kinds = ("AWS::Lambda::Function", "AWS::StepFunctions::StateMachine")
    used = [role_of(properties) for kind in kinds for properties in resources(kind).values()]
    assert len(used) == len(set(used))
    assert set(used) == set(resources("AWS::IAM::Role"))


@pytest.mark.parametrize(
    ("kind", "service"), [("Lambda::Function", "lambda"), ("StepFunctions::StateMachine", "states")]
)
def test_role_trusts_only_its_service_and_has_no_aws_managed_policy(kind: str, service: str) -> None:
    for properties in resources(f"AWS::{kind}").values():
        role = resources("AWS::IAM::Role")[role_of(properties)]
        shared = {"lambda": ["Logging", "Tracing"], "states": ["Tracing"]}[service]
        assert role["ManagedPolicyArns"] == [{"Ref": name} for name in shared]
        (trusted,) = many(role["AssumeRolePolicyDocument"]["Statement"])
        assert trusted["Principal"] == {"Service": f"{service}.amazonaws.com"}
        assert trusted["Action"] == "sts:AssumeRole"


def test_workflow_role_trusts_only_this_account() -> None:
    for properties in resources("AWS::StepFunctions::StateMachine").values():
        (trusted,) = resources("AWS::IAM::Role")[role_of(properties)]["AssumeRolePolicyDocument"]["Statement"]
        assert trusted["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_shared_policies_allow_only_writing_logs_and_traces() -> None:
    shared = resources("AWS::IAM::ManagedPolicy")
    assert rights_in(shared["Logging"]["PolicyDocument"]) == LOGGING
    assert rights_in(shared["Tracing"]["PolicyDocument"]) == TRACING


def test_stack_has_no_other_policies() -> None:
    kinds = {r["Type"] for r in transformed()["Resources"].values()}
    assert not {"AWS::IAM::RolePolicy", "AWS::IAM::User", "AWS::IAM::Group"} & kinds
    assert set(resources("AWS::IAM::ManagedPolicy")) == {"Logging", "Tracing"}
    assert set(resources("AWS::IAM::Policy")) == {*OF_A_MODEL, "NotionToken"}
    assert set(resources("AWS::S3::BucketPolicy")) == {"BucketPolicy"}


def every_statement() -> list[tuple[str, dict[str, Any]]]:
    return [(role, s) for role in resources("AWS::IAM::Role") for s in statements(role)]


def test_statements_allow_and_use_no_negation() -> None:
    for role, statement in every_statement():
        assert statement["Effect"] == "Allow", role
        assert not {"NotAction", "NotResource", "NotPrincipal"} & set(statement), role


def test_no_action_has_a_wildcard() -> None:
    assert [(role, a) for role, s in every_statement() for a in many(s["Action"]) if "*" in a] == []


def test_resource_wildcards_are_below_a_prefix() -> None:
    """Names of objects are not known in advance, so a prefix is the narrowest right to the bucket."""
    starred = {(role, named(r)) for role, s in every_statement() for r in many(s["Resource"]) if "*" in named(r)}
    assert {(role, on) for role, on in starred if not re.fullmatch(r"Bucket/[a-z]+/\*|Table/stream/\*", on)} == set()


@every_room
def test_function_has_the_listed_rights_to_the_table(name: str) -> None:
    on_table = rights_on(name, "dynamodb", "Table")
    assert on_table.pop("", set()) == ON_TABLE[name]
    on_stream = {place: on_table.pop(place, set()) for place in ON_STREAM}
    assert on_stream == (ON_STREAM if name in ("announce", "mark") else {place: set() for place in ON_STREAM})
    assert on_table == {f"/index/{index}": {"Query"} for index in ON_INDEX.get(name, set())}


@every_room
def test_function_has_the_listed_rights_to_the_bucket(name: str) -> None:
    expected = {f"/{prefix}/*": actions for prefix, actions in ON_BUCKET.get(name, {}).items()}
    expected |= {"": {"ListBucket"}} if name in SWEEPERS | OF_PROOF else {}
    assert rights_on(name, "s3", "Bucket") == expected


def test_list_bucket_is_limited_to_prefixes() -> None:
    common = ["content/*", "artifacts/*", "exports/*"]
    more = {"http_api": ["runs/*"], "pages": ["runs/*"], "heartbeat": ["tasks/*", "runs/*"]}
    more = {name: [*prefixes, "proof/*"] for name, prefixes in more.items()}
    for name in SWEEPERS | OF_PROOF:
        role = role_of(resources("AWS::Lambda::Function")[NAMES[name]])
        listed = [s for s in statements(role) if "s3:ListBucket" in many(s["Action"])]
        prefixes = ["proof/*"] if name in OF_PROOF else [*common, *more[name]]
        assert [s.get("Condition") for s in listed] == [{"StringLike": {"s3:prefix": prefixes}}]


@every_room
def test_function_has_no_rights_to_other_services(name: str) -> None:
    roots = {(action.split(":")[0], on.split("/")[0]) for action, on in rights_of_functions()[name]}
    allowed = {("dynamodb", "Table"), ("s3", "Bucket"), *(("states", on) for on in STARTS.get(name, ()))}
    allowed |= {("sqs", "SkippedRecords")} if name in ("announce", "mark") else set()
    assert roots <= allowed | {("lambda", called) for called in ("Deliver", "Mirror", "CollectWork")}


def test_only_writers_may_write_the_table() -> None:
    may = {name for name, rights in rights_of_functions().items() if WRITES & {action for action, _ in rights}}
    assert may == WRITERS


def test_only_the_listed_functions_may_start_executions() -> None:
    starting = {name: {on for a, on in rights if a.startswith("states:")} for name, rights in _all_rights().items()}
    assert {name: machines for name, machines in starting.items() if machines} == STARTS
    actions = {a for rights in _all_rights().values() for a, _ in rights if a.startswith("states:")}
    assert actions == {"states:StartExecution"}


def test_schedule_calls_only_the_heartbeat_every_minute() -> None:
    (rule,) = resources("AWS::Events::Rule").values()
    assert rule["ScheduleExpression"] == "rate(1 minute)"
    assert rule.get("State", "ENABLED") == "ENABLED"
    assert [named(target["Arn"]) for target in rule["Targets"]] == ["Heartbeat"]


def test_only_the_listed_functions_may_delete_rows() -> None:
    deletes = {f"dynamodb:{action}" for action in DELETE}
    assert {name for name, rights in _all_rights().items() if deletes & {a for a, _ in rights}} == {
        *SWEEPERS,
        "mirror",
        "restore",
        "collect_work",
    }


def test_no_role_may_scan() -> None:
    forbidden = {"dynamodb:Scan", "dynamodb:PartiQLSelect", "dynamodb:PartiQLDelete"}
    assert {name for name, rights in _all_rights().items() if forbidden & {a for a, _ in rights}} == set()


def test_extract_has_minimal_rights() -> None:
    rights = rights_of_functions()["extract"]
    services = {action.split(":")[0] for action, _ in rights}
    assert services == {"dynamodb", "s3"}, "no ssm, secretsmanager, kms, bedrock, states"
    actions = {action.split(":")[1] for action, _ in rights}
    assert not actions & {"Query", "Scan", "BatchGetItem", "DeleteItem", "DeleteObject", "ListBucket"}


@pytest.mark.parametrize("name", functions())
def test_no_environment_holds_a_secret(name: str) -> None:
    """Secrets are stored in SSM or Secrets Manager; a setting may only name the place."""
    variables = resources("AWS::Lambda::Function")[name]["Environment"]["Variables"]
    secret = re.compile(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL")
    assert [
        setting
        for setting in variables
        if secret.search(setting) and not setting.endswith(("_PARAMETER", "_ARN", "_TOKENS"))
    ] == []
    assert "{{resolve:" not in str(variables)


def _all_rights() -> dict[str, set[tuple[str, str]]]:
    return {**rights_of_functions(), **rights_of_machines()}
