"""The work on one chunk, in a thread: call the model, retry, check the output and store it."""

import queue
import random
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from string import Template
from typing import Any

from readdo import files
from readdo.engine.prompts import template_parts, tokens_in
from readdo.messages import message
from readdo.proof.chunk_index import ChunkPlace, read_chunk
from readdo.proof.job_files import output_at, response_at
from readdo.proof.job_rows import JobRow
from readdo.proof.model_calls import CallFailed, Model, ModelReply
from readdo.proof.output_checks import OutputRefused, clean_output
from readdo.proof.slice_limits import CallGate
from readdo.proof.text_rules import KEEP, TextRules
from readdo.runtime import log_error

RETRY_SECONDS = (1.0, 2.0)
_SPREAD = 0.25  # each wait is up to a quarter longer or shorter
MESSAGE_MAX = 300
INTERNAL = "internal"


@dataclass(frozen=True)
class CallAnswered:
    """The model responded with a text, good or bad."""

    number: int


@dataclass(frozen=True)
class CallWithoutAnswer:
    number: int
    is_outage: bool
    is_rate_limit: bool
    wait: float  # seconds, from Retry-After


@dataclass(frozen=True)
class RetryWait:
    """The chunk waits for its next try."""

    number: int
    code: str
    text: str


@dataclass(frozen=True)
class TriedAgain:
    number: int


@dataclass(frozen=True)
class Finished:
    """The chunk is done, or in error if it has a code."""

    number: int
    tries: int
    model: str = ""
    code: str = ""
    text: str = ""
    out_at: str = ""  # empty: the output equals the input
    characters: int = 0
    tokens_in: int = 0
    tokens_out: int = 0


Event = CallAnswered | CallWithoutAnswer | RetryWait | TriedAgain | Finished


@dataclass(frozen=True)
class ChunkWorker:
    """The data that all threads of a slice share."""

    job: JobRow
    epoch: int
    model: Model
    model_name: str
    extra: Mapping[str, Any]
    rules: TextRules
    events: "queue.SimpleQueue[Event]"
    stopped: threading.Event
    gate: CallGate

    def work(self, number: int, place: ChunkPlace, tries: int) -> None:
        """`tries`: how often the model was called for this chunk before."""
        try:
            self.events.put(self._finish(number, read_chunk(self.job, place), tries))
        except Exception as error:
            log_error("a chunk failed", error, job=self.job["id"], chunk=str(number))
            self.events.put(Finished(number, tries, code=INTERNAL, text=message("proof.internal")))

    def _finish(self, number: int, source: str, tries: int) -> Finished:
        if not source.strip():
            return Finished(number, tries, characters=len(source))
        deadline = time.monotonic() + self.job["options"]["timeout"]
        prompt = render_prompt(source, is_first=number == 0)
        sent = 0
        for wait in (*RETRY_SECONDS, 0.0):
            tries += 1
            sent += 1
            try:
                with self.gate.call(self.stopped, deadline):
                    reply = self.model.call(self.model_name, prompt, self.extra, deadline)
            except CallFailed as failure:
                self._keep_response(number, tries, failure.raw, is_failure=True)
                limited = failure.code == "429"
                self.events.put(CallWithoutAnswer(number, failure.is_outage, limited, failure.retry_after))
                pause = max(wait * random.uniform(1 - _SPREAD, 1 + _SPREAD), failure.retry_after)  # noqa: S311
                if not (failure.is_retried and wait) or time.monotonic() + pause >= deadline:
                    return self._failed(number, tries, failure.code, failure.text)
                self.events.put(RetryWait(number, failure.code, failure.text[:MESSAGE_MAX]))
                if self.stopped.wait(pause):
                    return self._failed(number, tries, failure.code, failure.text)
                self.events.put(TriedAgain(number))
                continue
            self.events.put(CallAnswered(number))
            return self._checked(number, source, reply, prompt, tries)
        raise AssertionError("the last try returns")

    def _checked(self, number: int, source: str, reply: ModelReply, prompt: tuple[str, str], tries: int) -> Finished:
        tokens = (reply.tokens_in or tokens_in("".join(prompt)), reply.tokens_out or tokens_in(reply.text))
        try:
            text = clean_output(reply, source, self.rules, is_first=number == 0)
        except OutputRefused as refused:
            self._keep_response(number, tries, reply.raw, is_failure=True)
            return self._failed(number, tries, refused.code, refused.text, tokens)
        self._keep_response(number, tries, reply.raw, is_failure=False)
        place = ""
        if text != source:
            place = output_at(self.job, number, self.epoch, tries)
            files.put_once(place, text.encode("utf-8", "replace"), "text/plain; charset=utf-8")
        return Finished(
            number,
            tries,
            self.model_name,
            out_at=place,
            characters=len(text),
            tokens_in=tokens[0],
            tokens_out=tokens[1],
        )

    def _failed(self, number: int, tries: int, code: str, text: str, tokens: tuple[int, int] = (0, 0)) -> Finished:
        text = text[:MESSAGE_MAX]
        return Finished(number, tries, self.model_name, code=code, text=text, tokens_in=tokens[0], tokens_out=tokens[1])

    def _keep_response(self, number: int, tries: int, raw: bytes, *, is_failure: bool) -> None:
        if raw and (is_failure or self.job["options"]["keep_raw"]):
            files.put_once(response_at(self.job, number, self.epoch, tries), raw, "application/octet-stream")


def render_prompt(source: str, *, is_first: bool) -> tuple[str, str]:
    """The instructions, and the message with the chunk between its tags."""
    system, item = template_parts("proof/first_chunk.v1" if is_first else "proof/chunk.v1")
    return system, Template(item).substitute(text=source if source.endswith(("\n", "\r")) else f"{source}\n")


def rules_of(job: JobRow) -> TextRules:
    return TextRules([name for name, is_on in job["options"]["rules"].items() if is_on], job.get("paragraphs", KEEP))


@contextmanager
def open_threads(worker: ChunkWorker) -> Iterator[ThreadPoolExecutor]:
    """Threads whose calls are ended when the slice stops."""
    pool = ThreadPoolExecutor(worker.job["options"]["max_concurrency"], thread_name_prefix="chunk")
    try:
        yield pool
    finally:
        worker.stopped.set()
        worker.model.end_calls()
        pool.shutdown(cancel_futures=True)  # a closed connection ends its thread at once
