"""Compute the bytes that DynamoDB counts for a row.

The rules are those of "DynamoDB item sizes and formats" in its documentation.
"""

import math
from collections.abc import Mapping
from typing import Any

Typed = Mapping[str, Any]  # a value in DynamoDB's typed form: {"S": "text"}
Row = Mapping[str, Typed]

KILOBYTE = 1024
_CONTAINER = 3  # overhead of a list or map, even if it is empty
_ELEMENT = 1  # overhead of each of its elements


def of_row(row: Row) -> int:
    return sum(_utf8(name) + of_value(value) for name, value in row.items())


def of_value(typed: Typed) -> int:
    [(kind, value)] = typed.items()
    match kind:
        case "S":
            return _utf8(value)
        case "N":
            return of_number(value)
        case "B":
            return len(value)
        case "BOOL" | "NULL":
            return 1
        case "L":
            return _CONTAINER + sum(_ELEMENT + of_value(element) for element in value)
        case "M":
            return _CONTAINER + sum(_ELEMENT + _utf8(name) + of_value(element) for name, element in value.items())
        case "SS" | "NS" | "BS":
            return sum(of_value({kind[0]: element}) for element in value)
        case _:
            raise ValueError(f"DynamoDB has no type {kind}")


def of_number(digits: str) -> int:
    """Count one byte for every two significant digits, plus one.

    Leading and trailing zeros are not significant.
    """
    significant = digits.lower().split("e")[0].lstrip("-+").replace(".", "", 1).strip("0")
    return math.ceil(len(significant) / 2) + 1


def _utf8(text: str) -> int:
    return len(text.encode())
