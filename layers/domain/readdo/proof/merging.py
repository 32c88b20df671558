"""Merge the outputs of all chunks into one file, in order, with a report and a diff."""

import codecs
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import PurePosixPath
from typing import Any, cast
from urllib.parse import quote

from readdo import clock, files
from readdo.engine import settings
from readdo.jobs import sliced_job
from readdo.jobs.sliced_job import Slice
from readdo.lifecycle.advance import Change
from readdo.messages import message
from readdo.proof import job_keys
from readdo.proof.chunk_index import ChunkPlace, read_all_chunks
from readdo.proof.chunk_states import read_rows
from readdo.proof.chunk_work import rules_of
from readdo.proof.decoding import Encoding, decode, mark_of, plain_codec
from readdo.proof.job_files import read_source
from readdo.proof.job_rows import ChunkRow, JobRow, ProgressRow, progress_of
from readdo.proof.job_workflow import DueTime
from readdo.proof.lines import Line, split_lines
from readdo.proof.reset import delete_files_if_gone
from readdo.proof.text_diff import unified
from readdo.store.keys import NOT_DUE
from readdo.store.table import DynamoTable

_PAGE = 500
_READS_AT_ONCE = 8  # a client of boto3 has ten connections
DIFF_MAX = 50_000_000  # bytes
CHANGED_MAX = 10_000  # numbers in the report


# Characters of the rules, and those that an older encoding has instead.
_INSTEAD = {"—": "―", "―": "—", "…": "⋯", "“": '"', "”": '"'}
_SIMILAR = "readdo.similar"


def _use_similar(error: UnicodeError) -> tuple[str, int]:
    """Encode a character of the rules as a similar one."""
    if not isinstance(error, UnicodeEncodeError) or error.object[error.start] not in _INSTEAD:
        raise error
    return _INSTEAD[error.object[error.start]], error.start + 1


codecs.register_error(_SIMILAR, _use_similar)


class _Unmergeable(Exception):
    pass


def merge_chunks(table: DynamoTable, current: Slice) -> None:
    with delete_files_if_gone(table, current.owner, current.id):
        _merge(table, current)


def _merge(table: DynamoTable, current: Slice) -> None:
    job = cast("JobRow", sliced_job.fenced(table, current, "finish_merge"))
    try:
        fields = _Merge(table, current, job).run()
    except _Unmergeable as error:
        failure = sliced_job.failure_fields("MERGE_FAILED", error.args[0])
        sliced_job.advance_fenced(
            table, current, "fail_merge", Change({"failure": failure}, removes=NOT_DUE), clock.now()
        )
        return
    at = clock.now()
    change = Change({**fields, "done_at": at}, removes=NOT_DUE)
    sliced_job.advance_fenced(table, current, "finish_merge", change, at)


class _Merge:
    def __init__(self, table: DynamoTable, current: Slice, job: JobRow) -> None:
        self._table, self._current, self._job = table, current, job
        self._progress = progress_of(table, job["owner"], job["id"])
        self._due_time = DueTime(table, current)
        self._models: Counter[str] = Counter()
        self._changed: list[int] = []
        self._changed_chunks = 0
        self._rules = rules_of(job)
        # The validation stored the encoding with the name that was detected or given.
        fields = job["encoding"]
        self._source = Encoding(fields["name"], mark_of(fields["name"]) if fields["mark"] else b"", "")

    def run(self) -> dict[str, Any]:
        folder = f"{job_keys.folder(self._job['owner'], self._job['id'])}/merged/{self._current.epoch}"
        name = revised_name(self._job["filename"])
        disposition = f"attachment; filename*=UTF-8''{quote(name, safe='', errors='replace')}"
        with tempfile.TemporaryFile() as diff:
            body = self._encode(self._lay_out(split_lines(self._outputs(diff.write))))
            place = f"{folder}/{PurePosixPath(name).suffix.lstrip('.') or 'txt'}"
            size, sha256 = files.put_parts(place, body, "text/plain", disposition)
            diff.seek(0)
            pieces = iter(lambda: diff.read(1_000_000), b"")
            files.put_parts(f"{folder}/diff.txt", pieces, "text/plain; charset=utf-8", "attachment")
        report = json.dumps(self._report(size), ensure_ascii=False).encode()
        files.put_once(f"{folder}/report.json", report, "application/json")
        merged = {"at": place, "bytes": size, "sha256": sha256, "filename": name}
        return {"merged": merged, "report_at": f"{folder}/report.json", "diff_at": f"{folder}/diff.txt"}

    def _outputs(self, write_diff: Callable[[bytes], Any]) -> Iterator[str]:
        """The output of each chunk. A line break is added only between two chunks where there is none."""
        source = _Source(decode(lambda: read_source(self._job, self._job["text_at"]), self._source))
        diff_bytes = 0
        pending = ""
        for number, place, text, output in self._chunks():
            if pending and not pending.endswith(("\n", "\r")):
                yield "\n"
            yield output
            pending = output or pending
            original = source.take(place.source_characters)
            if output != text or original != text:
                self._changed_chunks += 1
                if len(self._changed) < CHANGED_MAX:
                    self._changed.append(number)
            if diff_bytes < DIFF_MAX:
                diff_bytes += write_diff(
                    "".join(unified(original, output, f"chunk {number}")).encode("utf-8", "replace")
                )
            self._due_time.renew()

    def _chunks(self) -> Iterator[tuple[int, ChunkPlace, str, str]]:
        """Number, place, text after the rules and output of each chunk."""
        chunks: list[tuple[int, ChunkPlace, str]] = []
        with ThreadPoolExecutor(_READS_AT_ONCE) as pool:
            for chunk in read_all_chunks(self._job, _PAGE):
                chunks.append(chunk)
                if len(chunks) == _PAGE:
                    yield from self._with_outputs(chunks, pool)
                    chunks = []
            yield from self._with_outputs(chunks, pool)

    def _with_outputs(
        self, chunks: list[tuple[int, ChunkPlace, str]], pool: ThreadPoolExecutor
    ) -> Iterator[tuple[int, ChunkPlace, str, str]]:
        if not chunks:
            return
        rows: dict[int, ChunkRow] = {}
        if not self._progress.get("all_done"):
            rows = read_rows(self._table, self._job, chunks[0][0], len(chunks))
            self._models.update(row["llm_model"] for row in rows.values() if row["llm_model"])
        outputs = pool.map(lambda chunk: _output_of(rows.get(chunk[0]), chunk[2]), chunks)
        for (number, place, text), output in zip(chunks, outputs, strict=True):
            yield number, place, text, output

    def _lay_out(self, lines: Iterable[Line]) -> Iterator[str]:
        """Apply the rules that look across lines over the whole text, and set the line ends."""
        if self._rules.names:
            lines = self._rules.apply(lines)
        end = self._line_end()
        for line in lines:
            yield line.text + (end if line.end and end else line.end)

    def _line_end(self) -> str:
        """Empty: each line keeps its own."""
        if not self._job.get("as_input"):
            return "\n"
        return self._job["encoding"]["ends"] if "line_ends" in self._rules.names else ""

    def _encode(self, texts: Iterator[str]) -> Iterator[bytes]:
        name = plain_codec(self._source.name) if self._job.get("as_input") else "utf-8"
        encoder = codecs.getincrementalencoder(name)(_SIMILAR)
        if self._job.get("as_input"):
            yield self._source.mark
        try:
            for text in texts:
                yield encoder.encode(text)
            yield encoder.encode("", final=True)
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise _Unmergeable(message("proof.not_in_encoding", character=character, encoding=name)) from error

    def _report(self, size: int) -> dict[str, Any]:
        return {
            **report_counts(self._job, self._progress),
            "bytes": size,
            "models": dict(self._models),
            "changed_chunks": self._changed_chunks,
            "changed": self._changed,
        }


class _Source:
    """The text before the rules, taken piece by piece."""

    def __init__(self, blocks: Iterator[str]) -> None:
        self._blocks, self._rest, self._at = blocks, "", 0

    def take(self, characters: int) -> str:
        while len(self._rest) - self._at < characters and (block := next(self._blocks, "")):
            self._rest, self._at = self._rest[self._at :] + block, 0
        self._at += characters
        return self._rest[self._at - characters : self._at]


def _output_of(row: ChunkRow | None, text: str) -> str:
    return files.get(row["out_at"]).decode() if row and "out_at" in row else text


def report_counts(job: JobRow, progress: ProgressRow) -> dict[str, Any]:
    tokens = (progress.get("tokens_in", 0), progress.get("tokens_out", 0))
    prices = settings.prices()
    cost = {"cost": str(settings.cost_of(*tokens, prices))} if any(prices) else {}
    return {
        "filename": job["filename"],
        "chunks": job.get("total_chunks", 0),
        "changes": job.get("changes", {}),
        "retries": progress["retries"],
        "tokens": {"sent": tokens[0], "received": tokens[1]},
        **cost,
    }


def revised_name(filename: str) -> str:
    path = PurePosixPath(filename.replace("\\", "/").rpartition("/")[2] or "text.txt")
    return f"{path.stem}_rev{path.suffix}"
