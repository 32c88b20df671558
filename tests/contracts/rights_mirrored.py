"""Part of the scenario of test_rights_are_enough.py that runs the mirror."""

import pytest

from readdo.integrations.notion import settings
from support.notion_requests import answered_by
from support.notion_server import TOKEN, NotionServer, refusal
from support.notion_world import mirrored
from support.world import World


def run_mirror(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Show tasks and runs in Notion: create pages, change them, and look for pages of an interrupted turn."""
    server = NotionServer({"Name": {"type": "title", "title": {}}})
    with mirrored(world, server, monkeypatch) as mirrored_world:
        answered_by(server, monkeypatch)
        monkeypatch.setattr(settings, "token", lambda _: TOKEN)  # test_rights_to_a_model covers that right
        assert world.api("POST", "/tasks", {"intent": "write", "title": "写下来"}).status == 201
        mirrored_world.beat()
        server.tricks = [lambda *_: None, lambda *_: refusal(503, "service_unavailable", "later")]
        assert mirrored_world.turn()["sync"] == 1
        mirrored_world.wait()
        assert mirrored_world.beat()["sync"] == 1
    assert server.pages
