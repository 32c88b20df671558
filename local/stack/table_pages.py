"""Find the rows of one page of a query or a scan by SQL.

A function here returns None when the request is malformed, which ministack rejects, or of a kind that the product does
not use: ministack then reads the whole partition or table.
"""

import json
from collections.abc import Iterable
from typing import Any

from stack.table_rows import Item

Request = dict[str, Any]
Page = dict[str, dict[str, Item]]
Bounds = dict[str, list[tuple[str, str]]]  # attribute: operators and values

PAGE_BYTES = 2**20  # DynamoDB ends a page of a query or a scan here
LAST = "\U0010ffff" * 256  # a key has at most 1,024 bytes, so no key with a prefix sorts after the prefix + LAST
OPERATORS = {"EQ": "=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">="}
MIRRORED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def query_page(dynamodb: Any, table: dict[str, Any], data: Request) -> Page | None:
    index, after, limit = data.get("IndexName"), data.get("ExclusiveStartKey"), data.get("Limit")
    partition_key, sort_key, _ = dynamodb._resolve_index_keys(table, index)
    bounds, layout = key_bounds(dynamodb, data), table["items"].layout
    if not layout.sortable or not _is_count(limit) or bounds is None or set(bounds) - {partition_key, sort_key}:
        return None
    if [operator for operator, _ in bounds.get(partition_key, ())] != ["="]:
        return None
    if index is None:
        source, where, columns, names = "rows", "tbl = ? AND pk = ?", ["sk"], [sort_key]
    elif index in {name for name, _, _ in layout.indexes}:
        source, where = "entries CROSS JOIN rows USING (tbl, pk, sk)", "tbl = ? AND part = ? AND idx = ?"
        columns, names = ["sort", "pk", "sk"], [sort_key, table["pk_name"], table["sk_name"]]
    else:
        return None
    values = [bounds[partition_key][0][1], *([index] if index else [])]
    for operator, value in bounds.get(sort_key, ()):
        where += f" AND {columns[0]} {operator} ?"
        values.append(value)
    forward = data.get("ScanIndexForward", True)
    if after:
        place = [_text(after, name) for name in names]
        if None in place:
            return None
        where += f" AND ({', '.join(columns)}) {'>' if forward else '<'} ({', '.join('?' * len(columns))})"
        values += [value for value in place if value is not None]
    order = ", ".join(f"{column} {'ASC' if forward else 'DESC'}" for column in columns)
    found = table["items"].select(f"SELECT pk, sk, item FROM {source} WHERE {where} ORDER BY {order}", *values)  # noqa: S608  # our own words
    return _read_page(dynamodb, table, found, data)


def scan_page(dynamodb: Any, table: dict[str, Any], data: Request) -> Page | None:
    after = data.get("ExclusiveStartKey")
    if not table["items"].layout.sortable or data.get("IndexName") or data.get("Segment") is not None:
        return None
    place = [_text(after, table["pk_name"]), _text(after, table["sk_name"])] if after else ["", ""]
    if None in place or not _is_count(data.get("Limit")):
        return None
    sql = "SELECT pk, sk, item FROM rows WHERE tbl = ? AND (pk, sk) > (?, ?) ORDER BY pk, sk"
    return _read_page(dynamodb, table, table["items"].select(sql, *place), data)


def key_bounds(dynamodb: Any, data: Request) -> Bounds | None:
    """Return what the key condition says of each attribute."""
    expression = data.get("KeyConditionExpression")
    if not isinstance(expression, str):
        return None
    left_out = ("LPAREN", "RPAREN", "COMMA", "EOF")
    tokens = [token for token in dynamodb._tokenize(expression) if token[0] not in left_out]
    bounds: Bounds = {}
    try:
        while tokens:
            if tokens[0][1].upper() == "AND":
                del tokens[0]
            attribute, conditions, length = _clause(tokens, data)
            bounds.setdefault(attribute, []).extend(conditions)
            del tokens[:length]
    except (AttributeError, IndexError, KeyError, TypeError):
        return None
    return bounds


def _clause(tokens: list[tuple[str, str]], data: Request) -> tuple[str, list[tuple[str, str]], int]:
    """Return the attribute, the operators and the number of tokens of the first clause."""

    def name(token: tuple[str, str]) -> str:
        return str(data["ExpressionAttributeNames"][token[1]]) if token[0] == "NAME_REF" else token[1]

    def value(token: tuple[str, str]) -> str:
        return str(data["ExpressionAttributeValues"][token[1]]["S"])

    if tokens[0][1].lower() == "begins_with":
        prefix = value(tokens[2])
        return name(tokens[1]), [(">=", prefix), ("<=", prefix + LAST)], 3
    if tokens[1][1].upper() == "BETWEEN":
        return name(tokens[0]), [(">=", value(tokens[2])), ("<=", value(tokens[4]))], 5
    operator = OPERATORS[tokens[1][0]]
    if tokens[0][0] == "VALUE_REF":
        return name(tokens[2]), [(MIRRORED[operator], value(tokens[0]))], 3
    return name(tokens[0]), [(operator, value(tokens[2]))], 3


def _read_page(dynamodb: Any, table: dict[str, Any], found: Iterable[tuple[str, str, bytes]], data: Request) -> Page:
    """Read rows up to the limit, or until they exceed what DynamoDB reads for one page."""
    page: Page = {}
    size, limit, index = 0, data.get("Limit"), data.get("IndexName")
    for count, (pk, sk, text) in enumerate(found, 1):
        item = json.loads(text)
        page.setdefault(pk, {})[sk] = item
        if limit is None:
            size += dynamodb._item_size_bytes(dynamodb._apply_index_projection(item, table, index) if index else item)
        if count == limit or size > PAGE_BYTES:
            break
    return page


def _is_count(limit: Any) -> bool:
    return limit is None or (isinstance(limit, int) and limit > 0)


def _text(key: Any, name: str | None) -> str | None:
    """Return a key attribute of a cursor; "" if the index or the table has no such key."""
    if not name:
        return ""
    found = key.get(name) if isinstance(key, dict) else None
    text = found.get("S") if isinstance(found, dict) else None
    return text if isinstance(text, str) else None
