"""More names of sections, from a setting such as {"summary": ["Overview"]}."""

import json
from collections.abc import Mapping
from functools import cache

from readdo.runtime import setting


def section_names() -> Mapping[str, tuple[str, ...]]:
    return _parsed(setting("COLLECT_SECTIONS", ""))


@cache
def _parsed(text: str) -> Mapping[str, tuple[str, ...]]:
    return {kind: tuple(names) for kind, names in json.loads(text).items()} if text else {}
