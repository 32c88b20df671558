"""Prompts from templates and an item's inputs. The stable part is first, for prompt caching."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, NamedTuple

from readdo.clock import digest
from readdo.errors import StepFailed
from readdo.messages import message
from readdo.runtime import setting

_BORDER = "\n=== item ===\n"
# About 48,000 characters of English or 12,000 of Chinese.
TOKENS_MAX = 12_000
_HEAD = 0.75  # share of the beginning when a text is cut; the rest is its end, with the conclusion


class Prompt(NamedTuple):
    system: str
    user: str

    @property
    def hash(self) -> str:
        return digest(self.system, self.user)


@cache
def template_parts(name: str) -> tuple[str, str]:
    """The stable part and the part of the item."""
    path = Path(setting("SCHEMAS_DIR")) / "templates" / f"{name}.md"
    try:
        system, _, item = path.read_text(encoding="utf-8").partition(_BORDER)
    except FileNotFoundError:
        raise StepFailed("TEMPLATE_MISSING", message("template.missing", name=name), retryable=False) from None
    return system.strip(), item.strip()


def render(
    name: str, *, language: str, intent: str, about: Mapping[str, str], **inputs: str | Mapping[str, Any]
) -> Prompt:
    """`inputs`: a str is the source text, any other value is inserted as JSON."""
    system, item = template_parts(name)
    texts = {key: _to_text(value) for key, value in inputs.items()}
    lines = "\n".join(f"{key}: {_one_line(value)}" for key, value in about.items() if value.strip())
    values = {
        **texts,
        # A hash of the texts, so that no text can contain the marker that ends its own fence.
        "mark": digest(*texts.values()),
        "language": language,
        "intent": _one_line(intent),
        "about": f"<about>\n{lines}\n</about>",
    }
    return Prompt(system, Template(item).substitute(values))


def tokens_in(text: str) -> int:
    """A high estimate: four ASCII characters per token, one character per token for other scripts."""
    ascii_letters = sum(char.isascii() for char in text)
    return ascii_letters // 4 + (len(text) - ascii_letters) + 1


def _to_text(value: str | Mapping[str, Any]) -> str:
    if isinstance(value, str):
        return _cut(_plain(value))
    # `<` is escaped, so that text from an earlier step cannot end the fence around it.
    return json.dumps(value, ensure_ascii=False, indent=1).replace("<", "\\u003c")


def _cut(text: str) -> str:
    if tokens_in(text) <= TOKENS_MAX:
        return text
    length = int(len(text) * TOKENS_MAX / tokens_in(text))
    head, tail = text[: int(length * _HEAD)], text[-int(length * (1 - _HEAD)) :]
    return f"{head}\n[… {len(text) - len(head) - len(tail):,} characters are left out here …]\n{tail}"


def _plain(text: str) -> str:
    """Remove invisible characters, which are often used for hidden instructions."""
    return "".join(char for char in text if char.isprintable() or char in "\n\t")


def _one_line(text: str) -> str:
    return " ".join(_plain(text).split()).replace("<", "‹").replace(">", "›")
