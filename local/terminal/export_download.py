"""Request an export, wait for it, and download its files."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terminal import downloads, words
from terminal.api import ApiResponse, at, item
from terminal.failures import REFUSED, CommandFailure, job_failed
from terminal.polling import Pause
from terminal.session import Session, put_json
from terminal.text import one_line

_PATH = re.compile(r"exports/([^/]+)/([^/]+)/([^/]+)")
USUAL = ("png", "md", "caption")


@dataclass(frozen=True)
class ExportChoices:
    """Options of an export; empty means that the user did not set it."""

    formats: tuple[str, ...] = ()
    theme: str = ""
    layout: str = ""

    def filled(self, meta: Mapping[str, Any]) -> "ExportChoices":
        """Fill unset options from an existing export, then from the defaults."""
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


def download_export(session: Session, item_id: str, choices: ExportChoices, key: str | None, folder: Path) -> int:
    item_response = session.api.get(item(item_id))
    matches = [export for export in item_response.raw.get("exports", []) if key and _key(export) == key]
    response = (
        _existing_export(session, item_id, choices, matches[-1])
        if matches
        else _create_export(session, item_response, choices, key)
    )
    return finish(session, item_response, response, folder)


def _create_export(
    session: Session, item_response: ApiResponse, choices: ExportChoices, key: str | None
) -> ApiResponse:
    item_id, filled = str(item_response.raw["item"]["id"]), choices.filled({})
    card = (item_response.raw.get("artifacts") or {}).get("card") or {}
    body = filled.body(key or key_of(item_id, card, filled), card.get("version"))
    response = session.api.post(item(item_id, "export"), body)
    if key:
        session.note(f"Creating a new export {key}.")
    return response


def _existing_export(session: Session, item_id: str, choices: ExportChoices, export: Mapping[str, Any]) -> ApiResponse:
    """Return the existing export, or fail if the requested options differ from it."""
    meta = export.get("meta") or {}
    if choices == ExportChoices() and export["status"] != "FAILED":
        return session.api.get(item(item_id, "exports", _key(export)))
    try:
        return _post_again(session, item_id, choices.filled(meta), _key(export), meta.get("card_version"))
    except CommandFailure as refused:
        if refused.status != 422:
            raise
        raise _options_differ(item_id, export, refused) from None


def _options_differ(item_id: str, export: Mapping[str, Any], refused: CommandFailure) -> CommandFailure:
    name, key = words.short(item_id), one_line(_key(export))
    look = ", ".join([*(export.get("meta") or {}).get("formats", []), words.export_look(export)])
    return CommandFailure(
        f"The export {key} already exists with other options: {look}.",
        f"Download it as it is: readdo export {name} --key {key}",
        "Or use another key, or no key, for your options.",
        exit_code=REFUSED,
        status=refused.status,
        error=refused.error,
    )


def key_of(item_id: str, card: Mapping[str, Any], choices: ExportChoices) -> str:
    """Hash all that the files depend on, so that the same request finds the same export."""
    template = (card.get("meta") or {}).get("template_version")
    parts = [item_id, card.get("version"), template, sorted(choices.formats), choices.theme, choices.layout]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def finish(session: Session, item_response: ApiResponse, response: ApiResponse, folder: Path) -> int:
    """Wait for the export, then download its files. A failed export may have some files too."""
    item_id = str(item_response.raw["item"]["id"])
    response = _wait(session, item_id, response)
    export = response.data["export"]
    for file in export["payload"]["files"]:
        path, name = _file_path(file)
        downloads.say(session, *downloads.save(session, path, name, file, folder))
    if session.json:
        put_json(response.raw)
    if export["status"] == "FAILED":
        raise _failed(item_id, export)
    if response.data["item"]["status"] == "SHIPPED" != item_response.raw["item"]["status"]:
        session.note("The item is now shipped: readdo list --status shipped")
    return 0


def _wait(session: Session, item_id: str, response: ApiResponse) -> ApiResponse:
    if response.status != 202:
        return response
    # Use the Location header only if it is a path of the API; otherwise build the same path here.
    location = response.headers.get("Location", "")
    path = location if location.startswith("/items/") else item(item_id, "exports", _key(response.raw["export"]))
    pause = Pause(session.outside.sleep)
    session.note("Creating the files…")
    while response.status == 202:
        pause()
        response = session.api.get(path)
    return response


def _file_path(file: Mapping[str, Any]) -> tuple[str, str]:
    """Return the API path of the file, and its name."""
    parts = _PATH.fullmatch(str(file["path"]))
    if parts is None:
        raise CommandFailure(f"The server sent an unexpected file path: {file['path']}")
    return at("exports", *parts.groups()), parts[3]


def _key(export: Mapping[str, Any]) -> str:
    return str((export.get("payload") or {}).get("export_key", ""))


def _failed(item_id: str, export: Mapping[str, Any]) -> CommandFailure:
    formats = ", ".join(file["type"] for file in export["payload"]["files"])
    retry = f"Retry the missing files: readdo retry {words.short(item_id)} --export"
    result = f"These files were created and downloaded: {formats}." if formats else "No file was created."
    return job_failed(export, "export", result, retry)


def again(session: Session, item_response: ApiResponse, folder: Path) -> int:
    """Retry the newest failed export with its own key and options."""
    item_id = str(item_response.raw["item"]["id"])
    failed = [export for export in item_response.raw.get("exports", []) if export["status"] == "FAILED"]
    if not failed:
        raise CommandFailure(
            "No export of this item has failed.",
            f"Create one: readdo export {words.short(item_id)}",
            exit_code=REFUSED,
            code="NOTHING_TO_RETRY",
        )
    export = failed[-1]
    meta = export.get("meta") or {}
    response = _post_again(session, item_id, ExportChoices().filled(meta), _key(export), meta.get("card_version"))
    return finish(session, item_response, response, folder)


def _post_again(
    session: Session, item_id: str, choices: ExportChoices, key: str, card_version: int | None
) -> ApiResponse:
    """Request the export again.

    Another client may have created it without a card version, so a conflict is retried without one.
    """
    path = item(item_id, "export")
    try:
        return session.api.post(path, choices.body(key, card_version))
    except CommandFailure as refused:
        if refused.status != 422:
            raise
    return session.api.post(path, choices.body(key, None))
