"""World whose desk is mirrored to a local Notion server."""

import importlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import boto3
import pytest

from readdo import clock
from readdo.do import task_rows
from readdo.integrations import integration_keys
from readdo.integrations.notion.notion import RateLimit
from readdo.lifecycle.write import Key, Write
from readdo.store import keys, tokens
from support.notion_server import DATABASE, TOKEN, NotionServer
from support.world import World

PARAMETER, PAST = "/readdo/notion-token", "2020-01-01T00:00:00.000Z"


def stream_records(written: Iterable[Key]) -> list[dict[str, Any]]:
    return [
        {"dynamodb": {"Keys": {"pk": {"S": key.pk}, "sk": {"S": key.sk}}, "SequenceNumber": str(number)}}
        for number, key in enumerate(written)
    ]


@dataclass
class Mirrored:
    world: World
    notion: NotionServer
    waits: list[float] = field(default_factory=list)  # the waits between requests, in seconds

    def changed(self) -> None:
        """Deliver every task and run through the table's stream, as if all had just been written."""
        owner = self.world.owner
        rows = [
            key for pk in (task_rows.tasks_of(owner), task_rows.runs_of(owner)) for key in self.world.table.keys_of(pk)
        ]
        self.streamed(*rows)

    def streamed(self, *written: Key) -> list[dict[str, str]]:
        """Deliver these keys through the stream and return the reported failures."""
        return list(self.world.invoke("mark", {"Records": stream_records(written)})["batchItemFailures"])

    @property
    def marked(self) -> list[str]:
        sort_keys = (key.sk for key in self.world.table.keys_of(integration_keys.mirror_partition(self.world.owner)))
        return [sk for sk in sort_keys if sk.startswith(integration_keys.MARK_PREFIX)]

    def turn(self) -> dict[str, int]:
        """Mark everything and run the heartbeat as if the mirror were due."""
        self.changed()
        return self.beat()

    def beat(self) -> dict[str, int]:
        if row := self.row:
            self.world.table.write(
                Write(
                    integration_keys.mirror(self.world.owner),
                    sets={"due_at": min(row["due_at"], clock.after(clock.now(), -1))},
                )
            )
        return self.world.heartbeat()

    def wait(self) -> None:
        """Make a postponed turn due."""
        self.world.table.write(Write(integration_keys.mirror(self.world.owner), sets={"due_at": PAST}))

    @property
    def row(self) -> dict[str, Any]:
        return self.world.table.get(integration_keys.mirror(self.world.owner)) or {}

    @property
    def told(self) -> dict[str, Any]:
        """Return the health that the API reports."""
        return dict(self.world.api("GET", "/health").json["notion"])

    @property
    def ended(self) -> str:
        return str(self.row["status"])


@contextmanager
def temporary_owner(world: World) -> Iterator[World]:
    """Yield a world with an owner of its own and delete that owner's rows afterwards.

    The heartbeat handles all owners, so a row left behind would affect other tests.
    """
    name = clock.new_id(clock.now()).lower()
    yield replace(world, owner=name, token=tokens.issue(world.table, name, "test"))
    of = (keys.owner, task_rows.tasks_of, task_rows.runs_of, task_rows.counts_of, integration_keys.mirror_partition)
    world.table.delete_all([key for pk in of for key in world.table.keys_of(pk(name))])


@contextmanager
def mirrored(world: World, notion: NotionServer, patch: pytest.MonkeyPatch) -> Iterator[Mirrored]:
    made = Mirrored(world, notion)
    settings = {"NOTION_OWNER": world.owner, "NOTION_DATABASE_ID": DATABASE, "NOTION_TOKEN_PARAMETER": PARAMETER}
    for name, value in {**settings, "NOTION_URL": notion.url}.items():
        patch.setenv(name, value)
    boto3.client("ssm").put_parameter(Name=PARAMETER, Value=TOKEN, Type="SecureString", Overwrite=True)
    patch.setattr(
        importlib.import_module("mirror"), "RateLimit", lambda often: RateLimit(often, pause=made.waits.append)
    )
    yield made
