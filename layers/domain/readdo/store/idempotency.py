"""Idempotency records: a key and its first response, written in the same transaction as the change.

first       no record                    the change and the record are written
repeated    same key, same request       the first response is returned, nothing is written
other body  same key, another request    KeyReused
later       after 24 hours               as first (the condition decides; TTL only deletes old records)
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from readdo import clock
from readdo.clock import digest
from readdo.lifecycle.write import ABSENT, Table, Write, at_most, either, same
from readdo.store import keys

KEPT_SECONDS = 24 * 3600


class KeyReused(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def fingerprint(request: Mapping[str, Any]) -> str:
    return digest(json.dumps(request, sort_keys=True, ensure_ascii=False))


def fingerprint_of(request: Any, *, but: Collection[str]) -> dict[str, Any]:
    """The fields of a dataclass without defaults, so that a new field does not change old fingerprints."""
    changed = {f.name: getattr(request, f.name) for f in fields(request) if getattr(request, f.name) != f.default}
    return {name: value for name, value in changed.items() if name not in but}


def first_answer(table: Table, owner: str, operation: str, key: str, print_: str, now: str) -> Any:
    """The first response for this key, None if there is none."""
    row = table.get(keys.idempotency(owner, operation, key))
    if row is None or row.get("expires_at", now) < now:
        return None
    if row["fingerprint"] != print_:
        raise KeyReused(key)
    return json.loads(row["answer"])


def record(
    owner: str,
    operation: str,
    key: str,
    print_: str,
    answer: Any,
    now: str,
    *,
    kept: bool = False,
    instead_of: Any = None,
) -> Write:
    """`kept`: do not expire after a day. `instead_of`: an obsolete response that may be replaced."""
    row: dict[str, Any] = {"fingerprint": print_, "answer": _text(answer)}
    if not kept:
        expires = clock.after(now, KEPT_SECONDS)
        row |= {"expires_at": expires, "expires": clock.epoch_seconds(expires)}
    condition = either(ABSENT, at_most("expires_at", "now"), same("answer", "gone"))
    params = {"now": now, "gone": _text(instead_of)}
    return Write(keys.idempotency(owner, operation, key), "put", condition=condition, params=params, row=row)


def _text(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False, sort_keys=True)
