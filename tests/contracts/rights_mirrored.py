"""The mirror's part of the story that test_rights_are_enough plays."""

import pytest

from readdo.mirror import settings
from support.notion_requests import answered_by
from support.notion_server import TOKEN, NotionServer, refusal
from support.notion_world import mirrored
from support.world import World


def mirror(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks and runs are shown in Notion: made, changed and, when a turn before had begun it, looked for."""
    server = NotionServer({"Name": {"type": "title", "title": {}}})
    with mirrored(made, server, monkeypatch) as to:
        answered_by(server, monkeypatch)
        monkeypatch.setattr(settings, "token", lambda _: TOKEN)  # that right is in test_rights_to_a_model
        assert made.api("POST", "/tasks", {"intent": "write", "title": "写下来"}).status == 201
        to.beat()
        server.tricks = [lambda *_: None, lambda *_: refusal(503, "service_unavailable", "later")]
        assert to.turn()["sync"] == 1
        to.wait()
        assert to.beat()["sync"] == 1
    assert server.pages
