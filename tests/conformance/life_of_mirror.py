"""Part of the life cycle: the mirror, marked, shown, refused, switched off and on again."""

import pytest

from readdo.integrations import integration_keys
from readdo.integrations.notion import settings
from readdo.lifecycle.write import Write
from support.notion_requests import answered_by
from support.notion_server import DATABASE, TOKEN, NotionServer, refusal
from support.notion_world import PAST, mirrored
from support.world import World


def run_mirror(fresh: World) -> None:
    server = NotionServer({"Name": {"type": "title", "title": {}}})
    with pytest.MonkeyPatch.context() as patch, mirrored(fresh, server, patch) as mirror:
        answered_by(server, patch)
        patch.setattr(settings, "token", lambda _: TOKEN)
        for trick in (None, refusal(503, "service_unavailable", "later"), None):
            server.tricks = [lambda *_, answer=trick: answer]
            mirror.turn()
            mirror.wait()
        fresh.instead["mirror"] = lambda _handler, _event: mirror.changed()
        mirror.beat()
        del fresh.instead["mirror"]
        for database in ("", DATABASE, DATABASE):
            patch.setenv("NOTION_DATABASE_ID", database)
            fresh.table.write(Write(integration_keys.mirror(fresh.owner), sets={"due_at": PAST}))
            fresh.heartbeat()
