"""Topics and schedules of the Collect desk: the search endpoint, and documents that a schedule proposes."""

import json
from typing import Any

import pytest
import requests

from support.small_web import Web, work
from support.world import World

pytestmark = pytest.mark.usefixtures("web")


def test_topic_without_a_search_endpoint_is_pending(fresh: World) -> None:
    pending = work(fresh, {"id": "a", "type": "topic", "title": "frame graphs", "target_file": "a.md"})["a"]
    assert (pending["status"], bool(pending["reason"])) == ("pending", True)


class Answer:
    def __init__(self, body: bytes) -> None:
        self.raw = self
        self._body = body

    def raise_for_status(self) -> None:
        pass

    def read(self, *_: Any, **__: Any) -> bytes:
        return self._body


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (
            json.dumps({"results": [{"url": "https://talks.acme.dev/frame", "title": "F"}, {"url": "file:///x"}]}),
            "done",
        ),
        ("<html>", "failed"),
        (json.dumps({"results": []}), "pending"),
    ],
)
def test_topic_is_searched_and_its_results_fetched_safely(
    fresh: World, web: Web, monkeypatch: pytest.MonkeyPatch, body: str, status: str
) -> None:
    monkeypatch.setenv("COLLECT_SEARCH_URL", "http://10.0.0.7:8888")
    called: list[tuple[str, Any]] = []

    def get(_: Any, address: str, **more: Any) -> Answer:
        called.append((address, more["params"]["q"]))
        return Answer(body.encode())

    monkeypatch.setattr(requests.Session, "get", get)
    topic = {"id": "a", "type": "topic", "title": "帧图", "target_file": "a.md"}
    assert work(fresh, topic)["a"]["status"] == status
    assert called == [("http://10.0.0.7:8888/search", "帧图")]
    assert web.read == (["https://talks.acme.dev/frame"] if status == "done" else [])


def test_schedule_is_expanded_into_documents_to_confirm(fresh: World, web: Web) -> None:
    proposed = fresh.api("POST", "/assignments/expand", {"schedule_url": "https://talks.acme.dev/schedule"})
    assert proposed.status == 200
    titles = [entry["title"] for entry in proposed.json["document_list"]]
    assert titles == ["Frame graphs in practice", "Shadow atlas on async compute"]
    whole = {"type": "create_document", "document_list": proposed.json["document_list"]}
    assert fresh.api("POST", "/assignments", whole).status == 201
    assert web.read == ["https://talks.acme.dev/schedule"]


@pytest.mark.parametrize("address", ["https://talks.acme.dev/down", "ftp://talks.acme.dev/", "x"])
def test_schedule_that_cannot_be_read_is_refused_with_words(fresh: World, address: str) -> None:
    refused = fresh.api("POST", "/assignments/expand", {"schedule_url": address})
    assert refused.status == 400
    assert refused.json["error"]["details"]["fields"][0]["field"] == "schedule_url"
