"""Snapshot of one proof job for a backup: its line, and the names of its files.

A job that is done is kept with its output. Of any other job the text and the options are kept: it begins again.
"""

from dataclasses import dataclass
from typing import Any

from readdo.proof import views
from readdo.proof.job_files import has_text, text_source
from readdo.proof.job_rows import JobRow, progress_of
from readdo.store.keys import shown
from readdo.store.table import DynamoTable

_KEPT = ("id", "filename", "size", "created_at", "done_at", "options", "llm_model", "status")
_OF_OUTPUT = ("encoding", "preview", "paragraphs", "characters", "changes")


@dataclass(frozen=True)
class JobSnapshot:
    line: dict[str, Any]
    files: tuple[tuple[str, str], ...]  # (path in the zip, name in the bucket)


def take_job_snapshot(table: DynamoTable, job: JobRow) -> JobSnapshot:
    line: dict[str, Any] = shown(job, _KEPT)
    files: list[tuple[str, str]] = []
    folder = f"proof/{job['id']}"
    if has_text(job):
        line["input"] = f"{folder}/input.txt"
        files.append((line["input"], text_source(job)))
    if "merged" in job:
        progress = progress_of(table, job["owner"], job["id"])
        line |= shown(job, _OF_OUTPUT) | views.tokens_of(progress) | {"retries": progress["retries"]}
        line["output"] = {**shown(job["merged"], ("filename", "bytes", "sha256")), "path": f"{folder}/output.txt"}
        line |= {"report": f"{folder}/report.json", "diff": f"{folder}/diff.txt"}
        files += [(line["output"]["path"], job["merged"]["at"]), (line["report"], job["report_at"])]
        files.append((line["diff"], job["diff_at"]))
    return JobSnapshot(line, tuple(files))
