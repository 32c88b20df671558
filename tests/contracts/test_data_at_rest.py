"""Table, indexes and bucket: retained, encrypted, private, and indexes no wider than the lists need."""

import ast
from typing import Any

import pytest

from contracts.template_rights import many, resources
from readdo.jobs import sliced_job
from readdo.lifecycle.write import Key
from readdo.read.views import LISTED
from readdo.store import keys
from readdo.transfer.imports import pages
from support.template import ROOT, source

TABLE: dict[str, Any] = source()["Resources"]["Table"]
BUCKET: dict[str, Any] = source()["Resources"]["Bucket"]
POLICY: dict[str, Any] = source()["Resources"]["BucketPolicy"]
INDEXES = {i["IndexName"]: i for i in TABLE["Properties"]["GlobalSecondaryIndexes"]}


def key_of(of: dict[str, Any]) -> dict[str, str]:
    return {k["KeyType"]: k["AttributeName"] for k in of["KeySchema"]}


@pytest.mark.parametrize("resource", [TABLE, BUCKET, POLICY], ids=["table", "bucket", "TLS only"])
def test_deleting_or_replacing_the_stack_retains_the_data(resource: dict[str, Any]) -> None:
    assert resource["DeletionPolicy"] == resource["UpdateReplacePolicy"] == "Retain"


def test_the_table_can_be_restored_is_encrypted_and_cannot_be_dropped() -> None:
    properties = TABLE["Properties"]
    assert properties["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert properties["SSESpecification"]["SSEEnabled"] is True
    assert properties["DeletionProtectionEnabled"] is True
    assert properties["BillingMode"] == "PAY_PER_REQUEST"
    assert "ResourcePolicy" not in properties


def test_ttl_uses_expires_and_the_store_writes_no_other_expiry() -> None:
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


def test_inbox_index_projects_exactly_the_attributes_of_a_list() -> None:
    projection = INDEXES["inbox"]["Projection"]
    assert projection["ProjectionType"] == "INCLUDE"
    assert sorted(projection["NonKeyAttributes"]) == sorted(LISTED)


def test_due_index_projects_keys_only() -> None:
    assert INDEXES["due"]["Projection"] == {"ProjectionType": "KEYS_ONLY"}


def test_bucket_is_private_encrypted_versioned_and_has_lifecycle_rules() -> None:
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


def test_bucket_allows_uploads_from_own_page_and_no_reads_by_script() -> None:
    """An upload still needs a presigned link."""
    (rule,) = BUCKET["Properties"]["CorsConfiguration"]["CorsRules"]
    assert (rule["AllowedMethods"], rule["AllowedHeaders"]) == (["PUT"], ["content-type"])
    api, (condition, own, otherwise) = rule["AllowedOrigins"][0], rule["AllowedOrigins"][1]["Fn::If"]
    assert api == {"Fn::Sub": "https://${Api}.execute-api.${AWS::Region}.${AWS::URLSuffix}"}
    assert (condition, own) == ("HasDomain", {"Fn::Sub": "https://${DomainName}"})
    assert otherwise == {"Ref": "AWS::NoValue"}


def test_backup_file_is_kept_as_long_as_its_row() -> None:
    """S3 counts days from the next midnight."""
    (rule,) = (r for r in BUCKET["Properties"]["LifecycleConfiguration"]["Rules"] if r["Id"] == "backups")
    assert rule["ExpirationInDays"] * 24 * 3600 == sliced_job.KEPT_SECONDS


def test_import_pages_are_kept_for_the_documented_days() -> None:
    rules = BUCKET["Properties"]["LifecycleConfiguration"]["Rules"]
    assert [r["ExpirationInDays"] for r in rules if r["Id"] == "imports"] == [pages.KEPT_DAYS]


# Rule → prefix of files that expire; the state table defines the time.
ENDS = {"backups": "backups/", "restores": "restores/", "runs": "runs/", "imports": "imports/"}


def test_only_temporary_prefixes_expire() -> None:
    rules = BUCKET["Properties"]["LifecycleConfiguration"]["Rules"]
    ending = {r["Id"]: r.get("Prefix") for r in rules if {"ExpirationInDays", "ExpirationDate"} & set(r)}
    assert ending == ENDS


def test_bucket_denies_requests_without_tls() -> None:
    (policy,) = resources("AWS::S3::BucketPolicy").values()
    (statement,) = policy["PolicyDocument"]["Statement"]
    assert policy["Bucket"] == {"Ref": "Bucket"}
    assert statement["Effect"] == "Deny"
    assert (statement["Principal"], statement["Action"]) == ("*", "s3:*")
    assert statement["Resource"] == [{"Fn::GetAtt": ["Bucket", "Arn"]}, {"Fn::Sub": "${Bucket.Arn}/*"}]
    assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_stack_has_one_bucket_and_one_table() -> None:
    assert set(resources("AWS::S3::Bucket")) == {"Bucket"}
    assert set(resources("AWS::DynamoDB::Table")) == {"Table"}


def test_no_policy_allows_every_principal() -> None:
    """The API is public by design: the function checks the caller on every route."""
    for kind in ("AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy", "AWS::SNS::TopicPolicy", "AWS::IAM::Role"):
        for name, properties in resources(kind).items():
            document = properties.get("PolicyDocument") or properties["AssumeRolePolicyDocument"]
            for statement in many(document["Statement"]):
                assert statement["Effect"] == "Deny" or "*" not in str(statement["Principal"]), name
    for name, permission in resources("AWS::Lambda::Permission").items():
        assert permission["Principal"].endswith(".amazonaws.com"), name
