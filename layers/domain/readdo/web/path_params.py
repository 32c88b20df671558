"""Path parameters: ids and keys. An id with another format does not exist, so it is a 404."""

import re
from urllib.parse import quote, unquote

from readdo.web.errors import not_found
from readdo.web.request_body import KEY_PATTERN

_TASK_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# The router takes letters, digits and these. It does not find a path with another character, such as （ or an emoji.
_OF_ROUTES = "/-._~()'!*:@,;=+&$%<> []{}|^"
_ITEM_ID = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")


def quoted_path(path: str) -> str:
    """A path whose characters the router takes. `unquoted` is the reverse."""
    return quote(path, safe=_OF_ROUTES, errors="replace")


def item_id(text: str, what: str = "item") -> str:
    if not is_item_id(text):
        raise not_found(what)
    return text


def task_id(text: str) -> str:
    if not _TASK_ID.fullmatch(text):
        raise not_found("task")
    return text


def backup_id(text: str) -> str:
    if not is_item_id(text):  # same format
        raise not_found("backup")
    return text


def import_id(text: str) -> str:
    if not is_item_id(text):
        raise not_found("import")
    return text


def restore_id(text: str) -> str:
    if not is_item_id(text):
        raise not_found("restore")
    return text


def job_id(text: str) -> str:
    if not is_item_id(text):
        raise not_found("job")
    return text


def is_item_id(text: str) -> bool:
    return bool(_ITEM_ID.fullmatch(text))


def webhook_id(text: str) -> str:
    if not is_item_id(text):
        raise not_found("webhook")
    return text


def delivery_id(text: str) -> str:
    if not is_item_id(text):
        raise not_found("delivery")
    return text


def export_key(text: str) -> str:
    key = unquote(text)
    if not KEY_PATTERN.fullmatch(key):
        raise not_found("export")
    return key


def unquoted(text: str, what: str) -> str:
    """A name of the caller in a path."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError as error:
        raise not_found(what) from error
