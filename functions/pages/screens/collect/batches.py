"""The pages of batches: the list, and a batch with its input, its output and its faults."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import files
from readdo.collect import assignment_lists, batch_apply, collect_keys, views
from readdo.collect.rows import BatchRow, find_batch
from readdo.errors import BadCursor
from readdo.files import ObjectMissing
from readdo.lifecycle.collect_batch import APPLYING, OPEN, OWN_WORKER
from readdo.web.path_params import unquoted
from screens import html_response
from screens.collect.pool import LISTED, POOL
from screens.flash import flash
from screens.page_auth import visit_of
from screens.page_request import PageRequest

router = APIGatewayHttpRouter()
BATCHES = f"{POOL}/batches"
_SHOWN = 100_000  # characters of a file


@router.get(BATCHES)
def get_batches() -> Response[str]:
    visit = visit_of(router)
    rows, further = _listed(visit)
    return html_response.page(
        visit, "batches.html", batches=[views.batch(row) for row in rows], further=further, section=POOL
    )


def _listed(visit: PageRequest) -> tuple[list[BatchRow], str | None]:
    """A cursor that somebody made up shows the first page."""
    try:
        return assignment_lists.list_batches(visit.table, visit.owner, [], visit.query.get("cursor", ""), LISTED)
    except BadCursor:
        return assignment_lists.list_batches(visit.table, visit.owner, [], "", LISTED)


@router.get(f"{BATCHES}/<raw_name>")
def get_batch(raw_name: str) -> Response[str]:
    visit = visit_of(router)
    batch = find_batch(visit.table, visit.owner, unquoted(raw_name, "batch"))
    return html_response.page(
        visit,
        "batch.html",
        batch=views.batch(batch),
        moved={row["id"]: row for row in batch_apply.moved_assignments(visit.table, batch, visit.words.language)},
        faults=batch.get("faults", []),
        input=_file(batch, "input"),
        output=_file(batch, f"output-{batch['output']}") if "output" in batch else "",
        section=POOL,
        moving=batch["worker"] == OWN_WORKER and batch["status"] in (OPEN, APPLYING),
        done=flash(visit),
    )


def _file(batch: BatchRow, kind: str) -> str:
    """The file as indented JSON. Empty if there is none yet."""
    try:
        value: Any = json.loads(files.get(collect_keys.batch_file(batch["owner"], batch["batch_name"], kind)))
    except ObjectMissing:
        return ""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
