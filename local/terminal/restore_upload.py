"""Upload a backup and follow the restore until it ends."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from terminal.api import ApiResponse, at
from terminal.downloads import check
from terminal.endpoint import LOOPBACK
from terminal.failures import FAILED, CommandFailure, unreachable
from terminal.polling_backoff import Pause
from terminal.session import Session, put_json
from terminal.text import one_line
from terminal.transport import AGAIN, TRIES

SECONDS = (5, 600)
_CHUNK = 1_048_576
LISTED = 20


def restore(session: Session, file: Path) -> int:
    request = {"size": file.stat().st_size, "sha256": _sha256(file)}
    if not request["size"]:
        raise CommandFailure(f"{file} is empty.", "Use a zip file from `readdo backup`.")
    offer = session.api.post("/restore", request)
    session.note(f"Uploading {file.name}…")
    _upload(session, offer.raw["upload"], file)
    response = _wait(session, session.api.post(at("restores", str(offer.raw["restore"]["id"]), "start")))
    if session.json:
        put_json(response.raw)
    result = response.data["restore"]
    if not session.json:
        message = f"Restored {result['restored']}, {result['known']} already existed, {result['refused']} failed."
        session.screen.line(message)
        for refusal in result["told"][:LISTED]:
            session.note(f"{one_line(refusal['item'])}: {one_line(refusal['message'])}")
    if result["status"] == "FAILED":
        failure = result.get("failure") or {}
        message = str(failure.get("message") or "The restore failed.")
        raise CommandFailure(message, exit_code=FAILED, code=str(failure.get("error_code") or "RESTORE_FAILED"))
    return FAILED if result["refused"] else 0


def _wait(session: Session, response: ApiResponse) -> ApiResponse:
    pause, last_count = Pause(session.outside.sleep), -1
    while response.status == 202:
        count = response.raw["restore"]["restored"]
        if count != last_count:
            last_count = count
            session.note(f"Restoring… {count} items so far")
        pause()
        response = session.api.get(at("restores", str(response.raw["restore"]["id"])))
    return response


def _sha256(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _upload(session: Session, upload: Mapping[str, Any], file: Path) -> None:
    link = urljoin(session.endpoint.url + "/", str(upload["url"]))
    check(link, session.endpoint.url)
    status = 599
    for number in range(1, TRIES + 1):
        try:
            status = _put(link, upload["headers"], file)
        except requests.RequestException:
            status = 599
        if status < 300:
            return
        if status not in AGAIN and status != 599:
            break
        if number < TRIES:
            session.outside.sleep(0.4 * 2**number * (0.5 + session.outside.jitter()))
    raise unreachable(f"The file could not be uploaded to {urlsplit(link).netloc}.", "Try again; nothing was changed.")


def _put(link: str, headers: Mapping[str, str], file: Path) -> int:
    with requests.Session() as http, file.open("rb") as stream:  # no API token, no ~/.netrc
        http.auth = lambda request: request
        http.trust_env = urlsplit(link).hostname not in LOOPBACK
        kept_headers = {name: value for name, value in headers.items() if name.lower() != "content-length"}
        return http.put(link, data=stream, headers=kept_headers, allow_redirects=False, timeout=SECONDS).status_code
