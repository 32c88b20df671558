"""Validate uploaded files, and sizes of files that a script uploads to the bucket."""

from readdo.web.errors import ApiError
from screens import error_texts
from screens.error_texts import LocalizedError
from screens.multipart_form import SentFile
from screens.page_request import PageRequest

SENT_MAX = 4_000_000  # bytes in a form: a request may have 6 MB, and API Gateway encodes it in base64


def uploaded_file(visit: PageRequest, form: str) -> SentFile:
    file = visit.file
    if file is None or not file.body:
        raise LocalizedError(
            400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.{'none' if file is None else 'empty'}")
        )
    if len(file.body) > SENT_MAX:
        raise _too_large(visit, form)
    return file


def announced_size(visit: PageRequest, form: str, limit: int) -> int:
    """The size of a file that a script will upload to the bucket itself."""
    size = visit.form.get("size", "")
    if not size.isdecimal() or len(size) > 12:
        raise LocalizedError(400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.none"))
    if not int(size):
        raise LocalizedError(400, "VALIDATION_ERROR", visit.words(f"{form}.wrong.empty"))
    if int(size) > limit:
        raise LocalizedError(413, "TOO_LARGE", visit.words(f"{form}.wrong.huge", n=f"{limit // 1_000_000:,}"))
    return int(size)


def error_text(visit: PageRequest, form: str, error: Exception, refused: ApiError) -> str:
    """The text of an error. A 413 from the body's limit means that the file is too large for a form."""
    large = refused.status == 413 and not isinstance(error, LocalizedError)
    return error_texts.sentence(_too_large(visit, form) if large else error, visit.words)


def _too_large(visit: PageRequest, form: str) -> LocalizedError:
    return LocalizedError(413, "TOO_LARGE", visit.words(f"{form}.wrong.large", n=SENT_MAX // 1_000_000))
