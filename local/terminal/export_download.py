"""An export, from asking for it to its files on this machine."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terminal import downloads, words
from terminal.api import ApiResponse, at, item
from terminal.failures import FAILED, REFUSED, CommandFailure
from terminal.pause import Pause
from terminal.session import Session, put_json
from terminal.text import one_line

_PATH = re.compile(r"exports/([^/]+)/([^/]+)/([^/]+)")
USUAL = ("png", "md", "caption")


@dataclass(frozen=True)
class ExportChoices:
    """What was asked for; empty is what nobody said."""

    formats: tuple[str, ...] = ()
    theme: str = ""
    layout: str = ""

    def filled(self, meta: Mapping[str, Any]) -> "ExportChoices":
        """With what an export has that is there already, else with what is usual."""
        return ExportChoices(
            self.formats or tuple(meta.get("formats") or USUAL),
            self.theme or meta.get("theme") or "LIGHT",
            self.layout or meta.get("layout") or "CARD_4x5_V1",
        )

    def body(self, key: str, card_version: int | None) -> dict[str, Any]:
        body: dict[str, Any] = {
            "export_key": key,
            "formats": list(self.formats),
            "options": {"theme": self.theme, "layout": self.layout},
        }
        return body | ({"card_version": card_version} if card_version else {})


def download_export(session: Session, item_id: str, wish: ExportChoices, key: str | None, folder: Path) -> int:
    there = session.api.get(item(item_id))
    known = [export for export in there.raw.get("exports", []) if key and _key(export) == key]
    answer = _known(session, item_id, wish, known[-1]) if known else _new(session, there, wish, key)
    return finish(session, there, answer, folder)


def _new(session: Session, there: ApiResponse, wish: ExportChoices, key: str | None) -> ApiResponse:
    item_id, whole = str(there.raw["item"]["id"]), wish.filled({})
    card = (there.raw.get("artifacts") or {}).get("card") or {}
    body = whole.body(key or key_of(item_id, card, whole), card.get("version"))
    answer = session.api.post(item(item_id, "export"), body)
    if key:
        session.note(f"This makes a new export {key}.")
    return answer


def _known(session: Session, item_id: str, wish: ExportChoices, export: Mapping[str, Any]) -> ApiResponse:
    """Its files as they are; whoever says how they should be is told if they are otherwise."""
    meta = export.get("meta") or {}
    if wish == ExportChoices() and export["status"] != "FAILED":
        return session.api.get(item(item_id, "exports", _key(export)))
    try:
        return _same_again(session, item_id, wish.filled(meta), _key(export), meta.get("card_version"))
    except CommandFailure as refused:
        if refused.status != 422:
            raise
        raise _otherwise(item_id, export, refused) from None


def _otherwise(item_id: str, export: Mapping[str, Any], refused: CommandFailure) -> CommandFailure:
    name, key = words.short(item_id), one_line(_key(export))
    drawn = ", ".join([*(export.get("meta") or {}).get("formats", []), words.drawn(export)])
    return CommandFailure(
        f"There is an export {key} already, and it is another: {drawn}.",
        f"Fetch it as it is: readdo export {name} --key {key}",
        "Or ask for yours under another key, or without one.",
        exit_code=REFUSED,
        status=refused.status,
        told=refused.error,
    )


def key_of(item_id: str, card: Mapping[str, Any], wish: ExportChoices) -> str:
    """From all that the files depend on, so that asking for the same finds the same."""
    template = (card.get("meta") or {}).get("template_version")
    parts = [item_id, card.get("version"), template, sorted(wish.formats), wish.theme, wish.layout]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def finish(session: Session, there: ApiResponse, answer: ApiResponse, folder: Path) -> int:
    """Wait for the export's end, then bring what it made; a failed one may have made something too."""
    item_id = str(there.raw["item"]["id"])
    answer = _wait(session, item_id, answer)
    export = answer.data["export"]
    for file in export["payload"]["files"]:
        place, name = _place(file)
        downloads.say(session, *downloads.save(session, place, name, file, folder))
    if session.json:
        put_json(answer.raw)
    if export["status"] == "FAILED":
        raise _failed(item_id, export)
    if answer.data["item"]["status"] == "SHIPPED" != there.raw["item"]["status"]:
        session.note("Shipped: it is in `readdo list --status shipped` now.")
    return 0


def _wait(session: Session, item_id: str, answer: ApiResponse) -> ApiResponse:
    if answer.status != 202:
        return answer
    # The path is ours to know; the Location says the same, and is taken only if it is a path.
    place = answer.headers.get("Location", "")
    path = place if place.startswith("/items/") else item(item_id, "exports", _key(answer.raw["export"]))
    pause = Pause(session.outside.sleep)
    session.note("The files are being made …")
    while answer.status == 202:
        pause()
        answer = session.api.get(path)
    return answer


def _place(file: Mapping[str, Any]) -> tuple[str, str]:
    """Where the API has it, and its name."""
    parts = _PATH.fullmatch(str(file["path"]))
    if parts is None:
        raise CommandFailure(f"The file's path is not one of an export: {file['path']}")
    return at("exports", *parts.groups()), parts[3]


def _key(export: Mapping[str, Any]) -> str:
    return str((export.get("payload") or {}).get("export_key", ""))


def _failed(item_id: str, export: Mapping[str, Any]) -> CommandFailure:
    failure = export.get("failure") or {}
    made = ", ".join(file["type"] for file in export["payload"]["files"])
    again = f"Try it again, for what is missing: readdo retry {words.short(item_id)} --export"
    there = f"What was made is here: {made}." if made else "Nothing was made."
    return CommandFailure(
        str(failure.get("message") or "The export failed."),
        there,
        again,
        exit_code=FAILED,
        code=str(failure.get("error_code") or "EXPORT_FAILED"),
    )


def again(session: Session, found: ApiResponse, folder: Path) -> int:
    """The newest export that failed, asked for once more under its own key and with its own wishes."""
    item_id = str(found.raw["item"]["id"])
    failed = [export for export in found.raw.get("exports", []) if export["status"] == "FAILED"]
    if not failed:
        raise CommandFailure(
            "No export of this item has failed.",
            f"Make one: readdo export {words.short(item_id)}",
            exit_code=REFUSED,
            code="NOTHING_TO_RETRY",
        )
    export = failed[-1]
    meta = export.get("meta") or {}
    answer = _same_again(session, item_id, ExportChoices().filled(meta), _key(export), meta.get("card_version"))
    return finish(session, found, answer, folder)


def _same_again(session: Session, item_id: str, wish: ExportChoices, key: str, card_version: int | None) -> ApiResponse:
    """Asked for with the card's number by this client; others may have left it out."""
    path = item(item_id, "export")
    try:
        return session.api.post(path, wish.body(key, card_version))
    except CommandFailure as refused:
        if refused.status != 422:
            raise
    return session.api.post(path, wish.body(key, None))
