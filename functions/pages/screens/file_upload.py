"""A file that a form brings along, or that its script announces; what cannot be is told in the form's own words."""

from readdo.web.errors import ApiError
from screens import error_texts
from screens.error_texts import LocalizedError
from screens.multipart_form import SentFile
from screens.page_request import PageRequest

SENT_MAX = 4_000_000  # bytes of a file that a form brings: a request may have 6 MB, and it comes in base64


def brought(visit: PageRequest, form: str) -> SentFile:
    file = visit.file
    if file is None or not file.body:
        raise LocalizedError(
            400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.{'none' if file is None else 'empty'}")
        )
    if len(file.body) > SENT_MAX:
        raise _too_large(visit, form)
    return file


def announced(visit: PageRequest, form: str, most: int) -> int:
    """How many bytes a script will send to the bucket itself."""
    size = visit.form.get("size", "")
    if not size.isdecimal() or len(size) > 12:
        raise LocalizedError(400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.none"))
    if not int(size):
        raise LocalizedError(400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.empty"))
    if int(size) > most:
        raise LocalizedError(413, "TOO_LARGE", visit.words(f"{form}.wrong.huge", n=f"{most // 1_000_000:,}"))
    return int(size)


def wrong(visit: PageRequest, form: str, error: Exception, refused: ApiError) -> str:
    """What is refused before it is read was too large for a form as well."""
    large = refused.status == 413 and not isinstance(error, LocalizedError)
    return error_texts.sentence(_too_large(visit, form) if large else error, visit.words)


def _too_large(visit: PageRequest, form: str) -> LocalizedError:
    return LocalizedError(413, "TOO_LARGE", visit.words(f"{form}.wrong.large", n=SENT_MAX // 1_000_000))
