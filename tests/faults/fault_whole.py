"""What must be true when a scene has come to rest: of the rows, the files, the API's answers, and what was paid for."""

import hashlib
import io
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from fault_scenes import CAPTURE_ID, EXPORT_KEY, FORMATS, Scene, of_item
from fault_stage import Stage

from flow.scripted_model import kind_of
from readdo import artifact_validation
from readdo.errors import StepFailed
from readdo.lifecycle.backup import BACKUP
from readdo.lifecycle.export import EXPORT
from readdo.lifecycle.item import ITEM, MADE_BY, SET
from readdo.lifecycle.machine import NEW, STAYS, Machine
from readdo.store import keys

# Within which all must have come to rest: a lease's end, the sweep that finds it, and the longest wait before a retry.
REST_SECONDS = 900 + 60 + 300
Row = dict[str, Any]


def problems(stage: Stage, scene: Scene) -> list[str]:
    found = list(stage.wrong)
    if stage.struck and stage.ahead - stage.struck_at > REST_SECONDS:
        found.append(f"it took {stage.ahead - stage.struck_at:.0f} s to come to rest")
    rows = stage.rows()
    if any("due_at" in row for row in rows):
        found.append("something is still due")
    twice = [key for key, times in Counter(stage.written()).items() if times > 1]
    found += [f"{key} was written more than once" for key in twice if scene.ends]
    found += _gone(stage, rows) if not scene.ends else _of_item(stage, scene, rows)
    return found


def _gone(stage: Stage, rows: list[Row]) -> Iterator[str]:
    left = [row["sk"] for row in rows if row["sk"].startswith(keys.ITEM_PREFIX) or "#I#" in row["pk"]]
    yield from (f"a row is left: {name}" for name in left)
    yield from (f"a file is left: {name}" for name in stage.files())


def _of_item(stage: Stage, scene: Scene, rows: list[Row]) -> Iterator[str]:
    items = [row for row in rows if row["sk"].startswith(keys.ITEM_PREFIX)]
    if [item.get("status") for item in items] != [scene.ends]:
        yield f"it ends as {[(item.get('status'), item.get('failure')) for item in items]}, not as {scene.ends}"
        return
    shown = stage.client("GET", f"/items/{items[0]['id']}?include_history=true").json
    yield from _answers(stage, items[0]["id"])
    yield from _history(ITEM, shown["history"])
    if "failure" in items[0] and items[0]["failure"]["retryable"]:
        yield f"a failure that waits for the user, and could be tried again: {items[0]['failure']}"
    if scene.ends != "FAILED_EXTRACTION":
        yield from _set(items[0], {kind: made for kind, made in shown["artifacts"].items() if kind != "export"})
        yield from _versions(items[0], rows)
    yield from _paid(stage, shown["history"])
    yield from _exports(stage, scene, items[0], rows)
    yield from _backup(stage, scene, items[0], rows)


def _answers(stage: Stage, item_id: str) -> Iterator[str]:
    """Every answer names the one item, and the same request again gives it again."""
    named = {answer.json["item"]["id"] for answer in stage.answers if answer.json and "item" in answer.json}
    if named - {item_id}:
        yield f"answers name other items: {named}"
    again = stage.client(
        "POST", "/capture", {"intent_text": "once more", "capture_id": CAPTURE_ID, "content": "x" * 80}
    )
    if again.status != 200 or again.json["item"]["id"] != item_id:
        yield f"the same capture_id again: {again.status} {again.json}"


def _history(machine: Machine, entries: list[Row]) -> Iterator[str]:
    edges = {(row.source, row.trigger, row.target) for row in machine.rows if row.target != STAYS}
    before = NEW
    for entry in entries:
        edge = (before, entry["trigger"], entry["to"])
        if edge not in edges and not entry["trigger"].startswith("restore"):
            yield f"an edge that no table has: {edge}"
        before = entry["to"]


def _set(item: Row, shown: dict[str, Any]) -> Iterator[str]:
    """Four artifacts of one run, the one that is served; and a fifth, its text."""
    if set(shown) != {"extraction", *SET}:
        yield f"shown are {sorted(shown)}"
        return
    if {shown[kind]["meta"]["run_id"] for kind in shown} != {item["served_run_id"]}:
        yield "the artifacts are not of the run that is served"
    try:
        artifact_validation.check_run_artifacts({kind: shown[kind] for kind in SET}, item["served_run_id"])
    except StepFailed as failed:
        yield f"the set is not whole: {failed.debug}"
    text = shown["extraction"]["payload"]["normalized_text"]
    for kind in SET:
        if wrong := artifact_validation.problem(kind, shown[kind]["payload"], text if kind == "summary" else None):
            yield wrong


def _versions(item: Row, rows: list[Row]) -> Iterator[str]:
    """Each artifact has a number of its own, and none is missing or left over."""
    for kind, last in item["versions"].items():
        of_kind = [row for row in rows if row["sk"].startswith(f"A#{kind}#")]
        numbers = sorted(row["version"] for row in of_kind)
        if kind != "export" and numbers != list(range(1, last + 1)):
            yield f"versions of {kind}: {numbers}, and the item says {last}"


def _paid(stage: Stage, history: list[Row]) -> Iterator[str]:
    """A model is asked once a run; once more only by a step that was delivered twice at the same time."""
    runs = sum(entry["trigger"] == "lease" for entry in history)
    asked = Counter(kind_of(request) for request in stage.model.requests)
    for kind, times in asked.items():
        twice = sum(call.room == MADE_BY[kind] and fault.asks_again for call, fault in stage.armed)
        if times > runs + twice:
            yield f"the model was asked {times} times for the {kind} of {runs} runs"


def _backup(stage: Stage, scene: Scene, item: Row, rows: list[Row]) -> Iterator[str]:
    """One, whatever was asked how often; and its file is whole."""
    brought = [row["status"] for row in rows if row["sk"].startswith(keys.RESTORE_PREFIX)]
    if scene.name == "brought-back":
        yield from [] if brought == ["DONE"] else [f"restores: {brought}"]
        return
    found = [row for row in rows if row["sk"].startswith(keys.BACKUP_PREFIX)]
    if [row["status"] for row in found] != ["DONE"] * scene.name.startswith("taken-out"):
        yield f"backups: {[(row['status'], row.get('failure')) for row in found]}"
        return
    for row in found:
        yield from _history(BACKUP, [{**entry, "trigger": entry["what"]} for entry in row["history"]])
        body = stage.file(row["file"]["at"])
        with zipfile.ZipFile(io.BytesIO(body)) as opened:
            lines = [json.loads(line) for line in opened.read("items.jsonl").splitlines()]
            broken = opened.testzip()
        if broken or hashlib.sha256(body).hexdigest() != row["file"]["sha256"]:
            yield "the backup's file is not the one that its row describes"
        if [(line["id"], line["version"]) for line in lines] != [(item["id"], item["version"])]:
            yield f"the backup holds {[(line['id'], line['version']) for line in lines]}"


def _exports(stage: Stage, scene: Scene, item: Row, rows: list[Row]) -> Iterator[str]:
    found = [row for row in rows if row["sk"].startswith(keys.EXPORT_PREFIX)]
    if len(found) != (scene.ends == "SHIPPED") and scene.ends not in ("FAILED_EXPORT", "ARCHIVED"):
        yield f"{len(found)} exports"
    if item["versions"]["export"] != len(found):
        yield f"the item counts {item['versions']['export']} exports, and there are {len(found)}"
    kept = {key for key in stage.files() if key.startswith("exports/")}
    for row in found:
        yield from _history(EXPORT, [{**entry, "trigger": entry["what"]} for entry in row["history"]])
        named = {file["at"]: file for file in row["files"].values()}
        if row["status"] == "DONE" and (set(named) != kept or set(row["files"]) != set(FORMATS)):
            yield f"the export names {sorted(named)}, and the bucket holds {sorted(kept)}"
        for key, file in named.items():
            body = stage.file(key)
            if (len(body), hashlib.sha256(body).hexdigest()) != (file["bytes"], file["sha256"]):
                yield f"{key} is not the file that its row describes"
    if scene.ends == "SHIPPED":
        again = stage.client("POST", of_item(stage, "export"), {"export_key": EXPORT_KEY, "formats": FORMATS})
        if again.status != 200 or again.json["export"]["status"] != "DONE" or stage.rows() != rows:
            yield f"the same export_key again: {again.status} {again.json}"
