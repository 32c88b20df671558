"""Files of the Collect desk on this machine: JSON files of batches, and documents in folders."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terminal.api import at


def read_json(text: str) -> Any:
    """NaN and Infinity are refused: they are not JSON."""
    return json.loads(text, parse_constant=_reject)


def _reject(name: str) -> None:
    raise json.JSONDecodeError(f"{name} is not a number of JSON", name, 0)


def write_json(file: Path, value: Any) -> None:
    """Write the file at once: a program that waits for it never reads half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f".{file.name}.part")
    draft.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    draft.replace(file)


def document_at(path: str) -> str:
    return at("documents", *path.split("/"))


def documents_of(task: Mapping[str, Any]) -> list[str]:
    """The paths of the documents that an assignment names."""
    files = task.get("target_files") or []
    listed = task.get("document_list") or []
    paths = [*files, task.get("target_file"), *(entry.get("file") for entry in listed if isinstance(entry, dict))]
    return [path for path in dict.fromkeys(paths) if isinstance(path, str)]


def is_inside(path: str) -> bool:
    """A path of the library. Others are never written to the disk."""
    parts = path.replace("\\", "/").split("/")
    return path.endswith(".md") and not {"", ".", ".."} & set(parts) and ":" not in parts[0]
