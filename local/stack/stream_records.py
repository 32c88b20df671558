"""Delete stream records that every function has read.

ministack keeps each for 24 hours, in memory.
"""

import functools
import threading
from typing import Any

_lock = threading.Lock()  # functions are invoked from another thread, which reads records by their position


def lock_reads(dynamodb: Any) -> None:
    """Let no record be deleted while ministack computes the place of another one."""
    read = dynamodb.stream_records_since

    @functools.wraps(read)
    def stream_records_since(*args: Any, **more: Any) -> Any:
        with _lock:
            return read(*args, **more)

    dynamodb.stream_records_since = stream_records_since


def delete_read_records(dynamodb: Any, lambda_svc: Any) -> None:
    readers = [source["UUID"] for _, _, source in lambda_svc._iter_all_esms() if source.get("Enabled", True)]
    for (account, region, table), records in dynamodb._stream_records.all_items():
        deleted = dynamodb._stream_trimmed.get_scoped(account, region, table, 0)
        positions = lambda_svc._dynamodb_stream_positions
        with _lock:
            read = min((positions.get(reader, deleted) for reader in readers), default=deleted + len(records))
            del records[: max(0, read - deleted)]
            dynamodb._stream_trimmed.set_scoped(account, region, table, max(deleted, read))
