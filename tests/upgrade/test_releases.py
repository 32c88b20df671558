"""An upgrade while work is in flight: each release continues what the other one began, in both directions.

Functions are replaced one after the other, so for some seconds new code meets rows, events and variables of the last
release, and its functions, which still run, meet ours.
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Set
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import pytest

from support.import_helpers import texts
from support.template import ROOT
from support.world import TEXT
from upgrade.releases import Player, Release, Stopped, unpack_last_release

PAST = "2020-01-01T00:00:00.000Z"
STEPS = ("Extract", "Summarize", "Score", "Todos", "Card", "Gate")


class Pair(NamedTuple):
    first: Player
    second: Player


@pytest.fixture(scope="module", params=["last release first", "this release first"])
def players(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two releases. The second one runs with the variables and workflows of the first one."""
    last, this = Release(unpack_last_release(tmp_path_factory.mktemp("release"))), Release(ROOT)
    first, second = (last, this) if request.param == "last release first" else (this, last)
    players = Pair(Player(first, first, first), Player(second, first, first))
    yield players
    for player in players:
        player.close()


@pytest.fixture
def pair(players: Pair) -> Pair:
    for player in players:
        player.create_stack()
    players.first.token = players.first.run("token", owner="me")
    return players


def capture(player: Player, text: str = TEXT, **more: Any) -> str:
    request = {"intent_text": "make our job queue safe", "content": text, "title": "Fencing tokens", **more}
    answer = player.api("POST", "/capture", request)
    assert answer.status in (200, 201), answer.json
    return str(answer.json["item"]["id"])


def edit_row(player: Player, sort_key: str, **sets: Any) -> None:
    """Overwrite attributes of a row, for example its due time."""
    row = next(r for r in player.run("dump")["rows"] if r["sk"]["S"] == sort_key)
    player.run("load", rows=[{**row, **sets}], files=[])


def make_due(player: Player, item_id: str, **sets: Any) -> None:
    edit_row(player, f"I#{item_id}", due_at={"S": PAST}, **sets)


def stored_file(link: str, body: bytes) -> dict[str, str]:
    """The file of an upload link."""
    path = unquote(urlsplit(link).path).removeprefix("/").removeprefix("bucket/")
    return {"key": path, "body": base64.b64encode(body).decode(), "type": "text/plain", "disposition": ""}


def stop_at(player: Player, state: str) -> Stopped:
    """Run what was started up to this state."""
    player.stop_before = state
    with pytest.raises(Stopped) as stopped:
        player.settle()
    return stopped.value


def restore_file(player: Player, body: bytes) -> dict[str, Any]:
    offer = player.api("POST", "/restore", {"size": len(body), "sha256": hashlib.sha256(body).hexdigest()}).json
    player.run("load", rows=[], files=[stored_file(offer["upload"]["url"], body)])
    assert player.api("POST", f"/restores/{offer['restore']['id']}/start", {}).status == 202
    player.settle()
    return dict(player.api("GET", f"/restores/{offer['restore']['id']}").json["restore"])


def status(player: Player, item_id: str) -> str:
    return str(player.api("GET", f"/items/{item_id}").json["item"]["status"])


@pytest.mark.parametrize("step", STEPS)
def test_run_that_one_release_began_ends_on_the_other(pair: Pair, step: str) -> None:
    item_id = capture(pair.first)
    stopped = stop_at(pair.first, step)
    pair.second.take_over(pair.first)
    assert pair.second.execute("process_item", stopped.name, stopped.data, at=step) == "SUCCEEDED"
    assert status(pair.second, item_id) == "READY"
    pair.first.take_over(pair.second)
    shown = pair.first.api("GET", f"/items/{item_id}").json
    assert shown["item"]["status"] == "READY"
    assert set(shown["artifacts"]) >= {"extraction", "summary", "score", "todos", "card"}


def test_failed_step_of_one_release_is_recorded_and_retried_by_the_other(pair: Pair) -> None:
    item_id = capture(pair.first)
    stopped = stop_at(pair.first, "Score")
    pair.second.take_over(pair.first)
    error = {"Error": "Sandbox.Timedout", "Cause": json.dumps({"errorMessage": "timed out"})}
    event = {**stopped.data, "error": error}
    assert pair.second.execute("process_item", stopped.name, event, at="RecordFailure") == "FAILED"
    pair.first.take_over(pair.second)
    assert pair.first.api("GET", f"/items/{item_id}").json["failure"]["error_code"] == "AI_TIMEOUT"
    make_due(pair.first, item_id)
    assert pair.first.invoke_room("heartbeat", 0, {})["auto_retry"] == 1
    pair.first.settle()
    assert status(pair.first, item_id) == "READY"


def test_lost_run_of_one_release_is_reclaimed_by_the_other(pair: Pair) -> None:
    item_id = capture(pair.first)
    stop_at(pair.first, "Todos")
    make_due(pair.first, item_id, lease_expires_at={"S": PAST})
    pair.second.take_over(pair.first)
    assert pair.second.invoke_room("heartbeat", 0, {})["reclaim"] == 1
    pair.second.settle()
    assert status(pair.second, item_id) == "READY"
    pair.first.take_over(pair.second)


def test_export_that_one_release_began_is_shipped_by_the_other(pair: Pair) -> None:
    item_id = capture(pair.first)
    pair.first.settle()
    assert pair.first.api("POST", f"/items/{item_id}/export", {"export_key": "k"}).status == 202
    (execution,) = pair.first.started()
    pair.second.take_over(pair.first)
    assert pair.second.execute("export_item", execution["name"], execution["input"]) == "SUCCEEDED"
    pair.first.take_over(pair.second)
    assert status(pair.first, item_id) == "SHIPPED"
    assert pair.first.api("GET", f"/items/{item_id}/exports/k").json["export"]["payload"]["files"]


def test_import_that_one_release_read_is_captured_by_the_other(pair: Pair) -> None:
    lines = texts(3).encode()
    answer = pair.first.api("POST", "/import", {"filename": "links.txt", "size": len(lines)})
    import_id = answer.json["import"]["id"]
    pair.first.run("load", rows=[], files=[stored_file(answer.json["upload"]["url"], lines)])
    assert pair.first.api("POST", f"/imports/{import_id}/start", {}).status == 200
    stopped = stop_at(pair.first, "ImportLines")
    pair.second.take_over(pair.first)
    assert pair.second.execute("import_file", stopped.name, stopped.data, at="ImportLines") == "SUCCEEDED"
    pair.first.take_over(pair.second)
    for player in pair:
        imported = player.api("GET", f"/imports/{import_id}").json["import"]
        assert (imported["status"], imported["counts"]["captured"]) == ("DONE", 3)
        assert {item["status"] for item in player.api("GET", "/items").json["items"]} == {"READY"}


def test_backup_that_one_release_began_is_finished(pair: Pair) -> None:
    """The other release finishes it. If it does not know a field of the progress, it leaves it to the next start."""
    item_id = capture(pair.first)
    pair.first.settle()
    backup_id = pair.first.api("GET", "/export-all?fresh=true").json["backup"]["id"]
    (execution,) = pair.first.started()
    pair.second.take_over(pair.first)
    pair.second.execute("backup_all", execution["name"], execution["input"])
    pair.first.take_over(pair.second)
    edit_row(pair.first, f"Z#{backup_id}", due_at={"S": PAST})
    pair.first.invoke_room("heartbeat", 0, {})
    pair.first.settle()
    assert pair.first.api("GET", f"/backups/{backup_id}").json["backup"]["status"] == "DONE"
    assert item_id in str(pair.first.api("GET", "/items").json)


def test_backup_of_one_release_is_restored_by_the_other(pair: Pair) -> None:
    item_id = capture(pair.first)
    pair.first.settle()
    backup_id = pair.first.api("GET", "/export-all?fresh=true").json["backup"]["id"]
    pair.first.settle()
    zipped = next(f for f in pair.first.run("dump")["files"] if backup_id in f["key"] and f["key"].endswith(".zip"))
    pair.second.token = pair.second.run("token", owner="heir")
    restore = restore_file(pair.second, base64.b64decode(zipped["body"]))
    assert (restore["status"], restore["told"]) == ("DONE", [])
    assert status(pair.second, item_id) == "READY"


def test_task_that_one_release_claimed_is_completed_by_the_other(pair: Pair) -> None:
    task = pair.first.api("POST", "/tasks", {"title": "Check it", "intent": "chores", "priority": "P1"})
    assert task.status in (200, 201), task.json
    task_id = task.json["task"]["id"]
    claimed = pair.first.api("POST", "/tasks/claim", {"intents": ["chores"], "worker": "w"}).json
    run_id = claimed["run"]["id"]
    pair.second.take_over(pair.first)
    for verb, body in (("start", {}), ("heartbeat", {}), ("complete", {"exit_code": 0})):
        answer = pair.second.api("POST", f"/runs/{run_id}/{verb}", body)
        assert answer.status == 200, answer.json
    pair.first.take_over(pair.second)
    assert pair.first.api("GET", f"/tasks/{task_id}").json["task"]["status"] == "done"


LISTS = ("/items", "/items?status=READY", "/tasks", "/runs", "/imports", "/backups", "/tokens", "/webhooks")


def test_both_releases_list_the_same(pair: Pair) -> None:
    capture(pair.first)
    pair.first.settle()
    hook = {"url": "https://example.org/hook", "events": ["*"]}
    for path, body in (("/webhooks", hook), ("/tasks", {"intent": "chores"})):
        assert pair.first.api("POST", path, body).status == 201
    pair.second.take_over(pair.first)
    for path in LISTS:
        here, there = (player.api("GET", path).json for player in pair)
        kind = next(name for name, value in here.items() if isinstance(value, list))
        for one, other in zip(here[kind], there[kind], strict=True):
            shared = one.keys() & other.keys()
            assert _only(one, shared) == _only(other, shared), path


def _only(row: dict[str, Any], names: Set[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}
