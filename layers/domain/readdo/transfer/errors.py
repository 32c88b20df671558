"""Refused transitions of imports, as API errors."""

from collections.abc import Mapping
from typing import Any, cast

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.import_job import IMPORT
from readdo.transfer.imports import views
from readdo.transfer.rows import ImportRow
from readdo.web.errors import ApiError, conflict


def _explain_import(refused: Refused, row: Mapping[str, Any]) -> ApiError:
    words = f"The import is {refused.status}, so {refused.trigger} is not possible."
    if refused.status in IMPORT.sources(refused.trigger):
        words = f"The import is {refused.status}, but {refused.trigger} is not possible with its file or its new state."
    return conflict(refused, words, views.available(cast("ImportRow", dict(row))))


REFUSALS = {IMPORT.name: _explain_import}
