"""Part of the scenario of test_rights_are_enough.py that uses the web page."""

import json

from readdo import files
from readdo.store import tokens
from readdo.transfer import transfer_keys
from support.collect_pool import add, output_of, pick, put_document, result, send, supplement
from support.reader import Reader
from support.world import TEXT, World


def use_page(world: World, link: str) -> None:
    """Use the page in the same way as the API."""
    reader = Reader(world)
    world.instead.clear()
    page = reader.send(reader.look("/my").form("/my/capture"), source=TEXT * 20, intent_text="through the page")
    world.settle()
    item_id = page.tree.cssselect(".row [data-do], .row")[0].getroottree().xpath("//*[@data-moves]/@data-id")[0]
    reader.send(reader.item(item_id, "?edit=summary").form("/change/summary"), insight="What I take from it myself.")
    reader.send(reader.item(item_id).form("/do/export"), formats=["md"])
    world.settle()
    for path in ("/my/list/shipped", f"/my/items/{item_id}/versions/summary", "/my/settings", "/my?q=page"):
        assert reader.look(path).status == 200
    reader.send(reader.look("/my/settings").form("/my/settings/tokens"), name="spare", scopes=["read"])
    page = reader.send(reader.look("/my/settings/webhooks").form("/webhooks"), url="https://hooks.example.com/")
    assert page.status == 200
    reader.send(reader.look("/my/settings/webhooks").form("/test"))
    revoking = [form for form in reader.look("/my/settings").tree.forms if "/revoke" in (form.get("action") or "")]
    reader.send(next(form for form in revoking if "spare" in form.text_content()))
    _use_tasks(reader, item_id)
    _back_up_and_restore(reader, world)
    _check_a_text(reader, world)
    _collect_documents(reader, world)
    reader.send(reader.item(link).form("/do/delete"))
    reader.send(reader.item(item_id).form("/do/delete"))


def _use_tasks(reader: Reader, item_id: str) -> None:
    """Accept a todo, add a task with a large payload, complete it by hand, and show the task statistics."""
    assert reader.send(reader.item(item_id).form("/todos/1/accept")).status == 200
    board = reader.look("/my/tasks")
    page = reader.send(board.form("/my/tasks"), intent="write", priority="P0", payload=json.dumps({"a": "要" * 5000}))
    page = reader.look(page.tree.cssselect(".column.todo a.open")[0].get("href"))
    page = reader.send(page.form("/do/claim"))
    run = page.form("/do/complete").fields["run"]
    file = {"type": "log", "name": "page.log", "bytes": 1, "sha256": "0" * 64}
    assert reader.world.api("POST", f"/runs/{run}/evidence", file).status == 201
    page = reader.send(page.form("/do/complete"))
    assert "page.log" in page.words()
    for path in ("/my/runs", "/my/health", "/my/tasks/list/done"):
        assert reader.look(path).status == 200
    assert reader.ask("GET", f"/my/runs/{run}/evidence/1").status == 302


def _check_a_text(reader: Reader, world: World) -> None:
    """Upload a text, process and merge it by rules, download it, and delete it."""
    page = reader.bring(reader.look("/my/proof").form("/my/proof"), "novel.txt", "他说,好.\n".encode(), engine="rules")
    for button in ("start", "merge"):
        world.settle()
        page = reader.send(reader.look(page.path).form(f"/do/{button}"))
    world.settle()
    for path in ("", "/output", "/report", "/chunks/0"):
        assert reader.ask("GET", f"{page.path}{path}").status in (200, 302), path
    reader.send(reader.look(page.path).form("/do/reset"))


def _collect_documents(reader: Reader, world: World) -> None:
    """Add an assignment, skip it and resume it; look at another one, its document and its batch."""
    put_document(world, "seen.md")
    form = reader.look("/my/collect").form("/my/collect")
    assert reader.send(form, json=json.dumps(supplement("page", "seen.md", priority=1))).status == 200
    add(world, supplement("seen", priority=1))
    batch = pick(world)
    send(world, batch, output_of(batch, result("seen", result={"missing_items": ["x" * 5000]})))
    form = reader.look("/my/collect/assignments/page").form("/do/skip")
    page = reader.send(form, reason="an account")
    assert reader.send(page.form("/do/resume")).status == 200
    for path in ("assignments/seen", "documents", "documents/seen.md", "batches", f"batches/{batch['batch_name']}"):
        assert reader.look(f"/my/collect/{path}").status == 200, path
    assert reader.look("/my/collect/permissions").status == 200
    assert reader.send(reader.look("/my/collect").form("/collect/pick")).status == 200
    world.settle()


def _back_up_and_restore(reader: Reader, world: World) -> None:
    """Create a backup and restore it for another owner."""
    reader.send(reader.look("/my/backups").form("/my/backups"))
    world.settle()
    link = reader.look("/my/backups").link("/file")
    assert reader.ask("GET", link).status == 302
    row = world.table.get(transfer_keys.backup(world.owner, link.split("/")[-2])) or {}
    another = Reader(world, token=tokens.issue(world.table, "by the page", "brings back"))
    page = another.bring(another.look("/my/restores").form("/my/restores"), "b.zip", files.get(row["file"]["at"]))
    world.settle()
    assert "done" in another.look(page.path).words(".state")
