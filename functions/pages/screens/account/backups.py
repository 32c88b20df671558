"""The page of backups: request, progress and download."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.jobs.sliced_job import KEPT_SECONDS
from readdo.lifecycle.backup import UNDERWAY
from readdo.read import views
from readdo.transfer.backup import backup_requests
from readdo.web import errors
from readdo.web.path_params import backup_id
from screens import html_response
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME

router = APIGatewayHttpRouter()
BACKUPS = f"{HOME}/backups"
LISTED = 20
# The names of the zip's members.
MEMBERS = (
    *("items.jsonl", "artifacts.jsonl", "content/", "exports/", "notes/", "jobs.jsonl", "proof/"),
    *("documents.jsonl", "documents/", "document-versions/", "assignments.jsonl"),
)


@router.get(BACKUPS)
def get_backups() -> Response[str]:
    visit = visit_of(router)
    rows = [views.backup(row) for row in backup_requests.list_backups(visit.table, visit.owner, clock.now())[:LISTED]]
    return html_response.page(
        visit,
        "backups.html",
        newest=rows[0] if rows else None,
        before=rows[1:],
        members=MEMBERS,
        days=KEPT_SECONDS // 86_400,
        moving=bool(rows) and rows[0]["status"] in UNDERWAY,
        done=flash(visit),
    )


@router.post(BACKUPS)
def post_backup() -> Response[str]:
    """Start a backup. The form names the newest backup shown, so a second click starts no second one."""
    visit = visit_of(router)
    at = clock.now()
    newest = next(iter(backup_requests.list_backups(visit.table, visit.owner, at)), None)
    newest_was_shown = newest is not None and visit.form.get("seen") == newest["id"]
    backup_requests.request_backup(visit.table, visit.owner, at, fresh=newest_was_shown)
    return html_response.go_to(visit, flash_link(BACKUPS, "backup"))


@router.get(f"{BACKUPS}/<raw_id>/file")
def get_file(raw_id: str) -> Response[str]:
    """Redirect to a new link, because links expire after 15 minutes."""
    visit = visit_of(router)
    row = backup_requests.find(visit.table, visit.owner, backup_id(raw_id), clock.now())
    if row is None or "file" not in row:
        raise errors.not_found("backup")
    return Response(
        302,
        html_response.HTML,
        "",
        headers={**html_response.headers(), "Location": files.presign_download(row["file"]["at"])},
    )
