"""Waiting for an item: asking again, politely, until it rests."""

from terminal import moments, progress
from terminal.api import ApiResponse, item
from terminal.failures import REFUSED, CommandFailure
from terminal.pause import Pause
from terminal.session import Session
from terminal.words import Item, short

# An item that is to be read is queued within its capture: one that rests for longer than a blink was told to.
RESTS_AFTER, RESTED_LONG = 2.5, 120.0
RESTS = "It rests: nobody has asked for it to be read."
MOVING = ("CAPTURED", "QUEUED", "PROCESSING")


def follow(session: Session, item_id: str, patience: float | None = None) -> ApiResponse:
    """The item's last answer, once it is no longer on its way."""
    with progress.shown(session.notes, session.outside.now, session.quiet or session.json) as show:
        answer = session.api.get(item(item_id))
        show(answer.data["item"])
        pause = Pause(session.outside.sleep)
        while answer.data["item"]["status"] in MOVING:
            _refuse_to_wait(session, answer, pause.waited, patience)
            pause()
            later = session.api.get(item(item_id), known=answer.headers.get("ETag", ""))
            if later.status == 304:
                continue
            if _place(later) != _place(answer):
                pause.begin_anew()
            answer = later
            show(answer.data["item"])
    return answer


def _place(answer: ApiResponse) -> tuple[object, object]:
    found = answer.data["item"]
    return found["status"], found.get("progress")


def _refuse_to_wait(session: Session, answer: ApiResponse, waited: float, patience: float | None) -> None:
    found = answer.data["item"]
    name = short(found["id"])
    if patience is not None and waited >= patience:
        raise CommandFailure(
            f"It is still {found['status']} after {moments.lasted(waited)}.", f"Go on watching: readdo watch {name}"
        )
    if found["status"] == "CAPTURED" and (waited >= RESTS_AFTER or _rested_long(session, found)):
        raise CommandFailure(RESTS, f"Next: readdo process {name} --watch", exit_code=REFUSED, code="AT_REST")


def _rested_long(session: Session, found: Item) -> bool:
    changed = moments.read(found.get("updated_at") or found.get("created_at"))
    return changed is not None and (session.outside.now() - changed).total_seconds() > RESTED_LONG
