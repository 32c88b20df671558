"""Run restores and read what the API shows of the restored items."""

import base64
from typing import Any

import boto3

from readdo import files
from readdo.store import tokens
from support.world import World

# A restore is a move of its own, so these two fields change.
VOLATILE_FIELDS = {"version", "updated_at"}


def restore_backup(world: World, body: bytes, token: str) -> dict[str, Any]:
    offer = world.api("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)}, token=token)
    assert offer.status == 201, offer.json
    headers = offer.json["upload"]["headers"]
    assert base64.b64decode(headers["x-amz-checksum-sha256"]).hex() == files.sha256(body)
    restore_id = offer.json["restore"]["id"]
    name = world.outputs["BucketName"]
    owner = offer.json["upload"]["url"].partition("/restores/")[2].partition("/")[0]
    boto3.client("s3").put_object(Bucket=name, Key=f"restores/{owner}/{restore_id}.zip", Body=body)
    started = world.api("POST", f"/restores/{restore_id}/start", token=token)
    assert started.status == 202, started.json
    world.settle()
    return dict(world.api("GET", f"/restores/{restore_id}", token=token).json["restore"])


def token_of(world: World, name: str) -> str:
    return tokens.issue(world.table, name, "test")


def api_view(world: World, token: str) -> dict[str, Any]:
    """Everything that the API shows of all items."""
    listed, cursor = [], ""
    while True:
        page = world.api("GET", f"/items?limit=100&cursor={cursor}" if cursor else "/items?limit=100", token=token).json
        listed += page["items"]
        cursor = page["next_cursor"]
        if not cursor:
            break
    items = {}
    for item in listed:
        detail = world.api("GET", f"/items/{item['id']}?include_history=true&versions=true", token=token).json
        artifacts = {
            f"{kind}/{one['version']}": world.api(
                "GET", f"/items/{item['id']}/artifacts/{kind}/{one['version']}", token=token
            ).json["artifact"]
            for kind, versions in detail["versions"].items()
            for one in versions
        }
        exported_files = [
            f for export in detail["exports"] if export["status"] == "DONE" for f in export["payload"]["files"]
        ]
        file_bodies = {f["path"]: download(world, f["path"], token) for f in exported_files}
        items[item["id"]] = {"listed": item, "detail": detail, "every": artifacts, "files": file_bodies}
    return items


def download(world: World, path: str, token: str) -> bytes:
    link = world.api("GET", f"/{path}", token=token).headers["location"]
    return files.get("exports/" + link.partition("/exports/")[2].partition("?")[0])


def without_volatile_fields(view: dict[str, Any]) -> dict[str, Any]:
    """The parts of an item that a restore must keep."""
    detail = dict(view["detail"])
    item = {name: value for name, value in detail.pop("item").items() if name not in VOLATILE_FIELDS}
    detail["exports"] = [export for export in detail["exports"] if export["status"] == "DONE"]
    return {**view, "detail": detail, "item": item}


def without_restore_move(view: dict[str, Any]) -> dict[str, Any]:
    *before, last = view["detail"]["history"]
    assert (last["by"], last["trigger"]) == ("system:restore", f"restore_{last['to'].lower()}")
    return {**view, "detail": {**view["detail"], "history": before}}
