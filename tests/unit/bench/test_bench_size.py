"""Row sizes computed by hand with the rules of "DynamoDB item sizes and formats"."""

from typing import Any

import pytest

from bench.dynamo_size import of_number, of_row, of_value


@pytest.mark.parametrize(
    ("digits", "size"),
    [
        ("0", 1),  # no significant digit
        ("7", 2),
        ("42", 2),
        ("123", 3),
        ("100", 2),  # zeros at the end are trimmed
        ("0.5", 2),  # and leading zeros
        ("12.50", 3),
        ("-42", 2),
        ("123456789", 6),
        ("1.5E+10", 2),
    ],
)
def test_number_takes_a_byte_per_two_digits_plus_one(digits: str, size: int) -> None:
    assert of_number(digits) == size


@pytest.mark.parametrize(
    ("typed", "size"),
    [
        ({"S": ""}, 0),
        ({"S": "lease"}, 5),
        ({"S": "租约"}, 6),  # three bytes each in UTF-8
        ({"B": b"\x00\x01"}, 2),
        ({"BOOL": False}, 1),
        ({"NULL": True}, 1),
        ({"L": []}, 3),
        ({"L": [{"S": "a"}, {"S": "bc"}]}, 3 + (1 + 1) + (1 + 2)),
        ({"M": {}}, 3),
        ({"M": {"at": {"N": "12"}}}, 3 + 1 + 2 + 2),
        ({"M": {"a": {"L": [{"BOOL": True}]}}}, 3 + 1 + 1 + (3 + 1 + 1)),
        ({"SS": ["a", "租"]}, 1 + 3),
        ({"NS": ["1", "123"]}, 2 + 3),
    ],
)
def test_value_size_includes_container_overhead(typed: dict[str, Any], size: int) -> None:
    assert of_value(typed) == size


def test_row_size_is_its_names_plus_its_values() -> None:
    assert of_row({"pk": {"S": "O#me"}, "版本": {"N": "3"}, "made": {"M": {}}}) == (2 + 4) + (6 + 2) + (4 + 3)


def test_unknown_type_raises_an_error() -> None:
    with pytest.raises(ValueError, match="no type X"):
        of_value({"X": 1})
