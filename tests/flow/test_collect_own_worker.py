"""Our own worker on a small web: what it writes, what it links, and how it answers for what it cannot do."""

from typing import Any
from unittest import mock

import collect_work
import pytest

from readdo.collect.completeness import check_document
from readdo.collect.own_worker import link_lists, worker_run
from readdo.extraction import sources
from readdo.extraction.fetch import FetchedPage
from readdo.runtime import Unexpected
from support.collect_pool import add, document, put_document, supplement
from support.proof_story import later
from support.small_web import EN, Web, content_of, url, work
from support.world import World, context

pytestmark = pytest.mark.usefixtures("web")


@pytest.mark.parametrize(("page", "heading"), [("frame", "## Summary"), ("zh", "## 摘要")])
def test_page_becomes_a_complete_document_in_its_language(fresh: World, web: Web, page: str, heading: str) -> None:
    done = work(fresh, url("a", page, target_file="talks/a.md"))["a"]
    assert (done["status"], done["missing_items"]) == ("done", [])
    text = content_of(fresh, "talks/a.md")
    assert heading in text
    assert f"](https://talks.acme.dev/{page})" in text
    assert web.read == [f"https://talks.acme.dev/{page}"]


def test_page_without_a_target_gets_a_path_of_its_own(fresh: World) -> None:
    work(fresh, url("a", "frame"))
    (listed,) = fresh.api("GET", "/documents").json["documents"]
    assert listed["path"].startswith("collected/talks-acme-dev/")
    detail = fresh.api("GET", "/assignments/a").json
    assert detail["assignment"]["status"] == "done"
    assert detail["attempts"][0]["claimed"]["documents"] == [listed["path"]]


def test_page_behind_a_login_is_skipped_with_its_reason(fresh: World) -> None:
    skipped = work(fresh, url("a", "vault", target_file="a.md"))["a"]
    assert (skipped["status"], skipped["requires_permission"]) == ("skipped", True)
    assert "https://talks.acme.dev/vault" in skipped["reason"]


@pytest.mark.parametrize("page", ["gone", "down"])
def test_page_that_cannot_be_read_fails_with_words(fresh: World, page: str) -> None:
    failed = work(fresh, url("a", page, target_file="a.md"))["a"]
    assert failed["status"] == "failed"
    assert f"https://talks.acme.dev/{page}" in failed["error"]


def test_supplement_adds_only_what_is_missing(fresh: World) -> None:
    without_link = document(100, 200, "mine").replace("https://www.gdcvault.com/play/1", "待补充")
    lacking = {"links.md": without_link, "text.md": document(0, 0)}
    for path, content in lacking.items():
        put_document(fresh, path, content)
    resources = ["https://talks.acme.dev/frame"]
    done = work(fresh, supplement("a", "links.md", "text.md", resource_list=resources))["a"]
    assert done["status"] == "done"
    for path, headings in (("links.md", ["## Resources"]), ("text.md", ["## Summary", "## Details"])):
        added = content_of(fresh, path).removeprefix(lacking[path].rstrip())
        assert [line for line in added.splitlines() if line.startswith("#")] == headings


def test_supplement_uses_the_links_in_the_document(fresh: World) -> None:
    put_document(fresh, "a.md", "# T\n\nSee [the talk](https://talks.acme.dev/frame).\n")
    assert work(fresh, supplement("a"))["a"]["status"] == "done"
    assert content_of(fresh, "a.md").startswith("---\ntitle: ")


def test_resource_list_may_be_a_document_of_the_library(fresh: World) -> None:
    put_document(fresh, "list.md", "- [Frame graphs](https://talks.acme.dev/frame)\n")
    assert work(fresh, supplement("a", resource_list="list.md"))["a"]["status"] == "done"


def test_supplement_without_a_link_is_pending_with_a_reason(fresh: World, web: Web) -> None:
    put_document(fresh, "a.md", "# T\n\nNothing.\n")
    pending = work(fresh, supplement("a"))["a"]
    assert (pending["status"], bool(pending["reason"])) == ("pending", True)
    assert web.read == []


def created(name: str, *titles: str, **more: Any) -> dict[str, Any]:
    listed = [{"title": title, "file": f"{name}-{place}.md"} for place, title in enumerate(titles)]
    return {"id": name, "type": "create_document", "document_list": listed, **more}


def test_documents_are_created_from_the_links_of_a_schedule(fresh: World) -> None:
    titles = ("Frame graphs in practice", "Shadow atlas on async compute")
    done = work(fresh, created("a", *titles, schedule_url="https://talks.acme.dev/schedule"))["a"]
    assert done["status"] == "done"
    assert "talks/frame)" in content_of(fresh, "a-0.md")
    assert "talks/shadow)" in content_of(fresh, "a-1.md")


def test_document_without_a_link_that_fits_is_not_invented(fresh: World) -> None:
    titles = ("Frame graphs in practice", "Cooking for two")
    partial = work(fresh, created("a", *titles, schedule_url="https://talks.acme.dev/schedule"))["a"]
    assert (partial["status"], partial["completion_rate"]) == ("partial", 0)
    assert [one["path"] for one in fresh.api("GET", "/documents").json["documents"]] == ["a-0.md"]


def test_resources_of_several_documents_need_a_fitting_text(fresh: World, web: Web) -> None:
    titles = ("Cooking for two", "Cooking for three")
    row = work(fresh, created("a", *titles, resource_list=["https://talks.acme.dev/frame"]))["a"]
    assert (row["status"], web.read) == ("pending", [])


def test_resources_of_a_single_document_are_meant_for_it(fresh: World) -> None:
    one = created("a", "Cooking for two", resource_list=["https://talks.acme.dev/frame"])
    paths = ("..", "x" * 2000, "")
    odd = [created(f"odd{place}", "Cooking", resource_list=path) for place, path in enumerate(paths)]
    rows = work(fresh, one, *odd)
    assert [row["status"] for row in rows.values()] == ["done", *["pending"] * 3]


def test_more_documents_come_from_the_schedule(fresh: World) -> None:
    one = created("a", "Frame graphs in practice", schedule_url="https://talks.acme.dev/schedule", target_count=2)
    assert work(fresh, one)["a"]["status"] == "done"
    assert len(fresh.api("GET", "/documents").json["documents"]) == 2


def test_failure_of_one_assignment_stops_no_other(fresh: World, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    real = web.fetch

    def break_down(address: str, **more: Any) -> FetchedPage:
        if address.endswith("/zh"):
            raise RuntimeError("broken")
        return real(address, **more)

    monkeypatch.setattr(sources, "fetch", break_down)
    rows = work(fresh, url("bad", "zh", target_file="bad.md"), url("good", "frame", target_file="good.md"))
    assert {name: row["status"] for name, row in rows.items()} == {"bad": "failed", "good": "done"}
    assert "broken" not in rows["bad"]["error"]


def started_batch(world: World, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The input of an execution that was not started."""
    monkeypatch.setattr("readdo.collect.batch_pick.start_execution", lambda *_: None)
    add(world, url("a", "frame", target_file="a.md"), url("b", "gone", target_file="b.md"))
    name = world.api("POST", "/batches", {"worker": "own"}).json["batch"]["batch_name"]
    return {"owner": world.owner, "batch": name, "more": True}


def test_results_are_kept_when_the_function_dies_before_its_output(
    fresh: World, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = started_batch(fresh, monkeypatch)
    with mock.patch.object(worker_run, "receive_output", side_effect=RuntimeError("died")), pytest.raises(Unexpected):
        fresh.invoke("collect_work", event)
    fresh.invoke("collect_work", event)
    assert len(web.read) == 2
    assert fresh.api("GET", f"/batches/{event['batch']}").json["batch"]["status"] == "applied"


def test_function_without_time_begins_nothing_and_is_called_again(
    fresh: World, web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = started_batch(fresh, monkeypatch)
    late = context("collect_work", lambda: collect_work.RESERVED_MILLISECONDS)
    assert collect_work.handler(event, late)["more"] is True
    assert web.read == []
    assert fresh.api("GET", f"/batches/{event['batch']}").json["batch"]["status"] == "open"


def test_lost_start_is_made_up_for_by_the_heartbeat(fresh: World, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("readdo.collect.batch_pick.start_execution", lambda *_: None)
    add(fresh, url("a", "frame", target_file="a.md"))
    name = fresh.api("POST", "/batches", {"worker": "own"}).json["batch"]["batch_name"]
    monkeypatch.undo()
    monkeypatch.setattr(sources, "fetch", web.fetch)
    with later(0.05):
        fresh.heartbeat()
    fresh.settle()
    assert fresh.api("GET", f"/batches/{name}").json["batch"]["status"] == "applied"


def test_schedule_picks_by_itself_only_if_the_setting_is_on(fresh: World, monkeypatch: pytest.MonkeyPatch) -> None:
    add(fresh, url("a", "frame", target_file="a.md"))
    with later(2):
        fresh.heartbeat()
    assert fresh.api("GET", "/batches").json["batches"] == []
    monkeypatch.setenv("COLLECT_OWN_MINUTES", "30")
    add(fresh, url("b", "talks/shadow", target_file="b.md"))
    for hours in (3, 3.1):
        with later(hours):
            fresh.heartbeat()
    fresh.settle()
    batches = fresh.api("GET", "/batches").json["batches"]
    assert [(batch["worker"], batch["ids"]) for batch in batches] == [("own", ["a", "b"])]


def test_headings_of_a_page_do_not_end_the_sections_of_the_document(fresh: World, web: Web) -> None:
    more = "A second part of the page describes how the barriers were found, in which order the passes run, and what "
    more += "the team would do differently if it had to port the renderer to one more console in the same year."
    parts = (" ".join(EN), more)
    body = "".join(f"<h2>Content {number}</h2><p>{part}</p>" for number, part in enumerate(parts))
    web.pages["https://talks.acme.dev/frame"] = f"<html><body><article><h1>T</h1>{body}</article></body></html>"
    work(fresh, url("a", "frame", target_file="a.md"))
    text = content_of(fresh, "a.md")
    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings == ["# T", "## Summary", "## Key points", "## Details", "## Resources"]
    assert check_document(text)["parts"]["details"]["have"] >= 200


def test_schedule_without_a_fitting_link_is_not_used(fresh: World, web: Web) -> None:
    put_document(fresh, "cooking.md", "# Cooking for two\n")
    schedule = {"schedule_url": "https://talks.acme.dev/schedule"}
    rows = work(fresh, created("a", "Cooking for two", **schedule), supplement("b", "cooking.md", **schedule))
    assert {row["status"] for row in rows.values()} == {"pending"}
    assert set(web.read) == {"https://talks.acme.dev/schedule"}


def test_schedule_behind_a_login_is_skipped(fresh: World) -> None:
    row = work(fresh, created("a", "Frame graphs", schedule_url="https://talks.acme.dev/vault"))["a"]
    assert (row["status"], bool(row["reason"])) == ("skipped", True)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("- [a](https://b.c/d_(e)) and https://b.c/f, g", ["https://b.c/d_(e)", "https://b.c/f"]),
        ("见（https://b.c/d）后", ["https://b.c/d"]),
        ("https://b.c/d https://b.c/d", ["https://b.c/d"]),
    ],
)
def test_links_are_found_whole(text: str, links: list[str]) -> None:
    assert [link.url for link in link_lists.links_of_text(text)] == links
