"""Messages of the pipeline and the desks, in the reader's language."""

from collections.abc import Mapping
from typing import Any

from readdo import messages
from screens.i18n import Words

_CHARACTERS_MAX = 50_000  # that an extraction keeps
_WARNINGS = ("partial.paywall", "partial.login", "partial.video", "partial.too_long")


def failure_text(failure: Mapping[str, Any], words: Words) -> str:
    """A failure of an earlier release has no message key: in Chinese its code stands for it."""
    message = str(failure["message"])
    if words.language == "en":
        return message
    return messages.translate(failure, words.language) or words.either(f"failed.{failure['error_code']}", message)


def message_text(text: str, row: Mapping[str, Any], words: Words, prefix: str = "") -> str:
    """`text` stands in `row` beside its message key and parameters, if it has them."""
    return (messages.translate(row, words.language, prefix) if words.language != "en" else "") or text


def warning_text(warning: str, words: Words) -> str:
    """An extraction stores its warnings as text alone, so the message is known by its text."""
    known = [{"message_key": key, "params": {"n": _CHARACTERS_MAX}} for key in _WARNINGS]
    fields = next((fields for fields in known if messages.translate(fields, "en") == warning), {})
    return messages.translate(fields, words.language) or warning
