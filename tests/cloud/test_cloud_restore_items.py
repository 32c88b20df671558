"""make restore for items with artifacts and files, as the product shows them afterwards."""

from datetime import timedelta
from typing import Any

import boto3
import pytest

from readdo import clock
from readdo.read import item_keys
from support.aws_account import Account
from support.aws_past import Past, all_rows, delete_all_rows
from support.aws_person import User
from support.world import TEXT, World

LONG = TEXT * 20  # its extraction is stored in the bucket


class Stage:
    """A product with one READY item and a past state of its table."""

    def __init__(self, world: World, account: Account, user: User) -> None:
        self.world, self.account, self.bucket = world, account, world.outputs["BucketName"]
        versioning = {"Status": "Enabled"}
        boto3.client("s3").put_bucket_versioning(Bucket=self.bucket, VersioningConfiguration=versioning)
        self.item = world.capture(content=LONG, url="https://example.org/fencing")
        assert world.settled(self.item)["status"] == "READY"
        self.past = Past(account, user, world.outputs)
        self.before = self.api_view()

    def api_view(self) -> dict[str, Any]:
        item = self.world.api("GET", f"/items/{self.item}").json
        text = self.world.api("GET", f"/items/{self.item}/artifacts/extraction/1")
        assert text.status == 200
        return {"item": item, "text": text.json}

    def delete(self) -> None:
        assert self.world.api("DELETE", f"/items/{self.item}").status == 204
        assert self.is_gone()

    def is_gone(self) -> bool:
        return bool(self.world.api("GET", f"/items/{self.item}").status == 404)

    def bury(self) -> None:
        """Run the heartbeat's two steps that remove a due tombstone."""
        key = item_keys.item(self.world.owner, self.item)
        for step in ("sweep_away", "bury"):
            boto3.client("dynamodb").update_item(
                TableName=self.past.table,
                Key={"pk": {"S": key.pk}, "sk": {"S": key.sk}},
                UpdateExpression="SET due_at = :past",
                ExpressionAttributeValues={":past": {"S": clock.after(clock.now(), -1)}},
            )
            assert self.world.heartbeat() == {step: 1}

    def files(self) -> set[str]:
        listing = boto3.client("s3").list_objects_v2(Bucket=self.bucket)
        return {entry["Key"] for entry in listing.get("Contents", [])}


@pytest.fixture
def stage(world: World, account: Account, user: User) -> Stage:
    return Stage(world, account, user)


def test_emptied_table_is_restored(stage: Stage) -> None:
    then = all_rows(stage.past.table)
    delete_all_rows(stage.past.table)
    result = stage.past.run()
    assert result.code == 0, result.err
    assert (stage.api_view(), all_rows(stage.past.table)) == (stage.before, then)
    assert stage.past.user.waited == []


def test_deleted_item_stays_deleted(stage: Stage) -> None:
    stage.delete()
    now = all_rows(stage.past.table)
    result = stage.past.run()
    assert result.code == 0, result.err
    assert "Deleted items, not restored: 1 (DELETED=yes restores" in result.err
    assert stage.is_gone()
    assert (all_rows(stage.past.table), stage.files()) == (now, set())


def test_deleted_item_is_restored_with_its_files_on_request(stage: Stage) -> None:
    files = stage.files()
    assert {key.partition("/")[0] for key in files} == {"content", "artifacts"}
    stage.delete()
    result = stage.past.run(DELETED="yes")
    assert result.code == 0, result.err
    assert stage.api_view() == stage.before
    assert stage.files() == files
    assert "Deleted items restored: 1." in result.err
    assert f"Files restored: {len(files)}." in result.err
    assert stage.past.user.waited == [75], "a sweep that was under way has ended"
    assert stage.world.heartbeat() == {}, "nothing buries it any more"
    again = stage.past.run(DELETED="yes")
    assert "Rows restored: 0" in again.err and "Files restored: 0." in again.err
    assert stage.api_view() == stage.before
    assert stage.past.user.waited == [75]


def test_item_without_a_tombstone_is_restored_like_a_lost_one(stage: Stage) -> None:
    files = stage.files()
    stage.delete()
    stage.bury()
    assert stage.past.run().code == 0
    assert (stage.api_view(), stage.files()) == (stage.before, files)


def test_item_is_restored_when_its_tombstone_is_removed_meanwhile(stage: Stage) -> None:
    """The tombstone disappears between its read and the write over it."""
    stage.delete()
    buried_calls: list[Any] = []

    def bury_first(call: Any, params: dict[str, Any]) -> Any:
        if "last_write" in params.get("ConditionExpression", "") and not buried_calls:
            buried_calls.append(params)
            stage.bury()
        return call()

    stage.account.instead["PutItem"] = bury_first
    assert stage.past.run(DELETED="yes").code == 0
    assert buried_calls and stage.api_view() == stage.before


def test_item_that_was_already_deleted_at_that_time_stays_deleted(stage: Stage, user: User) -> None:
    stage.delete()
    past = Past(stage.account, user, stage.world.outputs)
    stage.bury()
    now = all_rows(past.table)
    assert past.run(DELETED="yes").code == 0
    assert stage.is_gone()
    assert all_rows(past.table) == now


def test_file_deleted_before_that_time_stays_deleted(stage: Stage) -> None:
    (content,) = [key for key in stage.files() if key.startswith("content/")]
    boto3.client("s3").delete_object(Bucket=stage.bucket, Key=content)
    old = clock.parse(clock.now()) - timedelta(days=1)

    def with_old_markers(answer: Any) -> Any:
        for marker in answer.get("DeleteMarkers", []):
            marker["LastModified"] = old
        return answer

    stage.account.change("ListObjectVersions", with_old_markers)
    assert "Files restored: 0." in stage.past.run().err
    assert content not in stage.files()


def test_deleted_files_are_restored_and_lost_ones_are_counted(stage: Stage) -> None:
    files, s3 = stage.files(), boto3.client("s3")
    lost = sorted(files)[0]
    for key in files:
        s3.delete_object(Bucket=stage.bucket, Key=key)
    s3.delete_object(Bucket=stage.bucket, Key=sorted(files)[1])  # a second marker on top
    for version in s3.list_object_versions(Bucket=stage.bucket, Prefix=lost)["Versions"]:
        s3.delete_object(Bucket=stage.bucket, Key=lost, VersionId=version["VersionId"])
    result = stage.past.run()
    assert result.code == 0, result.err
    assert stage.files() == files - {lost}
    assert "Files lost: 1." in result.err


def test_page_captured_again_keeps_its_new_item(stage: Stage) -> None:
    """Both items can be deleted; an item that claimed the other's page could not."""
    stage.delete()
    newer = stage.world.capture(content=LONG, url="https://example.org/fencing")
    assert newer != stage.item
    stage.world.settle()
    assert stage.past.run(DELETED="yes").code == 0
    assert stage.world.capture(url="https://example.org/fencing") == newer
    for item_id in (stage.item, newer):
        assert stage.world.api("DELETE", f"/items/{item_id}").status == 204


def test_item_in_progress_is_processed_after_the_restore(world: World, account: Account, user: User) -> None:
    world.instead["lease"] = lambda _call, event: event  # the execution is lost
    item = world.capture()
    world.settle()
    world.instead.clear()
    due = clock.after(clock.now(), -600)
    key = item_keys.item(world.owner, item)
    boto3.client("dynamodb").update_item(
        TableName=world.outputs["TableName"],
        Key={"pk": {"S": key.pk}, "sk": {"S": key.sk}},
        UpdateExpression="SET due_at = :due",
        ExpressionAttributeValues={":due": {"S": due}},
    )
    past = Past(account, user, world.outputs)
    delete_all_rows(past.table)
    result = past.run()
    assert "1 items were waiting or processing at that time" in result.err
    assert sum(world.heartbeat().values()) == 1
    assert world.settled(item)["status"] == "READY"
