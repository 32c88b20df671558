"""What lies in the table and the bucket, as the one who judges sees it."""

from dataclasses import dataclass
from typing import Any

from moto.dynamodb.models import dynamodb_backends

from readdo import runtime
from readdo.store import keys
from readdo.store.values import from_dynamo
from support.world import ACCOUNT, REGION, World

_client = runtime.client  # the product's own: made once


@dataclass
class Stored:
    made: World

    @property
    def bucket(self) -> str:
        return self.made.outputs["BucketName"]

    def raw_rows(self) -> list[dict[str, Any]]:
        return [row.to_json()["Attributes"] for row in self._stored()]

    def _stored(self) -> list[Any]:
        """Asked of moto itself: through its API, looking on would cost more than what is looked at."""
        table = dynamodb_backends[ACCOUNT][REGION].tables[self.made.table.name]
        return [row for rows in list(table.items.values()) for row in list(rows.values())]

    def rows(self) -> list[dict[str, Any]]:
        return [from_dynamo(row) for row in self.raw_rows()]

    def of_item(self) -> list[dict[str, Any]]:
        """The item, and what lies beside it."""
        inside = f"{keys.owner(self.made.owner)}#I#"
        found = [row for row in self.rows() if row["pk"].startswith(inside) or row["sk"].startswith(keys.ITEM_PREFIX)]
        return sorted(found, key=lambda row: (row["pk"], row["sk"]))

    def item(self) -> dict[str, Any]:
        return next((row for row in self.of_item() if row["sk"].startswith(keys.ITEM_PREFIX)), {})

    def files(self) -> frozenset[str]:
        listed = _client("s3").list_objects_v2(Bucket=self.bucket)
        return frozenset(found["Key"] for found in listed.get("Contents", ()))

    def versions(self) -> list[tuple[str, str]]:
        listed = _client("s3").list_object_versions(Bucket=self.bucket)
        found = [*listed.get("Versions", ()), *listed.get("DeleteMarkers", ())]
        return [(one["Key"], one["VersionId"]) for one in found]

    def written(self) -> list[str]:
        """The key of every writing of a file; that one was removed is none."""
        return [one["Key"] for one in _client("s3").list_object_versions(Bucket=self.bucket).get("Versions", ())]

    def file(self, key: str) -> bytes:
        return bytes(_client("s3").get_object(Bucket=self.bucket, Key=key)["Body"].read())
