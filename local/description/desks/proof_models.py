"""Response models of the Proof desk."""

from typing import Any, Literal

from readdo.lifecycle.proof_chunk import CHUNK_STATES
from readdo.lifecycle.proof_job import PHASES, STATES
from readdo.proof.job_commands import (
    BUDGET,
    MAX_COST,
    PLACE,
    PROVIDER,
    READY,
    READY_TO_MERGE,
    RECOVERED,
    USER_PAUSED,
)
from readdo.proof.text_rules import EACH_LINE, KEEP

from ..fields import NEXT_CURSOR, Answer, Count, Explained, Id, Time, Version, one_of, optional, required
from .do_models import Upload

ACTIONS = (
    *("validate", "start", "resume", "pause", "retry-failed", "merge", "reset"),
    *("output", "report", "rerun"),
)
WAITS = (READY, USER_PAUSED, READY_TO_MERGE, RECOVERED, PROVIDER, BUDGET, MAX_COST, PLACE)
FAILURES = (
    *("FILE_EMPTY", "FILE_BINARY", "TOO_LARGE", "ENCODING_FAILED", "EXECUTION_LOST", "CHUNKS_FAILED", "MERGE_FAILED"),
)


class JobAction(Answer):
    """An action that is available for the job now, with its call."""

    action: str = required("Name of the action.", **one_of(ACTIONS))
    method: Literal["GET", "POST"] = required("HTTP method of the call.")
    path: str = required("Path of the call.")


class ChunkCounts(Answer):
    """Chunks by state. They add up to `total_chunks`."""

    pending: Count = required("Chunks that wait.")
    processing: Count = required("Chunks that the model works on.")
    retrying: Count = required("Chunks that wait for another try of the same handling.")
    done: Count = required("Chunks with an output.")
    error: Count = required("Chunks that failed.")


class JobProgress(Answer):
    """Progress of a job, in chunks."""

    total_chunks: Count = required("Chunks of the text; 0 until it is validated.")
    done_chunks: Count = required("Chunks that are done.")


class JobEncoding(Answer):
    """The encoding of the uploaded text."""

    name: str = required("Name of the encoding.")
    mark: bool = required("Whether the text begins with a byte order mark.")
    confidence: str = required("How the encoding was found.", **one_of(("certain", "likely", "unsure", "named")))
    ends: str = required("The most frequent line end.", **one_of(("\n", "\r\n", "\r")))


class Estimate(Answer):
    """Size and price of one pass through the model."""

    characters: Count = required("Characters of the text after the rules.")
    chunks: Count = required("Number of chunks.")
    tokens_in: Count = optional("Tokens sent. Only with a model.")
    tokens_out: Count = optional("Tokens received. Only with a model.")
    cost: str = optional("Cost, if prices are set.")


class JobTokens(Answer):
    """Tokens that the job used."""

    sent: Count = required("Tokens sent.")
    received: Count = required("Tokens received.")


class JobFailure(Explained):
    """The failure of a job."""

    error_code: str = required("Error code, for programs.", **one_of(FAILURES))
    message: str = required("What went wrong and what to do, for users.")


class JobOutput(Answer):
    """The file that a merge wrote."""

    filename: str = required("Name of the file.")
    bytes: Count = required("Size of the file.")
    sha256: str = required("SHA-256 of the file, in lowercase hexadecimal.")


class Job(Answer):
    """A proof job: a long text that is checked chunk by chunk."""

    id: Id = required("Unique identifier. Sorts by time of creation.")
    filename: str = required("Name of the uploaded file.")
    size: Count = required("Size of the uploaded file in bytes.")
    version: Version = required("Version number. Increases with every change of the job.")
    created_at: Time = required("Time of creation.")
    updated_at: Time = required("Time of the last change.")
    done_at: Time = optional("Time when the merge was finished.")
    state: str = required("Current state. See docs/lifecycles.md for the transitions.", **one_of(STATES))
    phase: str = required("Current phase.", **one_of(PHASES))
    options: dict[str, Any] = required("All options, with their defaults.")
    engine: Literal["rules", "model"] = required("Whether a model is used.")
    encoding: JobEncoding = optional("The encoding, after the validation.")
    preview: str = optional("The first 200 characters of the text.")
    paragraphs: str = optional("How paragraphs are written.", **one_of((KEEP, EACH_LINE)))
    characters: Count = optional("Characters of the text after the rules.")
    progress: JobProgress = required("Progress in chunks.")
    counts: ChunkCounts = required("Chunks by state.")
    changes: dict[str, Count] = required("How often each rule changed the text.")
    estimate: Estimate = optional("What one pass through the model takes.")
    max_cost_watched: bool = optional("Whether `max_cost` can be watched: it needs prices. Only with `max_cost`.")
    wait_reason: str = optional("Why the job is paused or waits.", **one_of(WAITS))
    draining: bool = optional("true: chunks in progress are being finished after a pause.")
    failure: JobFailure = optional("Why the job is in state error.")
    llm_model: str | None = required("The model of the latest run; null without a model.")
    last_retry_count: Count = required("Automatic retries of all chunks.")
    tokens: JobTokens = required("Tokens used so far.")
    as_input: bool = optional("Whether the merged file has the encoding of the input.")
    output: JobOutput = optional("The merged file.")


class JobReference(Answer):
    """The response for tokens without the scope `read`."""

    id: str = required("Unique identifier of the job.")
    created_at: Time = optional("Time of creation. Only if the call created the job.")


class JobAnswer(Answer):
    """A job, the actions that are available now, and an upload URL until the text is there."""

    job: Job | JobReference = required("The job.")
    available_actions: list[JobAction] = required("Actions that are available now.")
    upload: Upload = optional("Where to upload the text.")


class JobsAnswer(Answer):
    """A page of jobs."""

    jobs: list[Job] = required("Jobs, newest first.")
    next_cursor: str | None = required(NEXT_CURSOR)


class Chunk(Answer):
    """A chunk of a text."""

    n: Count = required("Number of the chunk, from 0.")
    state: str = required("Current state.", **one_of(CHUNK_STATES))
    retries: Count = required("Automatic retries so far.")
    last_error_code: str | None = required("The last error: an HTTP status or a word. It stays after a success.")
    last_error_message: str | None = required("Message of the last error.")
    llm_model: str | None = required("The model of the last or the next call; null if none was called.")
    chars_in: Count = required("Characters of the chunk.")
    chars_out: Count | None = required("Characters of its output; null until it is done.")


class ChunksAnswer(Answer):
    """A page of chunks."""

    chunks: list[Chunk] = required("Chunks in the order of the text.")
    next_cursor: str | None = required(NEXT_CURSOR)


class DiffSegment(Answer):
    """A part of a chunk that is the same or was changed."""

    kind: Literal["same", "changed"] = required("Whether the part was changed.")
    pre: str = required("The part before.")
    out: str = required("The part after.")


class ChunkDetail(Chunk):
    """A chunk with its text."""

    pre: str = required("Text of the chunk after the rules.")
    out: str | None = required("Output of the chunk; null until it is done.")
    diff: list[DiffSegment] | None = required("Differences between both; null until the chunk is done.")


class ChunkAnswer(Answer):
    """A chunk with its text."""

    chunk: ChunkDetail = required("The chunk.")


class Report(Answer):
    """Changes of a text by rules and by the model."""

    filename: str = required("Name of the uploaded file.")
    bytes: Count = required("Size of the merged file.")
    chunks: Count = required("Number of chunks.")
    changes: dict[str, Count] = required("How often each rule changed the text.")
    retries: Count = required("Automatic retries of all chunks.")
    tokens: JobTokens = required("Tokens used.")
    cost: str = optional("Cost, if prices are set.")
    models: dict[str, Count] = required("Models used, with the number of their chunks.")
    changed_chunks: Count = required("Chunks whose text changed.")
    changed: list[Count] = required("Numbers of the first 10,000 of them.")
    diff_url: str = required("Link to a diff of the whole text, valid for 15 minutes.")


class ReportAnswer(Answer):
    """The report of a merge."""

    report: Report = required("The report.")


ANSWERS: tuple[type[Answer], ...] = (JobAnswer, JobsAnswer, ChunksAnswer, ChunkAnswer, ReportAnswer)
