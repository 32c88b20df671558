"""Evidence of a run: files that the worker uploads with a presigned link for exactly that file."""

from dataclasses import dataclass
from typing import Any, cast

from readdo import files
from readdo.do import task_rows
from readdo.do.command_rows import run_of
from readdo.do.retention import place_of
from readdo.do.rows import EvidenceRow, RunRow
from readdo.errors import Rejected
from readdo.lifecycle.advance import Change, move
from readdo.lifecycle.run import EVIDENCE_MAX, RUN, WORKER
from readdo.lifecycle.write import put_new
from readdo.store import keys
from readdo.store.commands import Answer, CommandContext, PlannedWrites, carry_out
from readdo.store.keys import shown
from readdo.store.table import DynamoTable

KINDS = ("qa_report", "audit_report", "test_result", "screenshot", "log")
BYTES_MAX = 100_000_000
_FIELDS = ("number", "type", "name", "content_type", "bytes", "sha256", "created_at")


class TooMuchEvidence(Rejected):
    """The run has reached the limit of evidence files."""

    key = "rejected.evidence_full"


@dataclass(frozen=True)
class EvidenceRequest:
    type: str
    name: str
    bytes: int
    sha256: str
    content_type: str = "application/octet-stream"


def attach(context: CommandContext, run_id: str, request: EvidenceRequest) -> Answer:
    """Create an upload link, valid for 15 minutes and only for the declared size and checksum."""

    def look() -> PlannedWrites:
        run = run_of(context, run_id, "attach")
        if run["evidence"] >= EVIDENCE_MAX:
            raise TooMuchEvidence(count=EVIDENCE_MAX, megabytes=BYTES_MAX // 1_000_000)
        number = run["evidence"] + 1
        row: EvidenceRow = {
            "type": request.type,
            "name": request.name,
            "bytes": request.bytes,
            "sha256": request.sha256,
            "content_type": request.content_type,
            "number": number,
            "created_at": context.at,
            "at": f"{place_of(run_id)}{number:03d}-{_safe(request.name)}",
        }
        increment = Change(
            adds={"evidence": 1}
        )  # put_new rejects the second of two concurrent requests with the same number
        step = move(
            RUN, "attach", task_rows.run_key(context.owner, run_id), who=WORKER, at=context.at, change=increment
        )
        return PlannedWrites(
            {"evidence": row}, [step, put_new(task_rows.evidence_key(context.owner, run_id, number), row)]
        )

    row: EvidenceRow = carry_out(context, look)["evidence"]
    upload = files.upload_link(row["at"], row["content_type"], row["bytes"], row["sha256"])
    return {"evidence": _view(row, stored=False), "upload": upload}


def list_evidence(table: DynamoTable, run: RunRow) -> list[dict[str, Any]]:
    """All evidence of a run. `stored` is false for a file that was announced and not uploaded."""
    if not run.get("evidence"):
        return []
    sizes = files.sizes(place_of(run["id"]))
    rows = table.query_all(
        keys.partition(task_rows.rows_of_run(run["owner"], run["id"])), keys.stretch(task_rows.EVIDENCE_PREFIX)
    )
    return [
        _view(row, stored=sizes.get(row["at"]) == row["bytes"]) for row in (cast("EvidenceRow", row) for row in rows)
    ]


def link(table: DynamoTable, run: RunRow, number: int) -> str | None:
    row = table.get(task_rows.evidence_key(run["owner"], run["id"], number))
    if row is None:
        return None
    evidence = cast("EvidenceRow", row)
    return files.presign_download(evidence["at"], evidence["name"])


def _view(row: EvidenceRow, *, stored: bool) -> dict[str, Any]:
    return {**shown(row, _FIELDS), "stored": stored}


def _safe(name: str) -> str:
    """The name with only characters that are safe in a key and in a link."""
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name)
    return safe.lstrip(".")[-80:] or "file"
