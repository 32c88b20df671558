"""Connect ministack's DynamoDB to the rows in SQLite.

ministack checks each request and evaluates its expressions, as it does without this module. It would read the key
condition once for every row of a partition, so a query and a scan see only the rows of their page.
"""

import functools
import json
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from stack.table_file import TableFile
from stack.table_pages import Page, Request, query_page, scan_page
from stack.table_rows import Layout, Rows

WRITES = ("put_item", "delete_item", "update_item", "batch_write_item", "transact_write_items")
TOKEN_SECONDS = 30  # for repeating a transaction by its token; ministack keeps tokens for 10 minutes, in memory
READS = ("get_item", "batch_get_item", "transact_get_items")


def import_dynamodb() -> Any:
    """Import ministack's DynamoDB without its thread that looks for expired rows in the whole table."""
    start = threading.Thread.start
    threading.Thread.start = lambda self: None if self.name == "dynamodb-ttl-reaper" else start(self)  # type: ignore[method-assign]
    try:
        from ministack.services import dynamodb  # noqa: PLC0415  # it reads the environment on import
    finally:
        threading.Thread.start = start  # type: ignore[method-assign]
    return dynamodb


def install(dynamodb: Any, file: TableFile) -> None:
    """Replace the actions of ministack's DynamoDB that read and write rows."""
    for name in WRITES:
        setattr(dynamodb, f"_{name}", _locked(dynamodb, file, file.transaction, getattr(dynamodb, f"_{name}")))
    for name in READS:
        setattr(dynamodb, f"_{name}", _locked(dynamodb, file, lambda: file.lock, getattr(dynamodb, f"_{name}")))
    dynamodb._TXN_TOKEN_TTL = TOKEN_SECONDS
    dynamodb._query = _paged(dynamodb, file, dynamodb._query, query_page)
    dynamodb._scan = _paged(dynamodb, file, dynamodb._scan, scan_page)
    dynamodb._delete_table = _dropping(dynamodb, file, dynamodb._delete_table)


def _locked(
    dynamodb: Any,
    file: TableFile,
    lock: Callable[[], AbstractContextManager[Any]],
    action: Callable[[Request], Any],
) -> Callable[[Request], Any]:
    @functools.wraps(action)
    def run(data: Request) -> Any:
        with lock():
            adopt_tables(dynamodb, file)
            return action(data)

    return run


def _paged(
    dynamodb: Any,
    file: TableFile,
    action: Callable[[Request], Any],
    page: Callable[[Any, dict[str, Any], Request], Page | None],
) -> Callable[[Request], Any]:
    @functools.wraps(action)
    def run(data: Request) -> Any:
        with file.lock:
            adopt_tables(dynamodb, file)
            table = dynamodb._tables.get(str(dynamodb._normalize_table_name(data.get("TableName"))))
            if table is None:
                return action(data)
            rows = table["items"]
            try:
                if (found := page(dynamodb, table, data)) is not None:
                    table["items"] = found
                return action(data)
            finally:
                table["items"] = rows
                table.pop(dynamodb._INDEX_MEMBERS, None)  # ministack's own index, built of this page only

    return run


def _dropping(dynamodb: Any, file: TableFile, action: Callable[[Request], Any]) -> Callable[[Request], Any]:
    @functools.wraps(action)
    def run(data: Request) -> Any:
        with file.transaction():
            answer = action(data)
            present = {table["TableName"] for table in dynamodb._tables.all_values()}
            for number, name in file.connection.execute("SELECT id, name FROM tables").fetchall():
                if name not in present:
                    for part in ("tables WHERE id", "rows WHERE tbl", "entries WHERE tbl"):
                        file.connection.execute(f"DELETE FROM {part} = ?", (number,))  # noqa: S608  # our own words
            return answer

    return run


def adopt_tables(dynamodb: Any, file: TableFile) -> None:
    """Put the rows of each table into the file: of a new table, a loaded snapshot or a changed layout."""
    for (account, region, name), table in dynamodb._tables.all_items():
        rows, layout = (
            table["items"],
            layout_of(dynamodb, table, dynamodb._ttl_settings.get_scoped(account, region, name)),
        )
        if isinstance(rows, Rows) and rows.layout == layout:
            continue
        with file.transaction():
            table["items"] = _adopt(file, name, layout, rows)
            table["ItemCount"] = table["items"].count()


def _adopt(file: TableFile, name: str, layout: Layout, present: Any) -> Rows:
    connection, text = file.connection, json.dumps([layout.indexes, layout.ttl])
    known = connection.execute("SELECT layout FROM tables WHERE name = ?", (name,)).fetchone()
    if not known:
        connection.execute("INSERT INTO tables (name, layout) VALUES (?, ?)", (name, text))
    [(number,)] = connection.execute("SELECT id FROM tables WHERE name = ?", (name,))
    file.layouts[number] = layout
    rows = Rows(file, number, layout)
    if not known:
        rows.update(present)
    elif known != (text,):
        connection.execute("UPDATE tables SET layout = ? WHERE id = ?", (text, number))
        rows.index_again()
    return rows


def layout_of(dynamodb: Any, table: dict[str, Any], ttl: dict[str, Any] | None) -> Layout:
    keys = [(name, hashes, ranges) for name, hashes, ranges in dynamodb._index_key_schemas(table)]
    indexes = tuple(
        (name, hashes[0], "".join(ranges)) for name, hashes, ranges in keys if len(hashes) == 1 >= len(ranges)
    )
    enabled = ttl is not None and ttl.get("TimeToLiveStatus") == "ENABLED"
    types = {definition["AttributeType"] for definition in table["AttributeDefinitions"]}
    return Layout(indexes, ttl["AttributeName"] if ttl and enabled else "", types == {"S"})


def remove_expired(dynamodb: Any, file: TableFile) -> None:
    """Delete rows whose time to live has passed, in place of ministack's walk through all rows."""
    dynamodb._txn_token_sweep_at = 0  # the next transaction deletes old tokens
    with file.transaction():
        adopt_tables(dynamodb, file)
        tables = {table["items"].number: table for table in dynamodb._tables.all_values()}
        found = file.connection.execute("SELECT tbl, pk, sk FROM rows WHERE expires <= ? LIMIT 1000", (time.time(),))
        for number, pk, sk in found.fetchall():
            dynamodb._remove_item(tables[number], pk, sk)
