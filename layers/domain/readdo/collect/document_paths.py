"""Paths of documents in the library: relative, inside, and with forward slashes."""

import re
import unicodedata

PATH_BYTES = 800  # of a key of DynamoDB, which may have 1,024
# A gateway may decode a path once or twice, so what looks percent-encoded names two documents.
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\u2028\u2029\ufffd]|%[0-9A-Fa-f]{2}")
_DRIVE = re.compile(r"[A-Za-z]:(?:/|$)")


def path_problem(value: object) -> str:
    """The problem of the path. Empty if it has none."""
    if not isinstance(value, str) or not value.strip():
        return "must be a path"
    path = clean_path(value)
    if len(path.encode("utf-8", "replace")) > PATH_BYTES:
        return f"is longer than {PATH_BYTES} bytes"
    if any("\ud800" <= character <= "\udfff" for character in path) or _FORBIDDEN.search(path):
        return "has a character that a path may not have"
    if path.startswith("/") or _DRIVE.match(path):
        return "must be relative to the library"
    parts = path.split("/")
    if "" in parts:
        return "has an empty part"
    if any(part.strip() == ".." for part in parts):
        return "must stay inside the library: no .. is allowed"
    return ""


def clean_path(path: str) -> str:
    parts = unicodedata.normalize("NFC", path.strip().replace("\\", "/")).split("/")
    return "/".join(part for part in parts if part != ".")


def is_document_path(path: str) -> bool:
    return path.endswith(".md") and not path_problem(path) and clean_path(path) == path
