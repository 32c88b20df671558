"""Check and normalize single fields of an assignment."""

import re
from typing import Any
from urllib.parse import urlsplit

from readdo.collect.document_paths import clean_path, path_problem

TITLE_MAX, TEXT_MAX, URL_MAX, ENTRIES_MAX = 300, 4000, 2000, 200
Problem = tuple[str, str]  # field, message


class TooManyDocuments(str):
    """The message of a field with more documents than allowed."""


class MissingField(str):
    """The message of a field that is required."""


class FieldChecks:
    """Each check returns the normalized field, or nothing and adds an error."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self._raw = raw
        self._errors: list[Problem] = []
        self._warnings: list[str] = []

    def _error(self, name: str, words: str) -> None:
        self._errors.append((name, words))

    def _text(self, name: str, value: Any, most: int) -> dict[str, str]:
        if not isinstance(value, str):
            self._error(name, "must be a text")
        elif len(value) > most:
            self._error(name, f"is too long: at most {most:,} characters are allowed")
        else:
            text = value.strip()
            return {name: text} if text else {}
        return {}

    def _whole(self, name: str, least: int, most: int) -> dict[str, int]:
        value = self._raw[name]
        number = int(value) if isinstance(value, float) and value.is_integer() else value
        if isinstance(number, int) and not isinstance(number, bool) and least <= number <= most:
            return {name: number}
        self._error(name, f"must be a whole number from {least} to {most}")
        return {}

    def _path(self, name: str, value: Any, *, is_document: bool = True) -> str:
        if problem := path_problem(value):
            self._error(name, problem)
            return ""
        path = clean_path(value)
        if is_document and not path.endswith(".md"):
            self._warnings.append(f"{name} does not end in .md, and documents of the library do")
        return path

    def _target_file(self, name: str) -> dict[str, Any]:
        path = self._path(name, self._raw[name])
        return {name: path} if path else {}

    def _target_files(self, name: str) -> dict[str, Any]:
        values = self._raw[name]
        if not isinstance(values, list):
            self._error(name, "must be a list of paths")
            return {}
        if len(values) > ENTRIES_MAX:
            self._error(name, f"has more than {ENTRIES_MAX} entries")
            return {}
        paths = [self._path(f"{name}[{place}]", value) for place, value in enumerate(values)]
        return {name: list(dict.fromkeys(path for path in paths if path))} if any(paths) else {}

    def _document_list(self, name: str) -> dict[str, Any]:
        values = self._raw[name]
        if not isinstance(values, list):
            self._error(name, "must be a list of documents, each with title and file")
            return {}
        if len(values) > ENTRIES_MAX:
            self._error(name, f"has more than {ENTRIES_MAX} entries")
            return {}
        entries = [self._entry(f"{name}[{place}]", value) for place, value in enumerate(values)]
        seen: set[str] = set()
        for place, entry in enumerate(entries):
            if entry and entry["file"] in seen:
                self._error(f"{name}[{place}].file", "is listed twice")
            seen |= {entry["file"]} if entry else set()
        return {name: [entry for entry in entries if entry]} if any(entries) else {}

    def _entry(self, name: str, value: Any) -> dict[str, Any] | None:
        if not isinstance(value, dict):
            self._error(name, "must be an object with title and file")
            return None
        before = len(self._errors)
        title = self._text(f"{name}.title", value.get("title", ""), TITLE_MAX)
        if not title and len(self._errors) == before:
            self._error(f"{name}.title", MissingField("is required"))
        if value.get("file") is None:
            self._error(f"{name}.file", MissingField("is required"))
            return None
        path = self._path(f"{name}.file", value["file"])
        more = {key: inner for key, inner in value.items() if key not in ("title", "file") and inner is not None}
        return {"title": title[f"{name}.title"], "file": path, **more} if title and path else None

    def _url(self, name: str) -> dict[str, Any]:
        text = self._text(name, self._raw[name], URL_MAX)
        if text and not is_web_address(text[name]):
            self._error(name, "must be an address without blanks that begins with http:// or https://")
            return {}
        return text

    def _resource_list(self, name: str) -> dict[str, Any]:
        value = self._raw[name]
        if isinstance(value, str):
            path = self._path(name, value, is_document=False)
            return {name: path} if path else {}
        if not isinstance(value, list) or not all(isinstance(entry, str | dict) for entry in value):
            self._error(name, "must be the path of a list in the library, or a list of resources")
            return {}
        if len(value) > ENTRIES_MAX:
            self._error(name, f"has more than {ENTRIES_MAX} entries")
            return {}
        return {name: value} if value else {}

    def _texts(self, name: str) -> dict[str, Any]:
        """A text or a list of texts."""
        value = self._raw[name]
        if isinstance(value, str):
            return self._text(name, value, TEXT_MAX)
        if not isinstance(value, list) or len(value) > ENTRIES_MAX:
            self._error(name, f"must be a text, or a list of up to {ENTRIES_MAX} texts")
            return {}
        texts = [self._text(f"{name}[{place}]", entry, TEXT_MAX) for place, entry in enumerate(value)]
        listed = [entry for text in texts for entry in text.values()]
        return {name: listed} if listed else {}

    def _description(self, name: str) -> dict[str, Any]:
        return self._text(name, self._raw[name], TEXT_MAX)

    def _max_results(self, name: str) -> dict[str, Any]:
        return self._whole(name, 1, 100)


def is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", text)
    except ValueError:
        return False
