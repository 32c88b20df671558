"""What proves how a run went: a file, sent straight to the bucket by a link that allows just that file."""

from dataclasses import dataclass
from typing import Any

from readdo import files
from readdo.do.run_archive import place_of
from readdo.do.transactions import Answer, CommandContext, PlannedWrites, carry_out, run_of
from readdo.lifecycle.advance import Change, move
from readdo.lifecycle.run import EVIDENCE_MAX, RUN, WORKER
from readdo.lifecycle.write import put_new
from readdo.store import keys
from readdo.store.table import DynamoTable

KINDS = ("qa_report", "audit_report", "test_result", "screenshot", "log")
BYTES_MAX = 100_000_000
_SHOWN = ("number", "type", "name", "content_type", "bytes", "sha256", "created_at")


class TooMuchEvidence(Exception):
    """A run holds as much evidence as it may."""


@dataclass(frozen=True)
class EvidenceRequest:
    type: str
    name: str
    bytes: int
    sha256: str
    content_type: str = "application/octet-stream"


def attach(asked: CommandContext, run_id: str, wish: EvidenceRequest) -> Answer:
    """Where to send it. The link takes these bytes and no others, for a quarter of an hour."""

    def look() -> PlannedWrites:
        run = run_of(asked, run_id, "attach")
        if run["evidence"] >= EVIDENCE_MAX:
            raise TooMuchEvidence
        number = run["evidence"] + 1
        row = {
            **vars(wish),
            "number": number,
            "created_at": asked.at,
            "at": f"{place_of(run_id)}{number:03d}-{_safe(wish.name)}",
        }
        counted = Change(adds={"evidence": 1})  # of two with the same number, the second finds it taken
        step = move(RUN, "attach", keys.run(asked.owner, run_id), who=WORKER, at=asked.at, change=counted)
        return PlannedWrites({"evidence": row}, [step, put_new(keys.evidence(asked.owner, run_id, number), row)])

    row = carry_out(asked, look)["evidence"]
    upload = files.upload_link(row["at"], row["content_type"], row["bytes"], row["sha256"])
    return {"evidence": _shown(row, stored=False), "upload": upload}


def list_evidence(table: DynamoTable, run: dict[str, Any]) -> list[dict[str, Any]]:
    """With what has arrived told from what was only announced."""
    if not run.get("evidence"):
        return []
    there = files.sizes(place_of(run["id"]))
    rows = table.query_all(
        keys.partition(keys.of_run_kept(run["owner"], run["id"])), keys.stretch(keys.EVIDENCE_PREFIX)
    )
    return [_shown(row, stored=there.get(row["at"]) == row["bytes"]) for row in rows]


def link(table: DynamoTable, run: dict[str, Any], number: int) -> str | None:
    row = table.get(keys.evidence(run["owner"], run["id"], number))
    return files.link(row["at"], row["name"]) if row else None


def _shown(row: dict[str, Any], *, stored: bool) -> dict[str, Any]:
    return {**{name: row[name] for name in _SHOWN}, "stored": stored}


def _safe(name: str) -> str:
    """Part of a key in the bucket, and of a link."""
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name)
    return kept.lstrip(".")[-80:] or "file"
