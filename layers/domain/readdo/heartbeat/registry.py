"""The background work of all desks. A new desk adds its `background.WORK` here."""

from readdo.do import background as do
from readdo.integrations import background as integrations
from readdo.jobs.background_work import DueHandler
from readdo.read import background as read
from readdo.transfer import background as transfer

DESKS = (
    read.WORK,
    do.WORK,
    transfer.WORK,
    integrations.WORK,
)
BEATS = tuple(beat for work in DESKS for beat in work.beats)
HANDLERS = {prefix: handler for work in DESKS for prefix, handler in work.due.items()}


def due_handler(sort_key: str) -> DueHandler:
    return next(handler for prefix, handler in HANDLERS.items() if sort_key.startswith(prefix))
