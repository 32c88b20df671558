"""Poll an item until its processing ends."""

from terminal import progress, time_format
from terminal.api import ApiResponse, item
from terminal.failures import REFUSED, CommandFailure
from terminal.polling_backoff import Pause
from terminal.session import Session
from terminal.words import Item, short

# A capture queues its item at once; an item that stays CAPTURED longer was saved with --no-process.
RESTS_AFTER, RESTED_LONG = 2.5, 120.0
RESTS = "This item was saved without processing."
MOVING = ("CAPTURED", "QUEUED", "PROCESSING")


def follow(session: Session, item_id: str, patience: float | None = None) -> ApiResponse:
    """Poll until the item is in no moving state, and return the last response."""
    with progress.show_progress(session.notes, session.outside.now, session.quiet or session.json) as show:
        response = session.api.get(item(item_id))
        show(response.data["item"])
        pause = Pause(session.outside.sleep)
        while response.data["item"]["status"] in MOVING:
            _raise_if_waiting_is_useless(session, response, pause.waited, patience)
            pause()
            newer = session.api.get(item(item_id), etag=response.headers.get("ETag", ""))
            if newer.status == 304:
                continue
            if _place(newer) != _place(response):
                pause.reset()
            response = newer
            show(response.data["item"])
    return response


def _place(response: ApiResponse) -> tuple[object, object]:
    row = response.data["item"]
    return row["status"], row.get("progress")


def _raise_if_waiting_is_useless(
    session: Session, response: ApiResponse, waited: float, patience: float | None
) -> None:
    row = response.data["item"]
    name = short(row["id"])
    if patience is not None and waited >= patience:
        raise CommandFailure(
            f"The item is still {row['status']} after {time_format.lasted(waited)}.",
            f"Continue watching: readdo watch {name}",
        )
    if row["status"] == "CAPTURED" and (waited >= RESTS_AFTER or _has_rested_long(session, row)):
        raise CommandFailure(RESTS, f"Process it: readdo process {name} --watch", exit_code=REFUSED, code="AT_REST")


def _has_rested_long(session: Session, row: Item) -> bool:
    changed = time_format.read(row.get("updated_at") or row.get("created_at"))
    return changed is not None and (session.outside.now() - changed).total_seconds() > RESTED_LONG
