"""Names of attributes by kind of row, as a whole life of the product writes them."""

import re
from collections.abc import Iterable
from typing import Any

from readdo.lifecycle.write import Key, Write

_ID = re.compile("[0-9A-Z]{26}|(?<=_)[0-9a-f]{12}")


def kind_of(key: Key) -> str:
    """`O#owner#I#id`, `A#summary#R#run` → `O·I A`."""
    return _ID.sub("id", f"{'·'.join(key.pk.split('#')[::2])} {key.sk.partition('#')[0]}")


def attributes(writes: Iterable[tuple[Write, dict[str, Any] | None]]) -> dict[str, list[str]]:
    found: dict[str, set[str]] = {}
    for write, row in writes:
        named = {*(row or {}), *write.row, *(name.partition(".")[0] for name in write.sets)}
        found.setdefault(kind_of(write.key), set()).update(_ID.sub("id", name) for name in named)
    return {kind: sorted(names) for kind, names in sorted(found.items())}
