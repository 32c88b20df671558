"""Steps of the smoke test. Each returns what it saw, or says why it failed or was left out."""

import base64
import json
import os
import secrets
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import requests

from cloud.aws import client
from cloud.stack_location import Place
from smoke.deployment import INTENT, Deployment, LeftOut, SmokeFailure

IMPORT_LINES, LINE_CHARACTERS = 24, 180_000  # 4.3 MB
BURST = 40  # four times the functions that a new account runs at once
PAUSE_SECONDS = 0.25  # between requests during an update
MINUTES = 20  # for the burst and for an update of the stack
_MOVING = {"CAPTURED", "QUEUED", "PROCESSING"}


def check_installation(deployment: Deployment) -> str:
    deployment.run_readdo("doctor")
    return "readdo doctor found no failure"


def check_preflight(deployment: Deployment) -> str:
    """As a browser does it from a page of another origin. The token is never sent."""
    origin = os.environ.get("ORIGIN", "")
    if not origin:
        raise LeftOut("set ORIGIN to one of the origins in CorsOrigins, such as ORIGIN=https://app.example.org")
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    headers["Access-Control-Request-Headers"] = "authorization,content-type"
    answer = requests.options(f"{deployment.url}/capture", headers=headers, timeout=30)
    allowed = answer.headers.get("Access-Control-Allow-Origin", "")
    if answer.status_code not in (200, 204) or allowed not in (origin, "*"):
        raise SmokeFailure(f"the preflight answered {answer.status_code} and allows {allowed or 'no origin'}")
    return f"{answer.status_code}, and {origin} may call the API"


def check_item(deployment: Deployment) -> str:
    item_id = deployment.capture(0)
    seconds = _wait_until_processed(deployment, [item_id])
    item = deployment.call("GET", f"/items/{item_id}")
    if item["item"]["status"] != "READY":
        raise SmokeFailure(f"the item is {item['item']['status']}: {item.get('failure', {}).get('message', '')}")
    return f"READY after {seconds:.0f} s, {item['item']['priority']} with {item['item']['match_score']}"


def check_import(deployment: Deployment) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "smoke-test.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            for number in range(IMPORT_LINES):
                text = base64.b64encode(secrets.token_bytes(LINE_CHARACTERS * 3 // 4)).decode()
                url = f"https://example.org/{secrets.token_hex(8)}"
                print(json.dumps({"url": url, "title": f"Line {number}", "content": text}), file=lines)
        size = file.stat().st_size
        deployment.run_readdo("import", "--no-process", "--intent", INTENT, str(file))
    imported = deployment.call("GET", "/imports")["imports"][0]
    listed = deployment.call("GET", f"/imports/{imported['id']}/lines?limit=100")["lines"]
    deployment.items += [line["item"] for line in listed if line.get("item")]
    if imported["status"] != "DONE" or imported["counts"]["captured"] != IMPORT_LINES:
        raise SmokeFailure(f"the import is {imported['status']}: {imported['counts']}")
    return f"{size / 1e6:.1f} MB uploaded by a presigned PUT, {IMPORT_LINES} items"


def check_backup(deployment: Deployment) -> str:
    """Restores of existing items change nothing, so the restore is safe in a library that is in use."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "backup.zip"
        deployment.run_readdo("backup", "--fresh", str(file))
        size = file.stat().st_size
        restore = deployment.read_json("restore", str(file))["restore"]
    if restore["status"] != "DONE" or restore["refused"] or restore["known"] < len(deployment.items):
        raise SmokeFailure(f"the restore is {restore['status']}, with {restore['refused']} refused: {restore['told']}")
    return f"{size / 1e6:.1f} MB backed up by a multipart upload; the restore knows all {restore['known']} items"


def check_upgrade(deployment: Deployment) -> str:
    """Change the log level of all functions and back, while requests arrive."""
    if deployment.is_local:
        raise LeftOut("only AWS replaces functions while they run")
    place = Place.read(os.environ, deployment.root).entered()
    cloudformation = client("cloudformation")
    parameters = cloudformation.describe_stacks(StackName=place.stack)["Stacks"][0]["Parameters"]
    before = next(one["ParameterValue"] for one in parameters if one["ParameterKey"] == "LogLevel")
    statuses: Counter[int] = Counter()
    for level in ("WARNING" if before == "INFO" else "INFO", before):
        statuses += _requests_during(deployment, lambda: _update(cloudformation, place.stack, parameters, level))  # noqa: B023 - called at once
    if failed := {status: count for status, count in statuses.items() if status >= 500}:
        raise SmokeFailure(f"requests failed during the update: {failed} of {statuses.total()}")
    return f"{statuses.total()} requests during two updates, none failed"


def _update(cloudformation: Any, stack: str, parameters: list[dict[str, str]], level: str) -> None:
    kept = [{"ParameterKey": one["ParameterKey"], "UsePreviousValue": True} for one in parameters]
    changed = [one for one in kept if one["ParameterKey"] != "LogLevel"]
    changed.append({"ParameterKey": "LogLevel", "ParameterValue": level})
    capabilities = ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"]
    cloudformation.update_stack(
        StackName=stack, UsePreviousTemplate=True, Parameters=changed, Capabilities=capabilities
    )
    waiter = cloudformation.get_waiter("stack_update_complete")
    waiter.wait(StackName=stack, WaiterConfig={"Delay": 5, "MaxAttempts": MINUTES * 12})


def _requests_during(deployment: Deployment, work: Callable[[], None]) -> Counter[int]:
    ended = Event()
    statuses: Counter[int] = Counter()

    def send() -> None:
        statuses[deployment.request("GET", "/items?limit=1").status_code] += 1
        while not ended.wait(PAUSE_SECONDS):
            statuses[deployment.request("GET", "/items?limit=1").status_code] += 1

    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(send)
        try:
            work()
        finally:
            ended.set()
        sending.result()
    return statuses


def check_burst(deployment: Deployment) -> str:
    """More items at once than a new account has functions: they wait for their turn, and none fails."""
    if deployment.is_local:
        raise LeftOut("only AWS limits the functions that run at once")
    with ThreadPoolExecutor(8) as pool:
        items = list(pool.map(deployment.capture, range(1, BURST + 1)))
    seconds = _wait_until_processed(deployment, items)
    statuses = Counter(deployment.status(item_id) for item_id in items)
    if statuses["READY"] < BURST:
        raise SmokeFailure(f"of {BURST} items, {dict(statuses)} after {seconds:.0f} s")
    return f"{BURST} items at once are READY after {seconds:.0f} s"


def _wait_until_processed(deployment: Deployment, items: list[str]) -> float:
    """Seconds until no item moves. An item that waits for a free function is not done."""
    began = time.monotonic()
    while time.monotonic() - began < MINUTES * 60:
        views = [deployment.call("GET", f"/items/{item_id}") for item_id in items]
        if not any(v["item"]["status"] in _MOVING or "next_retry_at" in v.get("failure", {}) for v in views):
            break
        time.sleep(1)
    return time.monotonic() - began


STEPS: tuple[tuple[str, Callable[[Deployment], str]], ...] = (
    ("doctor", check_installation),
    ("preflight", check_preflight),
    ("item", check_item),
    ("import", check_import),
    ("backup", check_backup),
    ("upgrade", check_upgrade),
    ("burst", check_burst),
)
