"""Commands that move items to another state: process, retry, keep, ship, archive, delete …"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from terminal import api, export_download, names, words
from terminal.command import item_argument, items_argument, profile_option, verb, watch_option
from terminal.failures import FAILED, MISSING, REFUSED, UNAUTHORISED, CommandFailure, usage
from terminal.item_watch import watch as watch_item
from terminal.session import Session, put_json
from terminal.text import clean_json
from terminal.words import short

REASONS = {"done": "USER_ARCHIVE", "failed": "FAILURE_ARCHIVE"}
_LISTED = 10
_NEXT = {
    "QUEUED": "readdo watch {id}",
    "PROCESSING": "readdo watch {id}",
    "READY": "readdo show {id}",
    "SHIPPED": "readdo show {id}",
    "ARCHIVED": "undo: readdo unarchive {id}",
}
_AT_ONCE = 100
_EXIT = {"NOT_FOUND": MISSING, "FORBIDDEN": UNAUTHORISED, "UNAUTHENTICATED": UNAUTHORISED}
_REFUSED = ("STATE_CONFLICT", "PROCESSING_IN_PROGRESS", "VERSION_MISMATCH", "IDEMPOTENCY_KEY_REUSED")


@verb("process")
@item_argument
@profile_option
@watch_option
@click.pass_obj
def process(session: Session, name: str, profile: str | None, watch: bool) -> int:
    """Process an item that is not processed or has failed, from the beginning."""
    body = {"mode": "PROCESS"} | ({"options": {"template_profile": profile}} if profile else {})
    return _move(session, name, "process", body, watch=watch)


@verb("retry")
@item_argument
@click.option("--export", "of_export", is_flag=True, help="Retry the last failed export, even if the item is ready.")
@watch_option
@click.pass_obj
def retry(session: Session, name: str, of_export: bool, watch: bool) -> int:
    """Retry what failed: the processing, or the export with its own key.

    To process an item again after a failed export: readdo process ID
    """
    item_id = names.find(session.api, name)
    response = session.api.get(api.item(item_id))
    if of_export or response.data["item"]["status"] == "FAILED_EXPORT":
        return export_download.again(session, response, Path())
    return _move(session, item_id, "process", {"mode": "RETRY"}, watch=watch)


@verb("regenerate")
@item_argument
@profile_option
@watch_option
@click.pass_obj
def regenerate(session: Session, name: str, profile: str | None, watch: bool) -> int:
    """Process an item again. The current version stays until it is done.

    Parts that you edited stay as they are. To see the new version of them: readdo edit ID --undo
    """
    body = {"mode": "REGENERATE"} | ({"options": {"template_profile": profile}} if profile else {})
    item_id = names.find(session.api, name)
    try:
        return _move(session, item_id, "process", body, watch=watch)
    except CommandFailure as refused:
        if refused.details.get("status") == "SHIPPED":
            refused.next_steps = (f"To regenerate it: {words.regenerate_shipped_command(item_id)}", *refused.next_steps)
        raise


@verb("keep")
@item_argument
@click.pass_obj
def keep(session: Session, name: str) -> int:
    """Discard a failed rerun and keep the previous version."""
    return _move(session, name, "keep")


@verb("ship")
@item_argument
@click.pass_obj
def ship(session: Session, name: str) -> int:
    """Mark an item as shipped: you have published or used it. An export does this automatically."""
    return _move(session, name, "ship")


@verb("archive")
@items_argument
@click.option("--reason", type=click.Choice(list(REASONS)), help="Reason; by default it follows from the status.")
@click.pass_obj
def archive(session: Session, item_names: tuple[str, ...], reason: str | None) -> int:
    """Archive items. Nothing is deleted; undo it with `readdo unarchive`."""
    body = {"reason": REASONS[reason]} if reason else {}
    return _move_each(session, item_names, "archive", body)


@verb("unarchive")
@items_argument
@click.option("--regenerate", is_flag=True, help="Process them again too.")
@click.pass_obj
def unarchive(session: Session, item_names: tuple[str, ...], regenerate: bool) -> int:
    """Unarchive items. Items with complete results become READY; the others are processed again."""
    body = {"regenerate": True} if regenerate else {}
    return _move_each(session, item_names, "unarchive", body)


@verb("delete")
@items_argument
@click.option("--yes", "-y", is_flag=True, help="Delete without confirmation.")
@click.pass_obj
def delete(session: Session, item_names: tuple[str, ...], yes: bool) -> int:
    """Delete items permanently, with their artifacts and exports. Asks for confirmation."""
    if not yes and not session.can_prompt:
        raise usage("This needs a confirmation, and there is no terminal.", "To delete without confirmation: --yes")
    ids = names.find_all(session.api, item_names)
    if not yes and not _confirmed(session, ids):
        session.note("Nothing was deleted.")
        return FAILED
    if len(ids) > 1:
        return _move_all(session, ids, "delete", {})
    session.tell(session.api.delete(api.item(ids[0])), lambda _: session.note(f"Deleted: {ids[0]}"))
    return 0


def _confirmed(session: Session, ids: list[str]) -> bool:
    """Show the titles and ask for confirmation."""
    for item_id in ids[:_LISTED]:
        item = session.api.get(api.item(item_id)).data["item"]
        session.notes.paragraph(words.title_of(item), first=(f"  {short(item_id)}  ", "bold"))
    if len(ids) > _LISTED:
        session.notes.line(f"  … and {len(ids) - _LISTED} more")
    what = "this item" if len(ids) == 1 else f"these {len(ids)} items"
    return click.confirm(f"Delete {what} permanently, with artifacts and exports?", default=False, err=True)


def _move(session: Session, name: str, call: str, body: Mapping[str, Any] | None = None, *, watch: bool = False) -> int:
    item_id = names.find(session.api, name)
    response = session.api.post(api.item(item_id, call), body)
    if watch:
        return watch_item(session, item_id)
    session.tell(response, lambda data: _tell(session, data["item"]))
    return 0


def _tell(session: Session, item: words.Item) -> None:
    status, name = str(item["status"]), short(item["id"])
    screen = session.screen
    mark = ("✓ ", "green") if screen.live else ""
    screen.paragraph(f"{status.lower()}: {words.title_of(item)}", first=mark)
    if screen.live and status in _NEXT:
        screen.line((f"  {name}  ", "bold"), (_NEXT[status].format(id=name), "dim"))


def _tell_many(session: Session, results: list[dict[str, Any]]) -> None:
    """Print one line per item; for a failure, its message on stderr."""
    for result in results:
        name = short(str(result.get("id", "")))
        if result.get("ok"):
            item = result.get("item") or {}
            status = str(item.get("status", "deleted")).lower()
            session.screen.paragraph(f"{status}: {words.title_of(item) if item else name}", first=(f"{name}  ", "bold"))
        else:
            error = result.get("error") or {}
            session.notes.paragraph(str(error.get("message", "Failed.")), "red", first=(f"{name}  ", "bold"))


def _move_each(session: Session, item_names: tuple[str, ...], action: str, options: Mapping[str, Any]) -> int:
    if len(item_names) == 1:
        return _move(session, item_names[0], action, options)
    return _move_all(session, names.find_all(session.api, item_names), action, options)


def _move_all(session: Session, ids: list[str], action: str, options: Mapping[str, Any]) -> int:
    """Apply the action to each item. The batch call takes no options, so options need one call per item."""
    results: list[dict[str, Any]] = []
    if options:
        results = [_post_one(session, item_id, action, options) for item_id in ids]
    else:
        for start in range(0, len(ids), _AT_ONCE):
            results += _post_batch(session, ids[start : start + _AT_ONCE], action)
    if session.json:
        put_json({"results": results})
    else:
        _tell_many(session, clean_json(results))
    return _common_exit_code([result for result in results if not result.get("ok")])


def _post_batch(session: Session, ids: list[str], action: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = session.api.post("/items/batch", {"ids": ids, "action": action}).raw["results"]
    return results


def _post_one(session: Session, item_id: str, action: str, options: Mapping[str, Any]) -> dict[str, Any]:
    try:
        response = session.api.post(api.item(item_id, action), options)
    except CommandFailure as failure:
        if failure.exit_code not in (MISSING, REFUSED):
            raise
        return {"id": item_id, "ok": False, "error": failure.error}
    return {"id": item_id, "ok": True, **response.raw}


def _common_exit_code(failed: list[dict[str, Any]]) -> int:
    """Return the exit code that all failures share, or FAILED if they differ."""
    codes = {_exit_code_of((result.get("error") or {}).get("code", "")) for result in failed}
    return 0 if not codes else codes.pop() if len(codes) == 1 else FAILED


def _exit_code_of(code: str) -> int:
    refused = code in _REFUSED or code.endswith("_NOT_ALLOWED")
    return _EXIT.get(code, REFUSED if refused else FAILED)
