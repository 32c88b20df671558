"""Everything taken out and brought back: asked for, looked at, fetched and sent."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.lifecycle.backup import UNDERWAY
from readdo.lifecycle.restore import WAITING
from readdo.read import backups, restores, views
from readdo.web.errors import not_found
from readdo.web.path_params import backup_id, restore_id
from readdo.web.requests import Empty, Restore
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()


@router.get("/export-all")
def get_everything() -> Response[str]:
    asked = RequestContext(router)
    asked.refuse_unknown_queries()
    return _shown(backups.request_backup(asked.table, asked.owner, clock.now(), fresh=asked.says_yes("fresh")))


@router.get("/backups")
def get_backups() -> Response[str]:
    asked = RequestContext(router)
    found = backups.list_backups(asked.table, asked.owner, clock.now())
    return reply(200, {"backups": [views.backup(row) for row in found]})


@router.get("/backups/<given>")
def get_backup(given: str) -> Response[str]:
    return _shown(_find(RequestContext(router), given))


@router.get("/backups/<given>/file")
def get_backup_file(given: str) -> Response[str]:
    row = _find(RequestContext(router), given)
    if "file" not in row:
        raise not_found("file")
    return reply(302, {}, Location=files.link(row["file"]["at"]))


def _find(asked: RequestContext, given: str) -> dict[str, Any]:
    row = backups.find(asked.table, asked.owner, backup_id(given), clock.now())
    if row is None:
        raise not_found("backup")
    return row


def _shown(row: dict[str, Any]) -> Response[str]:
    """Never from a cache: the same address tells of another backup the next time."""
    told = {"backup": views.backup(row)}
    if row["status"] in UNDERWAY:
        return reply(202, told, Location=views.backup_path(row["id"]), **{"Cache-Control": "no-store"})
    return reply(200, told, **{"Cache-Control": "no-store"})


@router.post("/restore")
def post_restore() -> Response[str]:
    asked = RequestContext(router)
    body = asked.body(Restore)
    row, upload = restores.offer(asked.table, asked.owner, body.size, body.sha256, clock.now())
    told = {"restore": views.restore(row), "upload": upload}
    return reply(201, told, Location=views.restore_path(row["id"]))


@router.post("/restores/<given>/start")
def post_start(given: str) -> Response[str]:
    asked = RequestContext(router)
    asked.body(Empty)
    return _told(restores.start(asked.table, asked.owner, restore_id(given), clock.now()))


@router.get("/restores")
def get_restores() -> Response[str]:
    asked = RequestContext(router)
    found = restores.list_restores(asked.table, asked.owner, clock.now())
    return reply(200, {"restores": [views.restore(row) for row in found]})


@router.get("/restores/<given>")
def get_restore(given: str) -> Response[str]:
    asked = RequestContext(router)
    row = restores.find(asked.table, asked.owner, restore_id(given), clock.now())
    if row is None:
        raise not_found("restore")
    return _told(row)


def _told(row: dict[str, Any]) -> Response[str]:
    told = {"restore": views.restore(row)}
    if row["status"] in (*UNDERWAY, WAITING):
        return reply(202, told, Location=views.restore_path(row["id"]))
    return reply(200, told)
