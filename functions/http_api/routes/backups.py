"""Routes to request, read and download backups, and to restore them."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.lifecycle.backup import UNDERWAY
from readdo.lifecycle.restore import WAITING
from readdo.read import views
from readdo.transfer.backup import backup_requests
from readdo.transfer.requests import Restore
from readdo.transfer.restore import restore_requests
from readdo.transfer.rows import BackupRow, RestoreRow
from readdo.web.errors import not_found
from readdo.web.path_params import backup_id, restore_id
from readdo.web.request_body import Empty
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()


@router.get("/export-all")
def get_export_all() -> Response[str]:
    context = RequestContext(router)
    context.refuse_unknown_queries()
    return _reply_backup(
        backup_requests.request_backup(context.table, context.owner, clock.now(), fresh=context.says_yes("fresh"))
    )


@router.get("/backups")
def get_backups() -> Response[str]:
    context = RequestContext(router)
    rows = backup_requests.list_backups(context.table, context.owner, clock.now())
    return reply(200, {"backups": [views.backup(row) for row in rows]})


@router.get("/backups/<raw_id>")
def get_backup(raw_id: str) -> Response[str]:
    return _reply_backup(_find(RequestContext(router), raw_id))


@router.get("/backups/<raw_id>/file")
def get_backup_file(raw_id: str) -> Response[str]:
    row = _find(RequestContext(router), raw_id)
    if "file" not in row:
        raise not_found("file")
    return reply(302, {}, Location=files.presign_download(row["file"]["at"]))


def _find(context: RequestContext, raw_id: str) -> BackupRow:
    row = backup_requests.find(context.table, context.owner, backup_id(raw_id), clock.now())
    if row is None:
        raise not_found("backup")
    return row


def _reply_backup(row: BackupRow) -> Response[str]:
    """The response must not be cached: /export-all can return another backup next time."""
    body = {"backup": views.backup(row)}
    if row["status"] in UNDERWAY:
        return reply(202, body, Location=views.backup_path(row["id"]), **{"Cache-Control": "no-store"})
    return reply(200, body, **{"Cache-Control": "no-store"})


@router.post("/restore")
def post_restore() -> Response[str]:
    context = RequestContext(router)
    payload = context.body(Restore)
    row, upload = restore_requests.offer(context.table, context.owner, payload.size, payload.sha256, clock.now())
    response = {"restore": views.restore(row), "upload": upload}
    return reply(201, response, Location=views.restore_path(row["id"]))


@router.post("/restores/<raw_id>/start")
def post_start(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    context.body(Empty)
    return _reply_restore(restore_requests.start(context.table, context.owner, restore_id(raw_id), clock.now()))


@router.get("/restores")
def get_restores() -> Response[str]:
    context = RequestContext(router)
    rows = restore_requests.list_restores(context.table, context.owner, clock.now())
    return reply(200, {"restores": [views.restore(row) for row in rows]})


@router.get("/restores/<raw_id>")
def get_restore(raw_id: str) -> Response[str]:
    context = RequestContext(router)
    row = restore_requests.find(context.table, context.owner, restore_id(raw_id), clock.now())
    if row is None:
        raise not_found("restore")
    return _reply_restore(row)


def _reply_restore(row: RestoreRow) -> Response[str]:
    body = {"restore": views.restore(row)}
    if row["status"] in (*UNDERWAY, WAITING):
        return reply(202, body, Location=views.restore_path(row["id"]))
    return reply(200, body)
