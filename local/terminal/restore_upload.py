"""A restore, from a file on this machine to items there."""

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
from terminal.pause import Pause
from terminal.session import Session, put_json
from terminal.text import one_line
from terminal.transport import AGAIN, TRIES

SECONDS = (5, 600)
_CHUNK = 1_048_576
TOLD = 20


def restore(session: Session, file: Path) -> int:
    said = {"size": file.stat().st_size, "sha256": _sha256(file)}
    if not said["size"]:
        raise CommandFailure(f"{file} is empty.", "Name the zip that `readdo backup` made.")
    offer = session.api.post("/restore", said)
    session.note(f"Sending {file.name} …")
    _send(session, offer.raw["upload"], file)
    answer = _wait(session, session.api.post(at("restores", str(offer.raw["restore"]["id"]), "start")))
    if session.json:
        put_json(answer.raw)
    found = answer.data["restore"]
    if not session.json:
        words = f"{found['restored']} brought back, {found['known']} were there already, {found['refused']} were not"
        session.screen.line(f"{words}.")
        for why in found["told"][:TOLD]:
            session.note(f"{one_line(why['item'])}: {one_line(why['message'])}")
    if found["status"] == "FAILED":
        failure = found.get("failure") or {}
        words = str(failure.get("message") or "The restore failed.")
        raise CommandFailure(words, exit_code=FAILED, code=str(failure.get("error_code") or "RESTORE_FAILED"))
    return FAILED if found["refused"] else 0


def _wait(session: Session, answer: ApiResponse) -> ApiResponse:
    pause, before = Pause(session.outside.sleep), -1
    while answer.status == 202:
        so_far = answer.raw["restore"]["restored"]
        if so_far != before:
            before = so_far
            session.note(f"Bringing back … {so_far} items so far")
        pause()
        answer = session.api.get(at("restores", str(answer.raw["restore"]["id"])))
    return answer


def _sha256(file: Path) -> str:
    whole = hashlib.sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            whole.update(chunk)
    return whole.hexdigest()


def _send(session: Session, upload: Mapping[str, Any], file: Path) -> None:
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
    raise unreachable(f"The file cannot be sent to {urlsplit(link).netloc}.", "Try it again; nothing was changed.")


def _put(link: str, headers: Mapping[str, str], file: Path) -> int:
    with requests.Session() as stranger, file.open("rb") as opened:  # without our token, and without ~/.netrc
        stranger.auth = lambda request: request
        stranger.trust_env = urlsplit(link).hostname not in LOOPBACK
        sent = {name: value for name, value in headers.items() if name.lower() != "content-length"}
        return stranger.put(link, data=opened, headers=sent, allow_redirects=False, timeout=SECONDS).status_code
