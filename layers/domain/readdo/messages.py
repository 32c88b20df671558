"""Messages to users, by key, in English and Chinese. `messages.json` has the texts."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NotRequired, TypedDict, overload


class MessageFields(TypedDict):
    """The key and the parameters of a stored message. Missing for a text without a key."""

    message_key: NotRequired[str]
    params: NotRequired[dict[str, Any]]


class Message(str):
    """An English text that carries its key and parameters, so that it can be shown in another language."""

    key: str
    params: Mapping[str, Any]

    def __new__(cls, text: str, key: str = "", params: Mapping[str, Any] | None = None) -> "Message":
        message = super().__new__(cls, text)
        message.key, message.params = key, params or {}
        return message


def message(key: str, /, **params: Any) -> Message:
    """A parameter may be a message itself."""
    return Message(_texts()[key]["en"].format(**params), key, params)


def clip(text: str, length: int) -> str:
    """The first characters. A message keeps its key."""
    return Message(text[:length], text.key, text.params) if isinstance(text, Message) else text[:length]


@overload
def stored_fields(text: str) -> MessageFields: ...
@overload
def stored_fields(text: str, prefix: str) -> dict[str, Any]: ...
def stored_fields(text: str, prefix: str = "") -> Any:
    """The fields `message_key` and `params` of rows and responses. Empty for a text without a key."""
    if not (isinstance(text, Message) and text.key):
        return {}
    params = {name: stored_fields(value) or value for name, value in text.params.items()}
    return {f"{prefix}message_key": text.key, **({f"{prefix}params": params} if params else {})}


def from_stored(text: str, fields: Mapping[str, Any]) -> str:
    """The opposite of `stored_fields`. A nested message is known by its fields alone."""
    if "message_key" not in fields:
        return text
    params = {name: _parameter(value) for name, value in fields.get("params", {}).items()}
    return Message(text, fields["message_key"], params)


def _parameter(value: Any) -> Any:
    return from_stored(translate(value, "en"), value) if isinstance(value, Mapping) else value


def translate(fields: Mapping[str, Any], language: str, prefix: str = "") -> str:
    """The text of stored fields. Empty if an earlier release stored no key, or a later one an unknown key."""
    text = _texts().get(fields.get(f"{prefix}message_key", ""), {}).get(language, "")
    params = dict(fields.get(f"{prefix}params", {}))
    for name, value in params.items():
        if isinstance(value, Mapping):
            params[name] = translate(value, language)
            if language == "zh":  # no spaces between Chinese words
                text = re.sub(rf" ?\{{{name}\}} ?", f"{{{name}}}", text)
    try:
        return text.format(**params)
    except (KeyError, ValueError):
        return ""


@cache
def _texts() -> dict[str, dict[str, str]]:
    path = Path(__file__).with_name("messages.json")
    texts: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return texts
