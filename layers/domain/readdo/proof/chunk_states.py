"""The state of a chunk as it is read: from its row, if any, and from the epoch of the job."""

from collections.abc import Mapping
from typing import Any, cast

from readdo.lifecycle.proof_chunk import CHUNK_STATES, DONE, ERROR, PENDING, PROCESSING, RETRYING
from readdo.proof import chunk_index, job_keys
from readdo.proof.chunk_index import ChunkPlace
from readdo.proof.job_rows import ChunkRow, JobRow, ProgressRow
from readdo.store import keys
from readdo.store.table import DynamoTable

ACTIVE = "active"
FILTERS = {**{state: (state,) for state in CHUNK_STATES}, ACTIVE: (PROCESSING, RETRYING)}
_WINDOW = 500  # chunks that are read at once
_WINDOWS_MAX = 20  # of one page


def state_of(row: ChunkRow | None, progress: ProgressRow) -> str:
    if progress.get("all_done"):
        return DONE
    if row is None:
        return PENDING
    if row["status"] in FILTERS[ACTIVE]:
        return row["status"] if row["epoch"] == progress["epoch"] else PENDING
    if row["status"] == ERROR and row["epoch"] < progress["retried_at_epoch"]:
        return PENDING
    return row["status"]


def counts_of(job: JobRow, progress: ProgressRow) -> dict[str, int]:
    """The chunks in each state. They always add up to the total."""
    total = job.get("total_chunks", 0)
    active = len(progress["working"])
    counts = {
        PROCESSING: active - progress["retrying"],
        RETRYING: progress["retrying"],
        DONE: progress["done"],
        ERROR: progress["error"],
    }
    return {PENDING: total - active - progress["done"] - progress["error"], **counts}


def read_rows(table: DynamoTable, job: JobRow, first: int, count: int) -> dict[int, ChunkRow]:
    """The rows of chunks by number, from the first one on."""
    low, high = (job_keys.chunk(job["owner"], job["id"], number).sk for number in (first, first + count - 1))
    partition = keys.partition(job_keys.partition(job["owner"], job["id"]))
    return {row["n"]: cast("ChunkRow", row) for row in table.query_all(partition, ("sk", low, high))}


def list_chunks(
    table: DynamoTable, job: JobRow, progress: ProgressRow, states: str, first: int, limit: int
) -> tuple[list[dict[str, Any]], int | None]:
    """A page of chunks in their order, and the number at which the next page begins.

    With a rare state, a page may be short although more follow.
    """
    chosen = FILTERS.get(states, CHUNK_STATES)
    total = job.get("total_chunks", 0)
    if set(chosen) <= set(FILTERS[ACTIVE]):
        numbers = [number for number in sorted(progress["working"]) if number >= first]
        rows = table.get_all(job_keys.chunk(job["owner"], job["id"], number) for number in numbers)
        by_number = {row["n"]: cast("ChunkRow", row) for row in rows}
        places = chunk_index.read_places_of(job, numbers)
        views = [_view(job, n, by_number.get(n), progress, places[n]) for n in numbers if n in places]
        active = [view for view in views if view["state"] in chosen]
        return active[:limit], active[limit]["n"] if len(active) > limit else None
    page: list[dict[str, Any]] = []
    for _ in range(_WINDOWS_MAX):
        if first >= total:
            return page, None
        window = min(_WINDOW, total - first, limit if len(chosen) == len(CHUNK_STATES) else _WINDOW)
        rows_by_number = {} if progress.get("all_done") else read_rows(table, job, first, window)
        for number, place in enumerate(chunk_index.read_places(job, first, window), start=first):
            view = _view(job, number, rows_by_number.get(number), progress, place)
            if view["state"] in chosen:
                if len(page) == limit:
                    return page, number
                page.append(view)
        first += window
        if len(page) == limit and first < total:
            return page, first
    return page, first if first < total else None


def _view(job: JobRow, number: int, row: ChunkRow | None, progress: ProgressRow, place: ChunkPlace) -> dict[str, Any]:
    return chunk_view(job, number, row, state_of(row, progress), place.characters)


def chunk_view(job: JobRow, number: int, row: ChunkRow | None, state: str, characters: int) -> dict[str, Any]:
    fields: Mapping[str, Any] = row or {}
    model = fields.get("llm_model")
    if state == PENDING:
        model = job.get("llm_model")
    return {
        "n": number,
        "state": state,
        "retries": fields.get("retries", 0),
        "last_error_code": fields.get("last_error_code"),
        "last_error_message": fields.get("last_error_message"),
        "llm_model": model or None,
        "chars_in": characters,
        "chars_out": fields.get("chars_out", characters) if state == DONE else None,
    }
