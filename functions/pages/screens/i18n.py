"""The page's own words, in the reader's language. A text is looked up by its name; a missing one is an error."""

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
        """For what comes from elsewhere with words of its own."""
        return self(name, **values) if name in self._texts else otherwise


@cache
def words(language: str) -> Words:
    return Words(language)


def language_of(liked: str, accepts: str) -> Words:
    """The language that was chosen, or else the first of the browser's that we speak."""
    if liked in LANGUAGES:
        return words(liked)
    ranges = [_RANGE.match(part) for part in accepts[:400].split(",")]
    asked = sorted(((-float(r[2] or 1), place, r[1].lower()) for place, r in enumerate(ranges) if r))
    return words(next((tag for weight, _, tag in asked if tag in LANGUAGES and weight), "en"))
