"""Refused transitions of webhooks, as API errors."""

from collections.abc import Mapping
from typing import Any

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.webhook import WEBHOOK
from readdo.web.errors import ApiError

_PARTICIPLES = {"send": "used", "pause": "paused"}


def _explain_webhook(refused: Refused, _: Mapping[str, Any]) -> ApiError:
    participle = _PARTICIPLES.get(refused.trigger, "changed in this way")
    words = (
        f"The webhook is {refused.status} and cannot be {participle}. Resume it first: PATCH it with paused = false."
    )
    return ApiError(409, "STATE_CONFLICT", words, {"status": refused.status})


REFUSALS = {WEBHOOK.name: _explain_webhook}
