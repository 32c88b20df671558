"""Measure the local stack with 100,000 items: calls, start, memory, and an import."""

import hashlib
import json
import statistics
import subprocess
import tempfile
import time
import urllib.request
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from bench.caller import Caller
from bench.figure import Figure, Figures, Say
from bench.local_stack import PATIENCE, Stack, local_stack
from readdo import clock
from readdo.read import item_keys
from readdo.store.table import to_dynamo
from stack.table_file import TableFile
from stack.table_rows import Layout, write_row

SMALL, MIDDLE, LARGE = 20, 1_000, 100_000
LINES = 5_000
CALLS = 40
_number = count()


def figures(say: Say) -> Figures:
    with tempfile.TemporaryDirectory(prefix="readdo-bench-") as folder:
        home = Path(folder)
        with local_stack(home) as stack:
            Caller(stack).request("POST", "/capture", _link())
        _add_items(home, SMALL)
        say(f"{SMALL} items")
        with local_stack(home) as stack:
            few = _times(Caller(stack))
            yield Figure("local stack at rest, memory", _megabytes(stack), "MB", target=500)
        _add_items(home, MIDDLE)
        with local_stack(home) as stack:
            say(f"{MIDDLE:,} items")
            some = _times(Caller(stack))
            yield Figure(f"GET /items of {MIDDLE:,}, p50", some["inbox"], "ms", few["inbox"], 2)
        say(f"writing {LARGE:,} items")
        _add_items(home, LARGE)
        with local_stack(home) as stack:
            say(f"{LARGE:,} items")
            many = _times(Caller(stack))
            yield Figure(f"local start with {LARGE:,} items", stack.seconds, "s", target=5)
            yield Figure(f"GET /items of {LARGE:,}, p50", many["inbox"], "ms", target=100)
            yield Figure(f"POST /capture with {LARGE:,} items, p50", many["capture"], "ms", few["capture"], 1.3)
            say(f"importing {LINES:,} links")
            # 50,000 lines in 15 minutes
            yield Figure("import of 1,000 links", _import(Caller(stack)) * 1000 / LINES, "s", target=18)
            yield Figure(f"local stack with {LARGE:,} items, memory", _megabytes(stack), "MB", target=800)


def _times(caller: Caller) -> dict[str, float]:
    """Return the median milliseconds of each call."""
    calls = {
        "inbox": lambda: caller.request("GET", "/items"),
        "capture": lambda: caller.request("POST", "/capture", _link()),
    }
    return {name: statistics.median(_milliseconds(call) for _ in range(CALLS)) for name, call in calls.items()}


def _milliseconds(call: Any) -> float:
    began = time.perf_counter()
    call()
    return (time.perf_counter() - began) * 1000


def _link() -> dict[str, Any]:
    return {"url": f"https://example.org/{next(_number)}", "intent_text": "how leases fence writes", "process": False}


def _add_items(home: Path, number: int) -> None:
    """Write copies of the captured item into the file of a stopped stack."""
    file = TableFile(home / "table")
    connection = file.connection
    [(table, layout)] = connection.execute("SELECT id, layout FROM tables")
    indexes, ttl = json.loads(layout)
    columns = Layout(tuple((name, hash_, range_) for name, hash_, range_ in indexes), ttl, sortable=True)
    [(text,)] = connection.execute("SELECT item FROM rows WHERE sk LIKE 'I#%' LIMIT 1")
    row, oldest = json.loads(text), datetime.now(UTC) - timedelta(days=3000)
    states = [("READY", priority) for priority in item_keys.READY_BANDS] + [("ARCHIVED", "")] * 8
    with file.transaction():
        for n in range(number):
            status, priority = states[n % len(states)]
            item_id = clock.new_id(clock.stamp(oldest + timedelta(minutes=n)))
            place = (
                item_keys.inbox_place_ready(priority, n % 100, item_id)
                if priority
                else item_keys.inbox_place(status, item_id)
            )
            key = item_keys.item(row["owner"]["S"], item_id)
            fields = {**key._asdict(), **place, "id": item_id, "status": status, "title": f"Fencing tokens {n}"}
            copy = {**row, **{name: to_dynamo(value) for name, value in fields.items()}}
            write_row(connection, table, columns, (key.pk, key.sk), copy)
    connection.close()


def _import(caller: Caller) -> float:
    """Import links and return the seconds that it took."""
    body = "".join(f"https://example.com/{next(_number)}\n" for _ in range(LINES)).encode()
    told = {"filename": "links.txt", "size": len(body), "sha256": hashlib.sha256(body).hexdigest(), "process": False}
    created = caller.request("POST", "/import", told)
    upload = urllib.request.Request(created["upload"]["url"], body, created["upload"]["headers"], method="PUT")  # noqa: S310  # our own stack
    urllib.request.urlopen(upload).close()  # noqa: S310  # the same
    began, path = time.monotonic(), f"/imports/{created['import']['id']}"
    caller.request("POST", f"{path}/start", {})
    while (status := caller.request("GET", path)["import"]["status"]) != "DONE":
        if status == "FAILED" or time.monotonic() - began > 5 * PATIENCE:
            raise RuntimeError(f"the import is {status}")
        time.sleep(0.5)
    return time.monotonic() - began


def _megabytes(stack: Stack) -> float:
    """Return the memory of the launcher and the functions."""
    listing = subprocess.run(["ps", "-eo", "pid=,ppid=,rss="], capture_output=True, text=True, check=True).stdout  # noqa: S607  # where the system has it
    rows = [[int(field) for field in line.split()] for line in listing.splitlines()]
    return sum(rss for pid, parent, rss in rows if stack.process in (pid, parent)) / 1024
