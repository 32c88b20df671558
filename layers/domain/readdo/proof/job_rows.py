"""Types of the rows of a proof job, and how they are read."""

from typing import NotRequired, TypedDict, cast

from readdo.jobs.sliced_job import JobFields
from readdo.lifecycle.advance import NotFound, living
from readdo.lifecycle.proof_job import JOB
from readdo.lifecycle.write import Table
from readdo.messages import MessageFields
from readdo.proof import job_keys
from readdo.store.keys import Expiry, FileFields, HistoryEntry, StatusFields

RULES_ENGINE, MODEL_ENGINE = "rules", "model"


class OptionFields(TypedDict):
    """As the user gave them, with the default of each missing one."""

    engine: str
    rules: dict[str, bool]
    chunk_chars: int
    encoding: str
    model: str
    timeout: int
    max_concurrency: int
    keep_raw: bool
    extra_params: str  # JSON: the table has no floats
    paragraphs: str
    mode: str
    max_cost: str  # a decimal; empty: no limit


class EncodingFields(TypedDict):
    name: str
    mark: bool  # a byte order mark
    confidence: str
    ends: str  # the most frequent line end


class ProofFailure(MessageFields):
    error_code: str
    message: str


class MergedFile(FileFields):
    filename: str


class JobRow(JobFields, StatusFields):
    filename: str
    size: int
    options: OptionFields
    execution: int  # the number of the newest execution
    run_id: NotRequired[str]  # of that execution, in the list of runs
    history: list[HistoryEntry]
    # Written by the validation
    text_at: NotRequired[str]  # folder of the text and the index of chunks
    encoding: NotRequired[EncodingFields]
    preview: NotRequired[str]
    paragraphs: NotRequired[str]
    characters: NotRequired[int]
    tokens: NotRequired[int]  # estimate for one pass through the model
    total_chunks: NotRequired[int]
    changes: NotRequired[dict[str, int]]
    # Written by the processing
    wait_reason: NotRequired[str]
    failure: NotRequired[ProofFailure]
    llm_model: NotRequired[str]
    touched: NotRequired[bool]
    draining: NotRequired[bool]
    place: NotRequired[str]
    queued_at: NotRequired[str]
    # Written by the merge
    as_input: NotRequired[bool]
    merged: NotRequired[MergedFile]
    report_at: NotRequired[str]
    diff_at: NotRequired[str]
    done_at: NotRequired[str]


class ProgressRow(TypedDict):
    """The counts of a job. Its epoch fences all writes of a slice."""

    epoch: int
    done: int
    error: int
    retries: int
    retrying: int
    working: list[int]  # chunks that are processing or retrying
    retried_at_epoch: int  # chunks that failed with an older epoch are pending
    draining: NotRequired[bool]  # no further chunk may be claimed
    all_done: NotRequired[bool]  # by rules alone: chunks have no rows
    tokens_in: NotRequired[int]
    tokens_out: NotRequired[int]
    tokens_before: NotRequired[list[int]]  # at the last start: `max_cost` limits what came after


class ChunkRow(StatusFields):
    n: int
    epoch: int
    tries: int
    retries: int
    llm_model: str
    last_error_code: NotRequired[str]
    last_error_message: NotRequired[str]
    chars_out: NotRequired[int]
    out_at: NotRequired[str]  # missing: the output equals the input


class JobTombstone(Expiry):
    """Left by a reset, until the last files are deleted."""

    id: str
    owner: str


NO_PROGRESS: ProgressRow = {
    "epoch": 0,
    "done": 0,
    "error": 0,
    "retries": 0,
    "retrying": 0,
    "working": [],
    "retried_at_epoch": 0,
}


def find_job(table: Table, owner: str, job_id: str, trigger: str = "look") -> JobRow:
    row = living(table.get(job_keys.job(owner, job_id)))
    if row is None:
        raise NotFound(JOB, trigger, None)
    return cast("JobRow", row)


def progress_of(table: Table, owner: str, job_id: str) -> ProgressRow:
    row = table.get(job_keys.progress(owner, job_id))
    return cast("ProgressRow", row) if row else NO_PROGRESS
