"""Validate a text: decode it, apply the rules, and cut it into chunks.

The memory does not grow with the text.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, cast

from readdo import clock, files
from readdo.engine.prompts import tokens_in
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change
from readdo.lifecycle.write import Table
from readdo.messages import message
from readdo.proof import job_keys
from readdo.proof.chunk_index import IndexWriter
from readdo.proof.decoding import (
    PREVIEW_CHARS,
    BinaryFile,
    BlankText,
    Encoding,
    Undecodable,
    checked,
    decode,
    find_encoding,
)
from readdo.proof.job_commands import FILE_MAX, READY
from readdo.proof.job_files import input_of, read_source, source_at
from readdo.proof.job_rows import JobRow
from readdo.proof.job_workflow import DueTime
from readdo.proof.lines import Line, cut_chunks, split_lines
from readdo.proof.reset import delete_files_if_gone
from readdo.proof.text_rules import KEEP, TextRules, detect_paragraphs
from readdo.store.keys import NOT_DUE
from readdo.store.table import DynamoTable

_DETECTED_LINES = 5000  # of the beginning of the text


class _Refused(Exception):
    """The text cannot be processed. Carries the code and the message."""

    def __init__(self, code: str, key: str, **params: object) -> None:
        super().__init__(code)
        self.code, self.text = code, message(key, **params)


def validate_text(table: DynamoTable, current: Slice) -> None:
    with delete_files_if_gone(table, current.owner, current.id):
        _validate(table, current)


def _validate(table: DynamoTable, current: Slice) -> None:
    job = cast("JobRow", sliced_job.fenced(table, current, "finish_validation"))
    try:
        fields = _Validation(table, current, job).run()
    except _Refused as refused:
        failure = sliced_job.failure_fields(refused.code, refused.text)
        change = Change({"failure": failure}, removes=NOT_DUE)
        sliced_job.advance_fenced(table, current, "fail_validation", change, clock.now())
        files.remove_all(f"{_folder_of(current)}/")
        return
    change = Change({**fields, "wait_reason": READY}, removes=NOT_DUE)
    sliced_job.advance_fenced(table, current, "finish_validation", change, clock.now())
    if "text_at" in job:  # of an earlier validation
        files.remove_all(f"{job['text_at']}/")


def _folder_of(current: Slice) -> str:
    return f"{job_keys.folder(current.owner, current.id)}/{current.epoch}"


class _Validation:
    def __init__(self, table: Table, current: Slice, job: JobRow) -> None:
        self._table, self._current, self._job = table, current, job
        self._folder = _folder_of(current)
        self._due_time = DueTime(table, current)
        self._preview = ""
        self._characters = self._tokens = self._consumed = 0
        self._ends: Counter[str] = Counter()
        self._index = IndexWriter()

    def run(self) -> dict[str, Any]:
        options = self._job["options"]
        size = files.size_of(input_of(self._job["owner"], self._job["id"])) or 0
        if size == 0:
            raise _Refused("FILE_EMPTY", "proof.file_empty")
        if size > FILE_MAX:
            raise _Refused("TOO_LARGE", "proof.too_large")
        files.copy(input_of(self._job["owner"], self._job["id"]), source_at(self._folder))
        encoding = self._find_encoding(options["encoding"])
        names = [name for name, is_on in options["rules"].items() if is_on]
        paragraphs = self._paragraphs(encoding, options["paragraphs"], bool(names))
        rules = TextRules(names, paragraphs)
        folder = self._folder
        try:
            files.put_parts(f"{folder}/text", self._chunks(encoding, rules), "text/plain; charset=utf-8", "attachment")
        except Undecodable as error:
            raise self._undecodable(encoding.name, error) from error
        except BinaryFile:
            raise _Refused("FILE_BINARY", "proof.file_binary") from None
        except BlankText:
            raise _Refused("FILE_EMPTY", "proof.file_empty") from None
        files.put_parts(f"{folder}/index", [bytes(self._index.content)], "application/octet-stream", "attachment")
        ends = self._ends.most_common(1)
        return {
            "text_at": folder,
            "encoding": {
                "name": encoding.name,
                "mark": bool(encoding.mark),
                "confidence": encoding.confidence,
                "ends": ends[0][0] if ends else "\n",
            },
            "preview": self._preview,
            "paragraphs": paragraphs,
            "characters": self._characters,
            "tokens": self._tokens,
            "total_chunks": self._index.chunks,
            "changes": {name: count for name, count in rules.changes.items() if count},
        }

    def _blocks(self) -> Iterator[bytes]:
        for block in read_source(self._job, self._folder):
            self._due_time.renew()
            yield block

    def _find_encoding(self, named: str) -> Encoding:
        try:
            return find_encoding(self._blocks, named)
        except Undecodable as error:
            raise self._undecodable(named, error) from error
        except BinaryFile:
            raise _Refused("FILE_BINARY", "proof.file_binary") from None

    def _undecodable(self, name: str, error: Undecodable) -> _Refused:
        if not name:
            return _Refused("ENCODING_FAILED", "proof.encoding_unknown")
        return _Refused(
            "ENCODING_FAILED", "proof.encoding_failed", encoding=name, place=message("proof.near_byte", byte=str(error))
        )

    def _paragraphs(self, encoding: Encoding, chosen: str, has_rules: bool) -> str:
        """As the user set it, else detected. Without rules, no line is added."""
        if not has_rules:
            return KEEP
        if chosen:
            return chosen
        try:
            return detect_paragraphs(islice(split_lines(decode(self._blocks, encoding)), _DETECTED_LINES))
        except Undecodable:
            return KEEP  # reported by the next pass, which reads the whole text

    def _chunks(self, encoding: Encoding, rules: TextRules) -> Iterator[bytes]:
        """The text after the rules, chunk by chunk. Adds each chunk to the index."""
        source = self._source_lines(split_lines(checked(self._text(encoding))))
        positions: deque[tuple[int, int]] = deque()  # characters after the rules, characters before
        produced = cut = source_cut = 0

        def ruled() -> Iterator[Line]:
            nonlocal produced
            for line in rules.apply(source):
                produced += len(line.text) + len(line.end)
                positions.append((produced, self._consumed))
                yield line

        for chunk in cut_chunks(ruled(), self._job["options"]["chunk_chars"]):
            cut += len(chunk)
            before = source_cut
            while positions and positions[0][0] <= cut:
                source_cut = positions.popleft()[1]
            content = chunk.encode()
            self._index.add(len(content), len(chunk), source_cut - before)
            self._characters += len(chunk)
            self._tokens += tokens_in(chunk)
            yield content

    def _text(self, encoding: Encoding) -> Iterator[str]:
        for block in decode(self._blocks, encoding):
            if len(self._preview) < PREVIEW_CHARS:
                self._preview = (self._preview + block[:PREVIEW_CHARS])[:PREVIEW_CHARS]
            yield block

    def _source_lines(self, lines: Iterable[Line]) -> Iterator[Line]:
        for line in lines:
            self._ends[line.end or "\n"] += bool(line.end)
            self._consumed += len(line.text) + len(line.end)
            yield line
