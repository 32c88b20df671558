"""The row type of the tables of API calls."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

_PLACE = re.compile(r"\{\w+\}")
_PATH_PLACE = "{document_path}"  # may have slashes


@dataclass(frozen=True)
class Call:
    method: str
    path: str
    name: str
    does: str
    answers: Mapping[int, str]  # status → response model, or empty
    takes: str = ""  # request model
    more: str = ""
    query: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()  # error codes, besides those of every call
    is_open: bool = field(default=False)  # needs no token

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(_PLACE.sub(r"[^/]+", self.path.replace(_PATH_PLACE, ".+")))

    @property
    def writes(self) -> bool:
        return self.method != "GET"


KEY, IF_MATCH, SEEN = "Idempotency-Key", "If-Match", "If-None-Match"
IF_MATCH_OPTIONAL = "If-Match?"
REUSED, CONFLICT, BUSY = "IDEMPOTENCY_KEY_REUSED", "STATE_CONFLICT", "PROCESSING_IN_PROGRESS"
NOT_FOUND, MISMATCH, INVALID = "NOT_FOUND", "VERSION_MISMATCH", "VALIDATION_ERROR"
FOUND_AND_OPEN = (NOT_FOUND, CONFLICT, REUSED)
