"""JSON under a limit of depth. What is no JSON is told where it stops being so."""

import json
from typing import Any

from readdo.import_formats.rejections import BadFile
from readdo.messages import message


class NoJson:
    """Not a value that JSON could have: the text is none."""


NO_JSON = NoJson()


def value_of(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise BadFile(message("import_file.nested_too_deep")) from None
    except ValueError:
        return NO_JSON


def objects(data: Any, *names: str) -> list[dict[str, Any]]:
    """A list's objects; of an object, those of its list of one of these names."""
    if isinstance(data, dict):
        data = next((data[name] for name in names if isinstance(data.get(name), list)), [])
    return [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []


def objects_in(data: Any, name: str) -> list[dict[str, Any]]:
    """The objects in a list below a name, if it is one."""
    return objects(data.get(name)) if isinstance(data, dict) else []
