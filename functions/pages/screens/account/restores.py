"""The pages of restores: upload, progress, and lines that were not restored."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock, files
from readdo.api.registry import to_api_error
from readdo.lifecycle.backup import UNDERWAY
from readdo.lifecycle.restore import WAITING
from readdo.read import views
from readdo.transfer.restore import restore_requests
from readdo.transfer.rows import NewRestore
from readdo.web import errors
from readdo.web.path_params import restore_id
from screens import html_response
from screens.account import file_upload
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
RESTORES = f"{HOME}/restores"
RESTORE = f"{RESTORES}/<raw_id>"
LISTED = 20


@router.get(RESTORES)
def get_restores() -> Response[str]:
    return _page(visit_of(router))


@router.post(RESTORES)
def post_restore() -> Response[str]:
    """Start a restore with the uploaded file, or create one whose file a script uploads."""
    visit = visit_of(router)
    try:
        row = _from_upload(visit) if visit.brings_files else _from_announcement(visit)
    except Exception as error:
        refused = to_api_error(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=file_upload.error_text(visit, "restore", error, refused))
    return html_response.go_to(visit, f"{RESTORES}/{row['id']}")


@router.get(RESTORE)
def get_restore(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    row = restore_requests.find(visit.table, visit.owner, restore_id(raw_id), clock.now())
    if row is None:
        raise errors.not_found("restore")
    return html_response.page(
        visit,
        "restore.html",
        one=views.restore(row),
        upload=restore_requests.upload(row) if row["status"] == WAITING else None,
        moving=row["status"] in UNDERWAY,
        done=flash(visit),
    )


@router.post(f"{RESTORE}/start")
def post_start(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    restore_requests.start(visit.table, visit.owner, restore_id(raw_id), clock.now())
    return html_response.go_to(visit, flash_link(f"{RESTORES}/{raw_id}", "restore_start"))


def _from_upload(visit: PageRequest) -> NewRestore:
    body = file_upload.uploaded_file(visit, "restore").body
    at = clock.now()
    row, _ = restore_requests.offer(visit.table, visit.owner, len(body), files.sha256(body), at)
    files.put_once(row["file"]["at"], body, restore_requests.UPLOAD_TYPE)
    return restore_requests.start(visit.table, visit.owner, row["id"], at)


def _from_announcement(visit: PageRequest) -> NewRestore:
    """Create a restore without a checksum: for one, a browser needs the complete file in memory."""
    size = file_upload.announced_size(visit, "restore", restore_requests.BYTES_MAX)
    row, _ = restore_requests.offer(visit.table, visit.owner, size, "", clock.now())
    return row


def _page(visit: PageRequest, status: int = 200, wrong: str = "") -> Response[str]:
    listed = [
        views.restore(row) for row in restore_requests.list_restores(visit.table, visit.owner, clock.now())[:LISTED]
    ]
    return html_response.page(
        visit,
        "restores.html",
        status,
        restores=listed,
        sent_max=file_upload.SENT_MAX,
        most=restore_requests.BYTES_MAX,
        wrong=wrong,
        done=flash(visit),
    )
