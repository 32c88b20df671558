"""The page's texts in the user's language, by name. A missing text raises KeyError."""

import json
import re
from functools import cache
from pathlib import Path

LANGUAGES = {"en": "English", "zh": "中文"}
_FOLDER = Path(__file__).parents[1] / "words"
_RANGE = re.compile(r"\s*([A-Za-z]{1,8})[^,;]*(?:;\s*q=([01](?:\.\d{1,3})?))?")


class Words:
    def __init__(self, language: str) -> None:
        self.language = language
        self.tag = "zh-CN" if language == "zh" else "en"
        self._texts: dict[str, str] = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))

    def __call__(self, name: str, **values: object) -> str:
        return self._texts[name].format(**values) if values else self._texts[name]

    def knows(self, name: str) -> bool:
        return name in self._texts

    def either(self, name: str, otherwise: str, **values: object) -> str:
        """The text, or `otherwise` if there is none."""
        return self(name, **values) if name in self._texts else otherwise


@cache
def words(language: str) -> Words:
    return Words(language)


def language_of(preferred: str, accepts: str) -> Words:
    """The chosen language, or the browser's first supported language."""
    if preferred in LANGUAGES:
        return words(preferred)
    ranges = [_RANGE.match(part) for part in accepts[:400].split(",")]
    wanted_tags = sorted(((-float(r[2] or 1), position, r[1].lower()) for position, r in enumerate(ranges) if r))
    return words(next((tag for weight, _, tag in wanted_tags if tag in LANGUAGES and weight), "en"))
