"""What the story of test_rights_are_enough.py does through the page."""

import json

from readdo import files
from readdo.store import keys, tokens
from support.reader import Reader
from support.world import TEXT, World


def look(made: World, link: str) -> None:
    """The same through the page."""
    reader = Reader(made)
    made.instead.clear()
    page = reader.send(reader.look("/my").form("/my/capture"), source=TEXT * 20, intent_text="through the page")
    made.settle()
    item_id = page.tree.cssselect(".row [data-do], .row")[0].getroottree().xpath("//*[@data-moves]/@data-id")[0]
    reader.send(reader.item(item_id, "?edit=summary").form("/change/summary"), insight="What I take from it myself.")
    reader.send(reader.item(item_id).form("/do/export"), formats=["md"])
    made.settle()
    for path in ("/my/list/shipped", f"/my/items/{item_id}/versions/summary", "/my/settings", "/my?q=page"):
        assert reader.look(path).status == 200
    reader.send(reader.look("/my/settings").form("/my/settings/tokens"), name="spare", scopes=["read"])
    page = reader.send(reader.look("/my/settings/webhooks").form("/webhooks"), url="https://hooks.example.com/")
    assert page.status == 200
    reader.send(reader.look("/my/settings/webhooks").form("/test"))
    revoking = [form for form in reader.look("/my/settings").tree.forms if "/revoke" in (form.get("action") or "")]
    reader.send(next(form for form in revoking if "spare" in form.text_content()))
    _take(reader, item_id)
    _take_out(reader, made)
    reader.send(reader.item(link).form("/do/delete"))
    reader.send(reader.item(item_id).form("/do/delete"))


def _take(reader: Reader, item_id: str) -> None:
    """A todo accepted, a task with a large payload added, done by hand, and how the desk does."""
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


def _take_out(reader: Reader, made: World) -> None:
    """Everything, and back again for another owner."""
    reader.send(reader.look("/my/backups").form("/my/backups"))
    made.settle()
    link = reader.look("/my/backups").link("/file")
    assert reader.ask("GET", link).status == 302
    row = made.table.get(keys.backup(made.owner, link.split("/")[-2])) or {}
    another = Reader(made, token=tokens.issue(made.table, "by the page", "brings back"))
    page = another.bring(another.look("/my/restores").form("/my/restores"), "b.zip", files.get(row["file"]["at"]))
    made.settle()
    assert "done" in another.look(page.path).words(".state")
