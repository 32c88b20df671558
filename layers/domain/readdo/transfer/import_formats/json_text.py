"""Parse JSON with a limit of depth."""

import json
from typing import Any

from readdo.messages import message
from readdo.transfer.import_formats.rejections import BadFile


class NoJson:
    """Marker for a text that is not JSON."""


NO_JSON = NoJson()


def value_of(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BadFile(message("import_file.nested_too_deep")) from None
    except ValueError:
        return NO_JSON


def objects(data: Any, *names: str) -> list[dict[str, Any]]:
    """Objects of a list, or of an object's first list with one of these names."""
    if isinstance(data, dict):
        data = next((data[name] for name in names if isinstance(data.get(name), list)), [])
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def objects_in(data: Any, name: str) -> list[dict[str, Any]]:
    """Objects of the list with this name."""
    return objects(data.get(name)) if isinstance(data, dict) else []
