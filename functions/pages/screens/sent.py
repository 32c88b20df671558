"""A file that a form brings along, or that its script announces; what cannot be is told in the form's own words."""

from readdo.web.errors import ApiError
from screens import mistakes
from screens.mistakes import Told
from screens.parts import SentFile
from screens.visit import Visit

SENT_MAX = 4_000_000  # bytes of a file that a form brings: a request may have 6 MB, and it comes in base64


def brought(visit: Visit, form: str) -> SentFile:
    file = visit.file
    if file is None or not file.body:
        raise Told(400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.{'none' if file is None else 'empty'}"))
    if len(file.body) > SENT_MAX:
        raise _too_large(visit, form)
    return file


def announced(visit: Visit, form: str, most: int) -> int:
    """How many bytes a script will send to the bucket itself."""
    size = visit.form.get("size", "")
    if not size.isdecimal() or len(size) > 12:
        raise Told(400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.none"))
    if not int(size):
        raise Told(400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.empty"))
    if int(size) > most:
        raise Told(413, "TOO_LARGE", visit.words(f"{form}.wrong.huge", n=f"{most // 1_000_000:,}"))
    return int(size)


def wrong(visit: Visit, form: str, error: Exception, refused: ApiError) -> str:
    """What is refused before it is read was too large for a form as well."""
    large = refused.status == 413 and not isinstance(error, Told)
    return mistakes.sentence(_too_large(visit, form) if large else error, visit.words)


def _too_large(visit: Visit, form: str) -> Told:
    return Told(413, "TOO_LARGE", visit.words(f"{form}.wrong.large", n=SENT_MAX // 1_000_000))
