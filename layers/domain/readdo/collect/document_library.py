"""The library of documents: each put keeps a version and checks its completeness."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from readdo import files
from readdo.collect import collect_keys
from readdo.collect.completeness import RULES_VERSION, DocumentCheck, check_document, settings_digest
from readdo.collect.document_names import document_write, find_document, merge_counts
from readdo.collect.document_paths import clean_path, is_document_path, path_problem
from readdo.collect.figures import DOCUMENT_FIGURES
from readdo.collect.rows import DocumentRow
from readdo.errors import BadCursor, VersionMismatch
from readdo.lifecycle.advance import advance_all
from readdo.lifecycle.write import Busy, Exists, Key, Write, WriteRefused, put_new
from readdo.runtime import setting
from readdo.store import idempotency, keys
from readdo.store.table import DynamoTable
from readdo.web.errors import ApiError, invalid, not_found

DOCUMENT_BYTES = 1_000_000
_TRIES = 32
_OPERATION = "document"
_PAGES_MAX = 20


def document_path(text: str) -> str:
    """The path of a request. It stays inside the library and ends in .md."""
    if problem := path_problem(text):
        raise invalid(f"The path of the document {problem}.", {"path": problem})
    if not text.endswith(".md"):
        raise invalid("The path of a document ends in .md.", {"path": "must end in .md"})
    if "." in text.split("/"):
        raise invalid(
            "The path of a document has no part that is only a dot.", {"path": "has a part that is only a dot"}
        )
    if text != text.strip():
        problem = "begins or ends with a blank"
        raise invalid(f"The path of the document {problem}.", {"path": problem})
    return clean_path(text)


def put_document(
    table: DynamoTable, owner: str, path: str, content: str, at: str, if_match: str = "", key: str = ""
) -> tuple[DocumentRow, bool]:
    """The document, and whether it is new. The same content again is no new version.

    With an idempotency key, a repeated request gets the version that the first one made, and changes nothing.
    """
    body = content.encode("utf-8", "strict")
    if len(body) > DOCUMENT_BYTES:
        words = f"The document is larger than {DOCUMENT_BYTES:,} bytes. Split it into several documents."
        raise ApiError(413, "TOO_LARGE", words)
    check = check_document(content, section_names())
    sha256 = files.sha256(body)
    print_ = idempotency.fingerprint({"path": path, "sha256": sha256, "if_match": if_match})
    for _ in range(_TRIES):
        first = idempotency.first_answer(table, owner, _OPERATION, key, print_, at) if key else None
        if first is not None:
            return get_document(table, owner, path, first["version"])[0], first["is_new"]
        stored = table.get(collect_keys.document(owner, path))
        row = cast("DocumentRow", stored) if stored else None
        current = row.get("version", 0) if row else 0
        if if_match not in ("", "*", str(current)) or (if_match == "*" and not current):
            raise VersionMismatch("document", if_match, current)
        is_same = row is not None and row.get("sha256") == sha256
        version = current if is_same else current + 1
        answer = {"version": version, "is_new": not current}
        record = [idempotency.record(owner, _OPERATION, key, print_, answer, at)] if key else []
        if row and is_same and _is_checked(row):
            try:
                for write in record:
                    table.write(write)
            except WriteRefused:
                continue  # another request with this key
            return row, False
        store_content(owner, sha256, body)
        fields = {"version": version, "updated_at": at, "sha256": sha256, "bytes": len(body)}
        try:
            advance_all(table, *version_writes(owner, path, row, {**fields, **check_fields(check, at)}, at), *record)
        except WriteRefused:
            continue
        written = find_document(table, owner, path)
        if written is not None:
            return written, not current
    raise Busy("document")


def _is_checked(row: DocumentRow) -> bool:
    """By the rules and the settings of today."""
    return row["rules_version"] == RULES_VERSION and row.get("settings", "") == settings_digest(section_names())


def check_fields(check: DocumentCheck, at: str) -> dict[str, Any]:
    return {**check, "checked_at": at}


def version_writes(owner: str, path: str, row: DocumentRow | None, sets: dict[str, Any], at: str) -> list[Write]:
    """Writes of a new version, or of a new check of the newest one."""
    before: dict[str, Any] = dict(row or {"id": path, "owner": owner})
    sets = {"created_at": at, **sets} if "created_at" not in before else sets
    after = {**before, **sets}
    writes = [document_write(owner, path, row, sets=sets)]
    if sets["version"] != before.get("version"):
        number = collect_keys.version(owner, path, sets["version"])
        writes.append(put_new(number, version_row(path, sets)))
    writes += _text_writes(owner, path, before, after)
    return merge_counts([*writes, *DOCUMENT_FIGURES.changed(before if row else None, after)])


def version_row(path: str, fields: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in fields.items() if name not in ("created_at", "text_digest")}
    return {**kept, "path": path}


def _text_writes(owner: str, path: str, before: dict[str, Any], after: dict[str, Any]) -> list[Write]:
    """Keep the list of documents by text, to find copies."""
    old, new = before.get("text_digest", ""), after["text_digest"]
    if old == new:
        return []
    writes = [Write(collect_keys.text(owner, old, before["created_at"], path), "delete")] if old else []
    if new:
        writes.append(Write(collect_keys.text(owner, new, after["created_at"], path), "put", row={"path": path}))
    return writes


def older_copy(table: DynamoTable, owner: str, row: DocumentRow) -> str:
    """The path of an older document with the same text. Empty if there is none."""
    if not row["text_digest"]:
        return ""
    pk, prefix = collect_keys.texts(owner, row["text_digest"])
    page = table.query(keys.partition(pk), between=keys.stretch(prefix), limit=1)
    oldest = next((str(found["path"]) for found in page.rows), row["id"])
    return oldest if oldest != row["id"] else ""


def checked_document(table: DynamoTable, owner: str, path: str, at: str) -> DocumentRow | None:
    """The document with a check by the current rules. None if there is none."""
    row = find_document(table, owner, path)
    if row is None or _is_checked(row):
        return row
    return put_document(table, owner, path, read_content(owner, row["sha256"]), at)[0]


def store_content(owner: str, sha256: str, body: bytes) -> None:
    files.put_once(collect_keys.content(owner, sha256), body, "text/markdown; charset=utf-8", "attachment")


def read_content(owner: str, sha256: str) -> str:
    return files.get(collect_keys.content(owner, sha256)).decode()


def get_document(table: DynamoTable, owner: str, path: str, version: int = 0) -> tuple[DocumentRow, str]:
    """The document and its content, the newest version or an older one."""
    row = find_document(table, owner, path)
    if row is None:
        raise not_found("document")
    if version and version != row["version"]:
        stored = table.get(collect_keys.version(owner, path, version))
        if stored is None:
            raise not_found("version")
        row = cast("DocumentRow", {**row, **stored})
    return row, read_content(owner, row["sha256"])


def list_documents(
    table: DynamoTable, owner: str, prefix: str, statuses: list[str], cursor: str, limit: int, status_of: Any
) -> tuple[list[DocumentRow], str | None]:
    """A page in the order of the paths. The cursor is the last path."""
    low = f"{collect_keys.DOCUMENT_PREFIX}{prefix}"
    if cursor and (not is_document_path(cursor) or not cursor.startswith(prefix)):
        raise BadCursor
    start: dict[str, Any] | None = collect_keys.document(owner, cursor)._asdict() if cursor else None
    found: list[DocumentRow] = []
    for _ in range(_PAGES_MAX):
        page = table.query(
            keys.partition(collect_keys.library(owner)),
            between=("sk", low, low + keys.LAST),
            start=start,
            limit=limit,
            only=Exists("version"),
        )
        rows = [cast("DocumentRow", row) for row in page.rows]
        found += [row for row in rows if not statuses or status_of(row["points"]) in statuses]
        start = page.next_key
        if start is None or len(found) >= limit:
            break
    listed = found[:limit]
    if len(found) > limit:
        return listed, listed[-1]["id"]
    return listed, Key(**start).sk.removeprefix(collect_keys.DOCUMENT_PREFIX) if start else None


def section_names() -> Mapping[str, tuple[str, ...]]:
    """More names of sections, from a setting such as {"summary": ["Overview"]}."""
    return _parsed(setting("COLLECT_SECTIONS", ""))


@cache
def _parsed(text: str) -> Mapping[str, tuple[str, ...]]:
    return {kind: tuple(names) for kind, names in json.loads(text).items()} if text else {}
