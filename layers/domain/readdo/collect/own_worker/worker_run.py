"""Our own worker: do the assignments of a batch, five at once, then send the output."""

import json
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from readdo import clock, files
from readdo.clock import digest
from readdo.collect import collect_keys
from readdo.collect.batch_output import receive_output
from readdo.collect.document_paths import path_problem
from readdo.collect.output_validation import STATUSES
from readdo.collect.own_worker.link_lists import likeness, links_of_page
from readdo.collect.own_worker.task_results import do_task
from readdo.collect.rows import BatchRow, find_batch
from readdo.engine import engine_factory
from readdo.lifecycle.advance import Refused
from readdo.lifecycle.collect_batch import OPEN
from readdo.messages import message
from readdo.runtime import log_error
from readdo.store.table import DynamoTable

AT_ONCE = 5  # assignments
_PROPOSED_MAX = 100
_SCHEDULE_SECONDS = 10.0  # the API waits for it


def work_on_batch(table: DynamoTable, event: Mapping[str, Any], time_left: Callable[[], bool]) -> dict[str, Any]:
    """A result is stored at once: a repeated or continued execution does not do it again."""
    owner, name = str(event["owner"]), str(event["batch"])
    batch = find_batch(table, owner, name)
    if batch["status"] != OPEN:
        return {**event, "more": False}
    tasks = json.loads(files.get(collect_keys.batch_file(owner, name, "input")))["tasks"]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        results = list(pool.map(lambda task: _result(table, batch, task, time_left), tasks))
    if not all(results):
        return {**event, "more": True}
    counted = Counter(result["status"] for result in results if result)
    summary = {"total": len(results), **{status: counted[status] for status in STATUSES}}
    output = {"batch_name": name, "processed_at": clock.now(), "results": results, "summary": summary}
    try:
        receive_output(table, owner, name, json.dumps(output, ensure_ascii=False), lambda: True)
    except Refused as refused:  # it has timed out meanwhile, or a second execution was faster
        log_error("own worker", refused, batch=name)
    return {**event, "more": False}


def _result(
    table: DynamoTable, batch: BatchRow, task: Mapping[str, Any], time_left: Callable[[], bool]
) -> dict[str, Any] | None:
    place = collect_keys.batch_file(batch["owner"], batch["batch_name"], f"result-{digest(str(task['id']))}")
    try:
        stored: dict[str, Any] = json.loads(files.get(place))
        return stored
    except files.ObjectMissing:
        if not time_left():
            return None
    try:
        engine = engine_factory.for_owner(table, batch["owner"])
        result = do_task(table, batch["owner"], engine, task)
    except Exception as error:  # one assignment must not stop the others
        log_error("collect_task", error, assignment=str(task["id"]))
        text = str(message("collect.worker_failed"))
        result = {"id": task["id"], "status": "failed", "result": {}, "error": text}
    files.put_once(place, json.dumps(result, ensure_ascii=False).encode(), "application/json")
    return result


def propose_documents(schedule_url: str) -> dict[str, Any]:
    """Documents that a schedule suggests, for the user to confirm."""
    found: list[dict[str, str]] = []
    for link in links_of_page(schedule_url, _SCHEDULE_SECONDS):
        title = link.text
        if len(title) < 4 or any(likeness(title, other["title"]) == 1 for other in found):
            continue
        file = f"{'-'.join(''.join(c if c.isalnum() else ' ' for c in title).split())[:80]}.md"
        if not path_problem(file):
            found.append({"title": title, "file": file, "url": link.url})
    return {"document_list": found[:_PROPOSED_MAX]}
