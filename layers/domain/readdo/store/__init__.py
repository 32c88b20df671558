"""Access to DynamoDB. No other package calls it."""

from readdo.store.table import open_table

__all__ = ["open_table"]  # tests replace it
