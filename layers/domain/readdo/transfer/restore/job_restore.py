"""Restore one proof job of a backup: its files first, its rows last. An existing job is never changed."""

import json
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from readdo import files
from readdo.lifecycle.advance import create
from readdo.lifecycle.proof_job import DONE, JOB
from readdo.lifecycle.write import put_new
from readdo.messages import message
from readdo.proof import job_keys
from readdo.proof.job_commands import FILE_MAX
from readdo.proof.job_files import UPLOAD_TYPE, input_of
from readdo.proof.job_rows import NO_PROGRESS
from readdo.proof.option_values import RULES
from readdo.proof.requests import JobOptions
from readdo.store.table import DynamoTable
from readdo.transfer.restore.backup_lines import (
    BackupLine,
    BadBackupLine,
    Count,
    Id,
    Line,
    Path,
    Time,
    Word,
    parse_line,
)
from readdo.transfer.restore.item_restore import WHO, RestoreWrites
from readdo.transfer.restore.zip_reader import UnreadableZip, read_member, stream_member

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
FileName = Annotated[str, StringConstraints(min_length=1, max_length=210)]
_REPORT_MAX = 5_000_000
_OUTPUT_MAX = 2 * FILE_MAX
_TEXT_TYPE = "text/plain"


class StoredOutput(BackupLine):
    filename: FileName
    bytes: Count
    sha256: Sha256
    path: Path


class StoredEncoding(BackupLine):
    name: Word
    mark: bool
    confidence: Literal["certain", "likely", "unsure", "named"]
    ends: Literal["\n", "\r\n", "\r"]


class StoredTokens(BackupLine):
    sent: Count
    received: Count


class StoredReport(BackupLine):
    filename: FileName
    bytes: Count
    chunks: Count
    changes: Annotated[dict[Word, Count], Field(max_length=len(RULES))]
    retries: Count
    tokens: StoredTokens
    cost: Word | None = None
    models: Annotated[dict[Line, Count], Field(max_length=50)]
    changed_chunks: Count
    changed: Annotated[list[Count], Field(max_length=10_000)]


class StoredJob(BackupLine):
    id: Id
    filename: FileName
    size: Count
    created_at: Time
    done_at: Time | None = None
    options: dict[str, Any]
    llm_model: Line | None = None
    status: Word
    input: Path | None = None
    output: StoredOutput | None = None
    report: Path | None = None
    diff: Path | None = None
    encoding: StoredEncoding | None = None
    preview: Annotated[str, StringConstraints(max_length=400)] | None = None
    paragraphs: Literal["keep", "each_line"] | None = None
    characters: Count | None = None
    changes: Annotated[dict[Word, Count], Field(max_length=len(RULES))] | None = None
    tokens: StoredTokens | None = None
    retries: Count = 0


def job_of(line: bytes) -> StoredJob:
    return parse_line(StoredJob, line)


def job_exists(table: DynamoTable, owner: str, job: StoredJob) -> bool:
    return table.get(job_keys.job(owner, job.id)) is not None


def plan_job(_: DynamoTable, owner: str, job: StoredJob, zipped: Any, at: str) -> RestoreWrites:
    """Store the files of the job, and return the writes of its rows."""
    key = job_keys.job(owner, job.id)
    row: dict[str, Any] = {"id": job.id, "owner": owner, "created_at": job.created_at, "filename": job.filename}
    row |= {"size": job.size, "options": _options(job), "epoch": 0, "restarts": 0, "execution": 0}
    row |= {"llm_model": job.llm_model} if job.llm_model else {}
    if job.input:
        _store(zipped, job.input, input_of(owner, job.id), UPLOAD_TYPE, FILE_MAX)
    progress: dict[str, Any] = {**NO_PROGRESS, "retries": job.retries}
    progress |= {"tokens_in": job.tokens.sent, "tokens_out": job.tokens.received} if job.tokens else {}
    is_done = job.status == DONE and job.input is not None
    row |= _output(owner, job, job.output, zipped) if is_done and job.output else {}
    trigger = "restore_done" if "merged" in row else "restore_queued"
    created = create(JOB, trigger, key, row, who=WHO, at=at)
    return RestoreWrites([], [created, put_new(job_keys.progress(owner, job.id), progress)])


def _output(owner: str, job: StoredJob, output: StoredOutput, zipped: Any) -> dict[str, Any]:
    """Fields of a job that is done. Its text and its output are restored, but not its chunks."""
    folder = f"{job_keys.folder(owner, job.id)}/merged/restored"
    size, sha256 = _store(zipped, output.path, f"{folder}/output.txt", _TEXT_TYPE, _OUTPUT_MAX)
    if (size, sha256) != (output.bytes, output.sha256):
        raise BadBackupLine(message("restore_line.output_broken"))
    report = parse_line(StoredReport, read_member(zipped, job.report or "", _REPORT_MAX) or b"{}")
    body = report.model_dump_json(exclude_none=True).encode()
    files.put_once(f"{folder}/report.json", body, "application/json")
    files.put_parts(f"{folder}/diff.txt", _diff(zipped, job.diff), _TEXT_TYPE, "attachment")
    merged = {"at": f"{folder}/output.txt", "bytes": size, "sha256": sha256, "filename": output.filename}
    fields = job.model_dump(include={"encoding", "preview", "paragraphs", "characters", "changes"}, exclude_none=True)
    done_at = job.done_at or job.created_at
    places = {"report_at": f"{folder}/report.json", "diff_at": f"{folder}/diff.txt"}
    return {**fields, "merged": merged, **places, "done_at": done_at, "execution": 1}


def _diff(zipped: Any, name: str | None) -> list[bytes]:
    return [(read_member(zipped, name) if name else None) or b""]


def _store(zipped: Any, name: str, place: str, content_type: str, limit: int) -> tuple[int, str]:
    try:
        return files.put_parts(place, stream_member(zipped, name, limit), content_type, "attachment")
    except UnreadableZip as error:
        raise BadBackupLine(message("restore_line.text_missing")) from error


def _options(job: StoredJob) -> dict[str, Any]:
    """The options, checked as those of a request."""
    stored = {name: value for name, value in job.options.items() if name in JobOptions.model_fields}
    try:
        stored["extra_params"] = json.loads(str(stored.get("extra_params", "{}")))
        options = JobOptions.model_validate(stored)
    except (ValueError, ValidationError, RecursionError) as error:
        raise BadBackupLine(message("restore_line.options_wrong")) from error
    checked = options.model_dump(mode="json")
    extra = json.dumps(options.extra_params, ensure_ascii=False)
    return {**checked, "engine": options.engine or "rules", "rules": options.all_rules, "extra_params": extra}
