"""Failures and warnings in the user's language."""

from collections.abc import Mapping
from typing import Any

from readdo import messages
from screens.i18n import Words

_CHARACTERS_MAX = 50_000  # of an extraction
_WARNINGS = ("partial.paywall", "partial.login", "partial.video", "partial.too_long")


def failure_text(failure: Mapping[str, Any], words: Words) -> str:
    """The text of a failure. A failure of an earlier release has no key and is shown by its code."""
    message = str(failure["message"])
    if words.language == "en":
        return message
    return messages.translate(failure, words.language) or words.either(f"failed.{failure['error_code']}", message)


def message_text(text: str, row: Mapping[str, Any], words: Words, prefix: str = "") -> str:
    """The translation of `text` by the message key and parameters in `row`, if it has them."""
    return (messages.translate(row, words.language, prefix) if words.language != "en" else "") or text


def warning_text(warning: str, words: Words) -> str:
    """Translate a warning. Extractions store only its English text, so that is compared."""
    candidates = [{"message_key": key, "params": {"n": _CHARACTERS_MAX}} for key in _WARNINGS]
    fields = next((fields for fields in candidates if messages.translate(fields, "en") == warning), {})
    return messages.translate(fields, words.language) or warning
