"""A key and what it answered, written in the transaction of what it protects.

first       no record                    the write is made, and the record with it
repeated    same key, same request       the first answer, nothing is written
other body  same key, another request    KeyReused
later       past 24 hours                as first (TTL only sweeps up; the condition decides)
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from readdo import clock
from readdo.ids import digest
from readdo.lifecycle.conditions import at_most, either, same
from readdo.lifecycle.write import ABSENT, Table, Write
from readdo.store import keys

KEPT_SECONDS = 24 * 3600


class KeyReused(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def fingerprint(request: Mapping[str, Any]) -> str:
    return digest(json.dumps(request, sort_keys=True, ensure_ascii=False))


def fingerprint_of(wish: Any, *, but: Collection[str]) -> dict[str, Any]:
    """What a wish (a dataclass) says beyond its defaults: a field that is added later does not change old prints."""
    said = {f.name: getattr(wish, f.name) for f in fields(wish) if getattr(wish, f.name) != f.default}
    return {name: value for name, value in said.items() if name not in but}


def first_answer(table: Table, owner: str, operation: str, key: str, print_: str, now: str) -> Any:
    """The first answer to this key, None if there was none."""
    row = table.get(keys.once(owner, operation, key))
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
    """`kept`: as long as what it names; otherwise for a day. `instead_of`: an answer that leads nowhere any more."""
    row: dict[str, Any] = {"fingerprint": print_, "answer": _text(answer)}
    if not kept:
        expires = clock.after(now, KEPT_SECONDS)
        row |= {"expires_at": expires, "expires": clock.epoch_seconds(expires)}
    condition = either(ABSENT, at_most("expires_at", "now"), same("answer", "gone"))
    params = {"now": now, "gone": _text(instead_of)}
    return Write(keys.once(owner, operation, key), "put", condition=condition, params=params, row=row)


def _text(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False, sort_keys=True)
