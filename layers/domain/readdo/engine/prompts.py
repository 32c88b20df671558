"""A template and an item's inputs → what a model is told. The stable part comes first: providers can cache it."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from readdo.errors import StepFailed
from readdo.ids import digest
from readdo.messages import message
from readdo.runtime import setting

_BORDER = "\n=== item ===\n"
# About 48,000 letters of English, or 12,000 characters of Chinese.
TOKENS_MAX = 12_000
_HEAD = 0.75  # of a text that is cut: most says what it has to say in the beginning, and concludes at the end


class Prompt(NamedTuple):
    system: str
    user: str

    @property
    def hash(self) -> str:
        return digest(self.system, self.user)


@cache
def _parts(name: str) -> tuple[str, str]:
    path = Path(setting("SCHEMAS_DIR")) / "templates" / f"{name}.md"
    try:
        system, _, item = path.read_text(encoding="utf-8").partition(_BORDER)
    except FileNotFoundError:
        raise StepFailed("TEMPLATE_MISSING", message("template.missing", name=name), retryable=False) from None
    return system.strip(), item.strip()


def render(
    name: str, *, language: str, intent: str, about: Mapping[str, str], **given: str | Mapping[str, Any]
) -> Prompt:
    """`given`: a text is fenced as the source; anything else is told as JSON."""
    system, item = _parts(name)
    told = {key: _told(value) for key, value in given.items()}
    lines = "\n".join(f"{key}: {_one_line(value)}" for key, value in about.items() if value.strip())
    values = {
        **told,
        # Known only when the text is: whatever a text holds, it cannot close the fence around it.
        "mark": digest(*told.values()),
        "language": language,
        "intent": _one_line(intent),
        "about": f"<about>\n{lines}\n</about>",
    }
    return Prompt(system, Template(item).substitute(values))


def tokens_in(text: str) -> int:
    """A guess that errs upwards: four letters to a token, other scripts one character each."""
    ascii_letters = sum(char.isascii() for char in text)
    return ascii_letters // 4 + (len(text) - ascii_letters) + 1


def _told(value: str | Mapping[str, Any]) -> str:
    if isinstance(value, str):
        return _cut(_plain(value))
    # As JSON writes it too: what an earlier step took from a text cannot close the fence that it stands in here.
    return json.dumps(value, ensure_ascii=False, indent=1).replace("<", "\\u003c")


def _cut(text: str) -> str:
    if tokens_in(text) <= TOKENS_MAX:
        return text
    kept = int(len(text) * TOKENS_MAX / tokens_in(text))
    head, tail = text[: int(kept * _HEAD)], text[-int(kept * (1 - _HEAD)) :]
    return f"{head}\n[… {len(text) - len(head) - len(tail):,} characters are left out here …]\n{tail}"


def _plain(text: str) -> str:
    """Without what a reader does not see: hidden orders are often written in such characters."""
    return "".join(char for char in text if char.isprintable() or char in "\n\t")


def _one_line(text: str) -> str:
    return " ".join(_plain(text).split()).replace("<", "‹").replace(">", "›")
