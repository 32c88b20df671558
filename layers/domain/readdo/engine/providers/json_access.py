"""Read JSON of unknown structure: a value of the wrong type is treated as missing."""

from collections.abc import Mapping, Sequence
from typing import Any

from readdo.engine.providers.provider_errors import failed
from readdo.engine.providers.provider_protocol import Completion

_TOKENS_MAX = 100_000_000


def as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def text_of(value: Any) -> str:
    """The text of a content field. Some servers send it as a list of parts."""
    if isinstance(value, list):
        return "".join(text_of(as_mapping(part).get("text")) for part in value)
    return value if isinstance(value, str) else ""


def token_count(value: Any) -> int:
    return value if type(value) is int and 0 <= value <= _TOKENS_MAX else 0


def check_completion(answer: Completion, ended: str | None, refused: bool, who: str) -> Completion:
    kind = ended or ("declined" if refused else None if answer.text.strip() else "empty")
    if kind:
        raise failed(kind, who, debug=f"served by {answer.model[:60]}", answers=(answer,))
    return answer
