"""Restores as a test asks for them, and all that the API shows of what came back."""

import base64
from typing import Any

import boto3

from readdo import files
from readdo.store import tokens
from support.world import World

# What must differ: that it was brought back is a move of its own.
DIFFERS = {"version", "updated_at"}


def restored(made: World, body: bytes, token: str) -> dict[str, Any]:
    offered = made.api("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)}, token=token)
    assert offered.status == 201, offered.json
    told = offered.json["upload"]["headers"]
    assert base64.b64decode(told["x-amz-checksum-sha256"]).hex() == files.sha256(body)
    restore_id = offered.json["restore"]["id"]
    name = made.outputs["BucketName"]
    owner = offered.json["upload"]["url"].partition("/restores/")[2].partition("/")[0]
    boto3.client("s3").put_object(Bucket=name, Key=f"restores/{owner}/{restore_id}.zip", Body=body)
    started = made.api("POST", f"/restores/{restore_id}/start", token=token)
    assert started.status == 202, started.json
    made.settle()
    return dict(made.api("GET", f"/restores/{restore_id}", token=token).json["restore"])


def anybody(made: World, name: str) -> str:
    return tokens.issue(made.table, name, "test")


def shown(made: World, token: str) -> dict[str, Any]:
    """All that the API shows of all items."""
    listed, cursor = [], ""
    while True:
        page = made.api("GET", f"/items?limit=100&cursor={cursor}" if cursor else "/items?limit=100", token=token).json
        listed += page["items"]
        cursor = page["next_cursor"]
        if not cursor:
            break
    found = {}
    for item in listed:
        detail = made.api("GET", f"/items/{item['id']}?include_history=true&versions=true", token=token).json
        every = {
            f"{kind}/{one['version']}": made.api(
                "GET", f"/items/{item['id']}/artifacts/{kind}/{one['version']}", token=token
            ).json["artifact"]
            for kind, versions in detail["versions"].items()
            for one in versions
        }
        files_ = [f for export in detail["exports"] if export["status"] == "DONE" for f in export["payload"]["files"]]
        bodies = {f["path"]: body_of(made, f["path"], token) for f in files_}
        found[item["id"]] = {"listed": item, "detail": detail, "every": every, "files": bodies}
    return found


def body_of(made: World, path: str, token: str) -> bytes:
    link = made.api("GET", f"/{path}", token=token).headers["location"]
    return files.get("exports/" + link.partition("/exports/")[2].partition("?")[0])


def at_rest(told: dict[str, Any]) -> dict[str, Any]:
    """What must be the same in both lives."""
    detail = dict(told["detail"])
    item = {name: value for name, value in detail.pop("item").items() if name not in DIFFERS}
    detail["exports"] = [export for export in detail["exports"] if export["status"] == "DONE"]
    return {**told, "detail": detail, "item": item}


def without_the_last(told: dict[str, Any]) -> dict[str, Any]:
    *before, last = told["detail"]["history"]
    assert (last["by"], last["trigger"]) == ("system:restore", f"restore_{last['to'].lower()}")
    return {**told, "detail": {**told["detail"], "history": before}}
