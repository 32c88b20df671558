"""Check the end of a scenario: the rows, the files, the API's answers and the model's calls."""

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from faults.fault_scenes import CAPTURE_ID, EXPORT_KEY, FORMATS, Scenario, of_item
from faults.fault_stage import Stage
from flow.scripted_model import kind_of
from readdo import schemas
from readdo.errors import StepFailed
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.item import ITEM, MADE_BY, SET
from readdo.lifecycle.state_machine import NEW, STAYS, Machine
from readdo.read import item_keys
from readdo.transfer import transfer_keys

# Time until all is idle: a lease's end, the sweep that finds it, and the longest wait before a retry.
REST_SECONDS = 900 + 60 + 300
Row = dict[str, Any]


def problems(stage: Stage, scenario: Scenario) -> list[str]:
    wrong = list(stage.wrong)
    if stage.injected and stage.ahead - stage.injected_at > REST_SECONDS:
        wrong.append(f"it took {stage.ahead - stage.injected_at:.0f} s to come to rest")
    rows = stage.rows()
    if any("due_at" in row for row in rows):
        wrong.append("something is still due")
    twice = [key for key, times in Counter(stage.written()).items() if times > 1]
    wrong += [f"{key} was written more than once" for key in twice if scenario.ends]
    wrong += _check_deleted(stage, rows) if not scenario.ends else _check_item(stage, scenario, rows)
    return wrong


def _check_deleted(stage: Stage, rows: list[Row]) -> Iterator[str]:
    remaining = [row["sk"] for row in rows if row["sk"].startswith(item_keys.ITEM_PREFIX) or "#I#" in row["pk"]]
    yield from (f"a row is left: {name}" for name in remaining)
    yield from (f"a file is left: {name}" for name in stage.files())


def _check_item(stage: Stage, scenario: Scenario, rows: list[Row]) -> Iterator[str]:
    items = [row for row in rows if row["sk"].startswith(item_keys.ITEM_PREFIX)]
    if [item.get("status") for item in items] != [scenario.ends]:
        yield f"it ends as {[(item.get('status'), item.get('failure')) for item in items]}, not as {scenario.ends}"
        return
    response = stage.client("GET", f"/items/{items[0]['id']}?include_history=true").json
    yield from _check_answers(stage, items[0]["id"])
    yield from _check_history(ITEM, response["history"])
    if "failure" in items[0] and items[0]["failure"]["retryable"]:
        yield f"a failure that waits for the user, and could be tried again: {items[0]['failure']}"
    if scenario.ends != "FAILED_EXTRACTION":
        yield from _check_set(
            items[0], {kind: artifact for kind, artifact in response["artifacts"].items() if kind != "export"}
        )
        yield from _check_versions(items[0], rows)
    yield from _check_model_calls(stage, response["history"])
    yield from _check_exports(stage, scenario, items[0], rows)
    yield from _check_backup(stage, scenario, items[0], rows)


def _check_answers(stage: Stage, item_id: str) -> Iterator[str]:
    """Check that every answer names the same item, also a repeated request."""
    named = {answer.json["item"]["id"] for answer in stage.answers if answer.json and "item" in answer.json}
    if named - {item_id}:
        yield f"answers name other items: {named}"
    again = stage.client(
        "POST", "/capture", {"intent_text": "once more", "capture_id": CAPTURE_ID, "content": "x" * 80}
    )
    if again.status != 200 or again.json["item"]["id"] != item_id:
        yield f"the same capture_id again: {again.status} {again.json}"


def _check_history(machine: Machine, entries: list[Row]) -> Iterator[str]:
    edges = {(row.source, row.trigger, row.target) for row in machine.rows if row.target != STAYS}
    before = NEW
    for entry in entries:
        edge = (before, entry["trigger"], entry["to"])
        if edge not in edges and not entry["trigger"].startswith("restore"):
            yield f"an edge that no table has: {edge}"
        before = entry["to"]


def _check_set(item: Row, shown_artifacts: dict[str, Any]) -> Iterator[str]:
    """Check that the four artifacts and the extraction come from the served run."""
    if set(shown_artifacts) != {"extraction", *SET}:
        yield f"shown are {sorted(shown_artifacts)}"
        return
    if {shown_artifacts[kind]["meta"]["run_id"] for kind in shown_artifacts} != {item["served_run_id"]}:
        yield "the artifacts are not of the run that is served"
    try:
        schemas.check_run_artifacts({kind: shown_artifacts[kind] for kind in SET}, item["served_run_id"])
    except StepFailed as failed:
        yield f"the set is not whole: {failed.debug}"
    text = shown_artifacts["extraction"]["payload"]["normalized_text"]
    for kind in SET:
        if wrong := schemas.artifact_problem(
            kind, shown_artifacts[kind]["payload"], text if kind == "summary" else None
        ):
            yield wrong


def _check_versions(item: Row, rows: list[Row]) -> Iterator[str]:
    """Check that the versions of each artifact are complete and unique."""
    for kind, last in item["versions"].items():
        of_kind = [row for row in rows if row["sk"].startswith(f"A#{kind}#")]
        numbers = sorted(row["version"] for row in of_kind)
        if kind != "export" and numbers != list(range(1, last + 1)):
            yield f"versions of {kind}: {numbers}, and the item says {last}"


def _check_model_calls(stage: Stage, history: list[Row]) -> Iterator[str]:
    """Check that each run calls a model once.

    Only a step that was delivered twice at the same time may call it a second time.
    """
    runs = sum(entry["trigger"] == "lease" for entry in history)
    calls = Counter(kind_of(request) for request in stage.model.requests)
    for kind, times in calls.items():
        twice = sum(call.room == MADE_BY[kind] and fault.asks_again for call, fault in stage.armed)
        if times > runs + twice:
            yield f"the model was asked {times} times for the {kind} of {runs} runs"


def _check_backup(stage: Stage, scenario: Scenario, item: Row, rows: list[Row]) -> Iterator[str]:
    """Check that there is one backup, however often it was requested, and that its file is complete."""
    restores = [row["status"] for row in rows if row["sk"].startswith(transfer_keys.RESTORE_PREFIX)]
    if scenario.name == "restore":
        yield from [] if restores == ["DONE"] else [f"restores: {restores}"]
        return
    backups = [row for row in rows if row["sk"].startswith(transfer_keys.BACKUP_PREFIX)]
    if [row["status"] for row in backups] != ["DONE"] * scenario.name.startswith("backup"):
        yield f"backups: {[(row['status'], row.get('failure')) for row in backups]}"
        return
    for row in backups:
        yield from _check_history(BACKUP, [{**entry, "trigger": entry["what"]} for entry in row["history"]])
        body = stage.file(row["file"]["at"])
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            lines = [json.loads(line) for line in opened.read("items.jsonl").splitlines()]
            broken = opened.testzip()
        if broken or hashlib.sha256(body).hexdigest() != row["file"]["sha256"]:
            yield "the backup's file is not the one that its row describes"
        if [(line["id"], line["version"]) for line in lines] != [(item["id"], item["version"])]:
            yield f"the backup holds {[(line['id'], line['version']) for line in lines]}"


def _check_exports(stage: Stage, scenario: Scenario, item: Row, rows: list[Row]) -> Iterator[str]:
    exports = [row for row in rows if row["sk"].startswith(item_keys.EXPORT_PREFIX)]
    if len(exports) != (scenario.ends == "SHIPPED") and scenario.ends not in ("FAILED_EXPORT", "ARCHIVED"):
        yield f"{len(exports)} exports"
    if item["versions"]["export"] != len(exports):
        yield f"the item counts {item['versions']['export']} exports, and there are {len(exports)}"
    stored = {key for key in stage.files() if key.startswith("exports/")}
    for row in exports:
        yield from _check_history(EXPORT, [{**entry, "trigger": entry["what"]} for entry in row["history"]])
        named = {file["at"]: file for file in row["files"].values()}
        if row["status"] == "DONE" and (set(named) != stored or set(row["files"]) != set(FORMATS)):
            yield f"the export names {sorted(named)}, and the bucket holds {sorted(stored)}"
        for key, file in named.items():
            body = stage.file(key)
            if (len(body), hashlib.sha256(body).hexdigest()) != (file["bytes"], file["sha256"]):
                yield f"{key} is not the file that its row describes"
    if scenario.ends == "SHIPPED":
        again = stage.client("POST", of_item(stage, "export"), {"export_key": EXPORT_KEY, "formats": FORMATS})
        if again.status != 200 or again.json["export"]["status"] != "DONE" or stage.rows() != rows:
            yield f"the same export_key again: {again.status} {again.json}"
