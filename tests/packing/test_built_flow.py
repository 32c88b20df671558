"""A page from its capture to its files, with every function run from its built packages.

This shows that the packages contain the botocore data for each call, the readers, the font, and all late imports.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest

from readdo.read import item_keys
from support.built import Built
from support.relay import relay
from support.template import ROOT, function_name, functions
from support.world import World

PAGES = ROOT / "tests/bench/pages"


class Cloud:
    """World of the other tests, called over HTTP by functions in their own processes."""

    def __init__(self, world: World, packages: Built, endpoint: str) -> None:
        self.world, self.packages, self.endpoint = world, packages, endpoint
        self.failed: list[dict[str, Any]] = []
        self.ran: set[str] = set()
        for function in functions():
            world.instead[function_name(function)] = self._start_packaged(function)

    def _start_packaged(self, function: str) -> Callable[[Any, dict[str, Any]], Any]:
        return lambda _call, event: self.run(function, event)

    def run(self, function: str, event: dict[str, Any]) -> Any:
        result = self.packages.start(function, event, AWS_ENDPOINT_URL=self.endpoint)
        self.ran.add(function)
        if "error" in result or result["alien"]:
            self.failed.append({"function": function, **result})
        if "error" in result:
            raise RuntimeError(result["error"])
        return result["answer"]

    def api(self, method: str, path: str, body: Any = None) -> Any:
        event = json.loads((ROOT / "events/http_api/without_a_token.json").read_text(encoding="utf-8"))
        event["rawPath"] = event["requestContext"]["http"]["path"] = path
        event["requestContext"]["http"]["method"] = method
        event["headers"]["authorization"] = f"Bearer {self.world.token}"
        answer = self.run("HttpApi", {**event, "body": json.dumps(body) if body else None})
        assert answer["statusCode"] < 300, answer
        return json.loads(answer["body"])

    def page(self, path: str) -> str:
        event = json.loads((ROOT / "events/pages/inbox.json").read_text(encoding="utf-8"))
        event["rawPath"] = event["requestContext"]["http"]["path"] = path
        event["headers"].pop("accept-encoding")
        answer = self.run("Pages", {**event, "cookies": [f"readdo={self.world.token}"]})
        assert answer["statusCode"] == 200, answer
        return str(answer["body"])


# Functions of webhooks, backups, imports, the mirror and the Proof desk: test_built_functions imports them.
NOT_USED = {"Announce", "Deliver", "Backup", "Restore", "ReadFile", "ImportLines", "Mark", "Mirror"}
NOT_USED |= {"ProofValidate", "ProofSlice", "ProofMerge", "CollectWork"}


@pytest.fixture
def cloud(world: World, packages: Built) -> Iterator[Cloud]:
    with relay() as endpoint:
        yield Cloud(world, packages, endpoint)


@pytest.mark.parametrize("page", ["en_news", "zh_news"])
def test_page_is_processed_and_exported_by_packages(cloud: Cloud, page: str) -> None:
    text = (PAGES / f"{page}.html").read_text(encoding="utf-8")
    response = cloud.api("POST", "/capture", {"intent_text": "what to do with it 怎么办", "content": text})
    item_id = response["item"]["id"]
    cloud.world.settle()
    assert cloud.failed == []
    assert cloud.api("GET", f"/items/{item_id}")["item"]["status"] == "READY"
    cloud.api("POST", f"/items/{item_id}/export", {"export_key": "k", "formats": ["png", "pdf", "html", "md"]})
    cloud.world.settle()
    cloud.run("Heartbeat", {})
    assert cloud.failed == []
    exported = files(cloud.world, item_id)
    assert exported["png"].startswith(b"\x89PNG") and exported["pdf"].startswith(b"%PDF")
    assert cloud.api("GET", f"/items/{item_id}")["item"]["status"] == "SHIPPED"
    assert f'data-item="{item_id}"' in cloud.page(f"/my/items/{item_id}")
    assert cloud.failed == []
    assert set(functions()) - cloud.ran == {"RecordFailure", *NOT_USED}


def test_page_without_text_is_recorded_as_failed(cloud: Cloud) -> None:
    response = cloud.api(
        "POST", "/capture", {"intent_text": "read it", "content": "<html><body><p>Hi</p></body></html>"}
    )
    cloud.world.settle()
    assert "RecordFailure" in cloud.ran
    assert [f["error"] for f in cloud.failed] == ["StepFailed"], cloud.failed
    assert cloud.failed[0]["alien"] == {}
    assert cloud.api("GET", f"/items/{response['item']['id']}")["item"]["status"] == "FAILED_EXTRACTION"


def files(world: World, item_id: str) -> dict[str, bytes]:
    row = world.table.get(item_keys.export("me", item_id, "k"))
    assert row is not None
    bucket = boto3.client("s3")
    name = world.outputs["BucketName"]
    return {f: bucket.get_object(Bucket=name, Key=at["at"])["Body"].read() for f, at in row["files"].items()}
