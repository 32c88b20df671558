"""Story of the Collect desk with every write: for tests of rights, and for the recorded life cycle."""

from typing import Any
from unittest import mock

from readdo.collect import batch_apply, batch_pick
from readdo.collect.own_worker import link_lists
from readdo.extraction import sources
from readdo.store import tokens
from support.collect_pool import add, apply, assert_no_drift, document, output_of, pick, put_document, result, send
from support.collect_pool import supplement as complete
from support.proof_story import back_up_and_restore, later
from support.small_web import Web, url, work
from support.world import World


def run_collect(world: World) -> None:
    """Results of each kind, faulty outputs, lost picks, timeouts, and outputs that are half applied."""
    world.instead.clear()
    _results(world)
    _user_commands(world)
    _faulty_outputs(world)
    _lose_pick(world)
    _time_out(world)
    _half_applied(world)
    _read_everything(world)
    _use_own_worker(world)
    _restore_for_another(world)
    assert_no_drift(world)


def _use_own_worker(world: World) -> None:
    """A page, a document to complete, a schedule; then a worker that dies, a lost start, and the schedule."""
    web = Web()
    secret = tokens.issue(world.table, "reader", "an owner with an empty pool")
    fetches = [mock.patch.object(module, "fetch", web.fetch) for module in (sources, link_lists)]
    with mock.patch.multiple(world, owner="reader", token=secret), fetches[0], fetches[1]:
        put_document(world, "thin.md", "# T\n\n[the talk](https://talks.acme.dev/frame)\n")
        work(world, url("read", "frame"), complete("thin", priority=1), {"id": "sought", "type": "topic", "title": "t"})
        schedule = {"schedule_url": "https://talks.acme.dev/schedule"}
        assert world.api("POST", "/assignments/expand", schedule).status == 200
        world.instead["collect_work"] = _die
        add(world, url("lost", "zh"))
        assert world.api("POST", "/batches", {"worker": "own"}).status == 201
        world.settle()
        world.instead.clear()
        world.heartbeat()
        with mock.patch.object(batch_pick, "start_execution"):
            assert world.api("POST", "/batches", {"worker": "own"}).status == 201
        with later(0.05):
            world.heartbeat()
        world.settle()
        with mock.patch.dict("os.environ", {"COLLECT_OWN_MINUTES": "30"}):
            add(world, url("scheduled", "talks/shadow"))
            for hours in (1, 2):
                with later(hours):
                    world.heartbeat()
        with later(3):
            world.heartbeat()
        world.settle()


def _die(*_: Any) -> Any:
    raise RuntimeError("died")


def _restore_for_another(world: World) -> None:
    put_document(world, "done.md", document(name="newer"))
    token = back_up_and_restore(world, "collector", times=1)
    listed = world.api("GET", "/assignments?limit=100", token=token).json["assignments"]
    ours = world.api("GET", "/assignments?limit=100").json["assignments"]
    rests = {"in_progress": "pending"}
    expected = {row["id"]: rests.get(row["status"], row["status"]) for row in ours}
    restored = {row["id"]: row["status"] for row in listed}
    assert restored == expected


def _results(world: World) -> None:
    for name in ("done", "copy", "changed"):
        put_document(world, f"{name}.md")
    put_document(world, "copy.md", document(name="done.md"))
    put_document(world, "changed.md", document(10, 10))
    created = {"type": "create_document", "document_list": [{"title": "t", "file": "done.md"}], "target_count": 2}
    add(
        world,
        *(complete(name) for name in ("done", "copy", "changed", "none", "failed", "skipped", "handed")),
        {"id": "created", "search_keywords": "x", **created},
        {"id": "url", "type": "url", "url": "https://a.example.net/", "priority": 1},
        {"id": "topic", "type": "topic", "title": "t"},
    )
    many = {"documents": ["changed.md", "extra.md"], "missing_items": ["x" * 5000]}
    put_document(world, "extra.md")
    apply(
        world,
        *(result(name) for name in ("done", "copy")),
        result("changed", "partial", result=many),
        result("failed", "failed", error="500"),
        result("skipped", "skipped"),
        result("handed", "pending", reason="later"),
        result("created", result={"documents": ["extra.md"]}),
        result("url", result={"documents": ["done.md"]}),
        result("topic", result={"documents": ["changed.md"]}),
    )


def _user_commands(world: World) -> None:
    for name, verb in (("failed", "retry"), ("copy", "continue"), ("done", "retry")):
        world.api("POST", f"/assignments/{name}/{verb}", {})
    assert world.api("POST", "/assignments/handed/skip", {"reason": "an account"}).status == 200
    again = complete("again", "handed.md", resumes="handed")
    assert world.api("POST", "/assignments", [again], key="once").status == 201
    assert world.api("POST", "/assignments", [again], key="once").status == 200
    assert world.api("POST", "/assignments", {"type": "url"}).status == 400
    parts = complete("split", *(f"{n}.md" for n in range(12)))
    assert world.api("POST", "/assignments?split=true", parts).status == 201


def _faulty_outputs(world: World) -> None:
    batch = pick(world, key="first-batch")
    assert pick(world, key="first-batch")["batch_name"] == batch["batch_name"]
    assert send(world, batch, {}).status == 400
    assert send(world, batch, output_of(batch), "?dry_run=true").status == 200
    assert send(world, batch, None, raw="no JSON").status == 400


def _lose_pick(world: World) -> None:
    with mock.patch("readdo.collect.batch_pick._Pick.open", side_effect=RuntimeError("the function crashed")):
        assert world.api("POST", "/batches", {}).status == 500
    with later(1):
        world.heartbeat()


def _time_out(world: World) -> None:
    batch = pick(world)
    with later(2):
        world.heartbeat()
    assert send(world, batch, output_of(batch)).status == 409


def _half_applied(world: World) -> None:
    batch = pick(world)
    steps = batch_apply._steps
    calls: list[Any] = []

    def crash(*args: Any) -> Any:
        calls.append(args)
        if len(calls) == 2:
            raise RuntimeError("the function crashed")
        return steps(*args)

    with mock.patch.object(batch_apply, "_steps", crash):
        assert send(world, batch, output_of(batch)).status == 500
    assert send(world, batch, output_of(batch)).status in (202, 409)
    with later(1):
        world.heartbeat()
    assert world.api("GET", f"/batches/{batch['batch_name']}").json["batch"]["status"] == "applied"


def _read_everything(world: World) -> None:
    (batch, *_) = world.api("GET", "/batches?status=applied").json["batches"]
    name = batch["batch_name"]
    for path in ("", "/input", "/output"):
        assert world.api("GET", f"/batches/{name}{path}").status == 200, path
    for path in (
        "/assignments?status=partial&priority=1",
        "/assignments/done",
        "/collect/stats",
        "/collect/violations",
    ):
        assert world.api("GET", path).status == 200, path
    put_document(world, "done.md", document(name="changed"), if_match="1")
    for path in ("", "?version=1", "/completeness"):
        assert world.api("GET", f"/documents/done.md{path}").status == 200, path
    assert world.api("GET", "/documents?prefix=d").json["documents"]
    assert world.api("GET", "/collect/schemas/batch_output.json").status == 200
