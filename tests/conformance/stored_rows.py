"""Attribute names by kind of row, from the writes of the complete life cycle."""

import re
from collections.abc import Iterable
from typing import Any

from readdo.lifecycle.write import Key, Write

_ID = re.compile("[0-9A-Z]{26}|(?<=_)[0-9a-f]{12}")


def kind_of(key: Key) -> str:
    """Return the kind of a row's key: `O#owner#I#id`, `A#summary#R#run` → `O·I A`."""
    return _ID.sub("id", f"{'·'.join(key.pk.split('#')[::2])} {key.sk.partition('#')[0]}")


def attributes(writes: Iterable[tuple[Write, dict[str, Any] | None]]) -> dict[str, list[str]]:
    names_by_kind: dict[str, set[str]] = {}
    for write, row in writes:
        names = {*(row or {}), *write.row, *(name.partition(".")[0] for name in write.sets)}
        names_by_kind.setdefault(kind_of(write.key), set()).update(_ID.sub("id", name) for name in names)
    return {kind: sorted(names) for kind, names in sorted(names_by_kind.items())}
