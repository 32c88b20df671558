"""Rows and files that the scenarios leave in the table and the bucket."""

from dataclasses import dataclass
from typing import Any

from moto.dynamodb.models import dynamodb_backends

from readdo import runtime
from readdo.read import item_keys
from readdo.store import keys
from readdo.store.table import from_dynamo
from support.world import ACCOUNT, REGION, World

_client = runtime.client  # the product's own client, created once


@dataclass
class Stored:
    world: World

    @property
    def bucket(self) -> str:
        return self.world.outputs["BucketName"]

    def raw_rows(self) -> list[dict[str, Any]]:
        return [row.to_json()["Attributes"] for row in self._stored()]

    def _stored(self) -> list[Any]:
        """Return the rows of moto's state: reading them through its API would cost more than the scenario."""
        table = dynamodb_backends[ACCOUNT][REGION].tables[self.world.table.name]
        return [row for rows in list(table.items.values()) for row in list(rows.values())]

    def rows(self) -> list[dict[str, Any]]:
        return [from_dynamo(row) for row in self.raw_rows()]

    def of_item(self) -> list[dict[str, Any]]:
        """Return the rows of the item and of its parts."""
        inside = f"{keys.owner(self.world.owner)}#I#"
        rows = [
            row for row in self.rows() if row["pk"].startswith(inside) or row["sk"].startswith(item_keys.ITEM_PREFIX)
        ]
        return sorted(rows, key=lambda row: (row["pk"], row["sk"]))

    def item(self) -> dict[str, Any]:
        return next((row for row in self.of_item() if row["sk"].startswith(item_keys.ITEM_PREFIX)), {})

    def files(self) -> frozenset[str]:
        listed = _client("s3").list_objects_v2(Bucket=self.bucket)
        return frozenset(file["Key"] for file in listed.get("Contents", ()))

    def versions(self) -> list[tuple[str, str]]:
        listed = _client("s3").list_object_versions(Bucket=self.bucket)
        versions = [*listed.get("Versions", ()), *listed.get("DeleteMarkers", ())]
        return [(version["Key"], version["VersionId"]) for version in versions]

    def written(self) -> list[str]:
        """Return the key of every write of a file, without deletions."""
        return [one["Key"] for one in _client("s3").list_object_versions(Bucket=self.bucket).get("Versions", ())]

    def file(self, key: str) -> bytes:
        return bytes(_client("s3").get_object(Bucket=self.bucket, Key=key)["Body"].read())
