"""Table, indexes and bucket: kept, encrypted, private, and no wider than what is shown."""

import ast
from typing import Any

import pytest
from template_rights import many, resources

from readdo.lifecycle.write import Key
from readdo.read import slices
from readdo.read.imports import pages
from readdo.read.views import LISTED
from readdo.store import keys
from support.template import ROOT, source

TABLE: dict[str, Any] = source()["Resources"]["Table"]
BUCKET: dict[str, Any] = source()["Resources"]["Bucket"]
POLICY: dict[str, Any] = source()["Resources"]["BucketPolicy"]
INDEXES = {i["IndexName"]: i for i in TABLE["Properties"]["GlobalSecondaryIndexes"]}


def key_of(of: dict[str, Any]) -> dict[str, str]:
    return {k["KeyType"]: k["AttributeName"] for k in of["KeySchema"]}


@pytest.mark.parametrize("kept", [TABLE, BUCKET, POLICY], ids=["table", "bucket", "TLS only"])
def test_a_stack_that_is_deleted_or_replaced_leaves_the_data(kept: dict[str, Any]) -> None:
    assert kept["DeletionPolicy"] == kept["UpdateReplacePolicy"] == "Retain"


def test_the_table_can_be_restored_is_encrypted_and_cannot_be_dropped() -> None:
    properties = TABLE["Properties"]
    assert properties["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert properties["SSESpecification"]["SSEEnabled"] is True
    assert properties["DeletionProtectionEnabled"] is True
    assert properties["BillingMode"] == "PAY_PER_REQUEST"
    assert "ResourcePolicy" not in properties


def test_ttl_sweeps_by_expires_and_the_store_writes_no_other_end() -> None:
    assert TABLE["Properties"]["TimeToLiveSpecification"] == {"AttributeName": "expires", "Enabled": True}
    written = set()
    for path in (ROOT / "layers/domain/readdo").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                written |= {k.value for k, v in pairs if isinstance(k, ast.Constant) and "epoch_seconds" in ast.dump(v)}
    assert written == {"expires"}, "TTL knows seconds since 1970 only; what is written as such is for it"


def test_the_table_has_the_keys_of_the_store() -> None:
    assert key_of(TABLE["Properties"]) == {"HASH": Key._fields[0], "RANGE": Key._fields[1]}
    assert set(INDEXES) == {keys.INBOX_INDEX, keys.DUE_INDEX, keys.QUEUE_INDEX}
    assert key_of(INDEXES["inbox"]) == {"HASH": "pk", "RANGE": "inbox"}
    assert key_of(INDEXES["due"]) == {"HASH": "due_shard", "RANGE": "due_at"}


def test_the_inbox_carries_exactly_what_a_list_shows() -> None:
    projection = INDEXES["inbox"]["Projection"]
    assert projection["ProjectionType"] == "INCLUDE"
    assert sorted(projection["NonKeyAttributes"]) == sorted(LISTED)


def test_due_work_carries_keys_only() -> None:
    assert INDEXES["due"]["Projection"] == {"ProjectionType": "KEYS_ONLY"}


def test_the_bucket_is_private_encrypted_versioned_and_tidied() -> None:
    properties = BUCKET["Properties"]
    closed = properties["PublicAccessBlockConfiguration"]
    assert closed == dict.fromkeys(
        ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True
    )
    assert properties["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}
    (rule,) = properties["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] in ("AES256", "aws:kms")
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
    assert all(rule["Status"] == "Enabled" for rule in properties["LifecycleConfiguration"]["Rules"])
    assert any("NoncurrentVersionExpiration" in rule for rule in properties["LifecycleConfiguration"]["Rules"])
    assert not {"AccessControl", "WebsiteConfiguration"} & set(properties)


def test_only_the_products_own_page_may_send_to_the_bucket_and_none_may_read_it_by_script() -> None:
    """What is sent still needs a presigned link."""
    (rule,) = BUCKET["Properties"]["CorsConfiguration"]["CorsRules"]
    assert (rule["AllowedMethods"], rule["AllowedHeaders"]) == (["PUT"], ["content-type"])
    api, (condition, own, otherwise) = rule["AllowedOrigins"][0], rule["AllowedOrigins"][1]["Fn::If"]
    assert api == {"Fn::Sub": "https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}"}
    assert (condition, own) == ("HasDomain", {"Fn::Sub": "https://${DomainName}"})
    assert otherwise == {"Ref": "AWS::NoValue"}


def test_a_backups_file_outlives_the_time_that_it_is_shown() -> None:
    """S3 counts days from the next midnight."""
    (rule,) = (r for r in BUCKET["Properties"]["LifecycleConfiguration"]["Rules"] if r["Id"] == "backups")
    assert rule["ExpirationInDays"] * 24 * 3600 == slices.KEPT_SECONDS


def test_the_words_for_an_import_that_is_resumed_too_late_say_when_its_pages_go() -> None:
    rules = BUCKET["Properties"]["LifecycleConfiguration"]["Rules"]
    assert [r["ExpirationInDays"] for r in rules if r["Id"] == "imports"] == [pages.KEPT_DAYS]


# What ends by itself, and below which prefix: kept for so long by its own table's word.
ENDS = {"backups": "backups/", "restores": "restores/", "runs": "runs/", "imports": "imports/"}


def test_no_current_version_of_an_object_ends_by_itself_but_what_is_kept_for_a_time() -> None:
    rules = BUCKET["Properties"]["LifecycleConfiguration"]["Rules"]
    ending = {r["Id"]: r.get("Prefix") for r in rules if {"ExpirationInDays", "ExpirationDate"} & set(r)}
    assert ending == ENDS


def test_the_bucket_refuses_whoever_comes_without_tls() -> None:
    (policy,) = resources("AWS::S3::BucketPolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert policy["Bucket"] == {"Ref": "Bucket"}
    assert statement["Effect"] == "Deny"
    assert (statement["Principal"], statement["Action"]) == ("*", "s3:*")
    assert statement["Resource"] == [{"Fn::GetAtt": ["Bucket", "Arn"]}, {"Fn::Sub": "${Bucket.Arn}/*"}]
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_every_bucket_and_table_is_one_of_these_two() -> None:
    assert set(resources("AWS::S3::Bucket")) == {"Bucket"}
    assert set(resources("AWS::DynamoDB::Table")) == {"Table"}


def test_nothing_is_open_to_everybody() -> None:
    """The API is, by design: who asks is checked in the function, on every route."""
    for kind in ("AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy", "AWS::IAM::Role"):
        for name, properties in resources(kind).items():
            document = properties.get("PolicyDocument") or properties["AssumeRolePolicyDocument"]
            for statement in many(document["Statement"]):
                assert statement["Effect"] == "Deny" or "*" not in str(statement["Principal"]), name
    for name, permission in resources("AWS::Lambda::Permission").items():
        assert permission["Principal"].endswith(".amazonaws.com"), name
