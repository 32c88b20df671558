"""Items that were lost or deleted, with their artifacts and files, as the product itself shows them afterwards."""

from datetime import timedelta
from typing import Any

import boto3
import pytest
from aws_account import Account
from aws_person import Person
from test_cloud_restore import Past, rows, wipe

from readdo import clock
from readdo.store import keys
from support.world import TEXT, World

LONG = TEXT * 20  # its extraction is too long for a row


class Stage:
    """The product, an item that is read, and a table that remembers it."""

    def __init__(self, made: World, account: Account, person: Person) -> None:
        self.made, self.account, self.bucket = made, account, made.outputs["BucketName"]
        on = {"Status": "Enabled"}
        boto3.client("s3").put_bucket_versioning(Bucket=self.bucket, VersioningConfiguration=on)
        self.item = made.capture(content=LONG, url="https://example.org/fencing")
        assert made.settled(self.item)["status"] == "READY"
        self.past = Past(account, person, made.outputs)
        self.before = self.shown()

    def shown(self) -> dict[str, Any]:
        whole = self.made.api("GET", f"/items/{self.item}").json
        text = self.made.api("GET", f"/items/{self.item}/artifacts/extraction/1")
        assert text.status == 200
        return {"item": whole, "text": text.json}

    def delete(self) -> None:
        assert self.made.api("DELETE", f"/items/{self.item}").status == 204
        assert self.is_gone()

    def is_gone(self) -> bool:
        return bool(self.made.api("GET", f"/items/{self.item}").status == 404)

    def bury(self) -> None:
        """As the heartbeat does a quarter of an hour later, and a little after that."""
        key = keys.item(self.made.owner, self.item)
        for done in ("sweep_away", "bury"):
            boto3.client("dynamodb").update_item(
                TableName=self.past.table,
                Key={"pk": {"S": key.pk}, "sk": {"S": key.sk}},
                UpdateExpression="SET due_at = :past",
                ExpressionAttributeValues={":past": {"S": clock.after(clock.now(), -1)}},
            )
            assert self.made.heartbeat() == {done: 1}

    def files(self) -> set[str]:
        found = boto3.client("s3").list_objects_v2(Bucket=self.bucket)
        return {entry["Key"] for entry in found.get("Contents", [])}


@pytest.fixture
def stage(made: World, account: Account, person: Person) -> Stage:
    return Stage(made, account, person)


def test_an_emptied_table_is_the_product_again(stage: Stage) -> None:
    then = rows(stage.past.table)
    wipe(stage.past.table)
    told = stage.past.run()
    assert told.code == 0, told.err
    assert (stage.shown(), rows(stage.past.table)) == (stage.before, then)
    assert stage.past.person.waited == []


def test_a_deleted_item_stays_deleted(stage: Stage) -> None:
    stage.delete()
    now = rows(stage.past.table)
    told = stage.past.run()
    assert told.code == 0, told.err
    assert "Deleted items left deleted: 1 (DELETED=yes brings back" in told.err
    assert stage.is_gone()
    assert (rows(stage.past.table), stage.files()) == (now, set())


def test_when_told_so_it_comes_back_whole(stage: Stage) -> None:
    files = stage.files()
    assert {key.partition("/")[0] for key in files} == {"content", "artifacts"}
    stage.delete()
    told = stage.past.run(DELETED="yes")
    assert told.code == 0, told.err
    assert stage.shown() == stage.before
    assert stage.files() == files
    assert "Deleted items brought back: 1." in told.err
    assert f"Files brought back: {len(files)}." in told.err
    assert stage.past.person.waited == [75], "a sweep that was under way has ended"
    assert stage.made.heartbeat() == {}, "nothing buries it any more"
    again = stage.past.run(DELETED="yes")
    assert "Rows put back: 0" in again.err and "Files brought back: 0." in again.err
    assert stage.shown() == stage.before
    assert stage.past.person.waited == [75]


def test_an_item_that_is_buried_comes_back_like_a_lost_one(stage: Stage) -> None:
    files = stage.files()
    stage.delete()
    stage.bury()
    assert stage.past.run().code == 0
    assert (stage.shown(), stage.files()) == (stage.before, files)


def test_buried_in_the_middle_it_comes_back_all_the_same(stage: Stage) -> None:
    """The tombstone that was seen is gone when it is written over."""
    stage.delete()
    buried: list[Any] = []

    def first_buried(call: Any, given: dict[str, Any]) -> Any:
        if "last_write" in given.get("ConditionExpression", "") and not buried:
            buried.append(given)
            stage.bury()
        return call()

    stage.account.instead["PutItem"] = first_buried
    assert stage.past.run(DELETED="yes").code == 0
    assert buried and stage.shown() == stage.before


def test_an_item_that_was_deleted_then_already_stays_so(stage: Stage, person: Person) -> None:
    stage.delete()
    past = Past(stage.account, person, stage.made.outputs)
    stage.bury()
    now = rows(past.table)
    assert past.run(DELETED="yes").code == 0
    assert stage.is_gone()
    assert rows(past.table) == now


def test_a_file_that_was_deleted_before_stays_deleted(stage: Stage) -> None:
    (content,) = [key for key in stage.files() if key.startswith("content/")]
    boto3.client("s3").delete_object(Bucket=stage.bucket, Key=content)
    old = clock.parse(clock.now()) - timedelta(days=1)

    def aged(answer: Any) -> Any:
        for marker in answer.get("DeleteMarkers", []):
            marker["LastModified"] = old
        return answer

    stage.account.change("ListObjectVersions", aged)
    assert "Files brought back: 0." in stage.past.run().err
    assert content not in stage.files()


def test_files_alone_come_back_and_those_without_a_version_are_told(stage: Stage) -> None:
    files, s3 = stage.files(), boto3.client("s3")
    lost = sorted(files)[0]
    for key in files:
        s3.delete_object(Bucket=stage.bucket, Key=key)
    s3.delete_object(Bucket=stage.bucket, Key=sorted(files)[1])  # a second marker on top
    for version in s3.list_object_versions(Bucket=stage.bucket, Prefix=lost)["Versions"]:
        s3.delete_object(Bucket=stage.bucket, Key=lost, VersionId=version["VersionId"])
    told = stage.past.run()
    assert told.code == 0, told.err
    assert stage.files() == files - {lost}
    assert "Files lost for good: 1." in told.err


def test_a_page_that_was_captured_anew_keeps_its_new_item(stage: Stage) -> None:
    """Both can be deleted afterwards, which an item that claims another's page could not."""
    stage.delete()
    newer = stage.made.capture(content=LONG, url="https://example.org/fencing")
    assert newer != stage.item
    stage.made.settle()
    assert stage.past.run(DELETED="yes").code == 0
    assert stage.made.capture(url="https://example.org/fencing") == newer
    for found in (stage.item, newer):
        assert stage.made.api("DELETE", f"/items/{found}").status == 204


def test_what_was_being_read_goes_on(made: World, account: Account, person: Person) -> None:
    made.instead["lease"] = lambda _call, event: event  # the execution is lost
    item = made.capture()
    made.settle()
    made.instead.clear()
    due = clock.after(clock.now(), -600)
    key = keys.item(made.owner, item)
    boto3.client("dynamodb").update_item(
        TableName=made.outputs["TableName"],
        Key={"pk": {"S": key.pk}, "sk": {"S": key.sk}},
        UpdateExpression="SET due_at = :due",
        ExpressionAttributeValues={":due": {"S": due}},
    )
    past = Past(account, person, made.outputs)
    wipe(past.table)
    told = past.run()
    assert "1 items were waiting or being read at that time" in told.err
    assert sum(made.heartbeat().values()) == 1
    assert made.settled(item)["status"] == "READY"
