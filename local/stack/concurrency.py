"""Limit the processes of the functions: queue invocations, and end idle processes.

AWS starts another environment for each invocation; a laptop cannot. So an invocation waits where ministack returns 429.
Waiting cannot deadlock, because no handler waits for another function: executions are started asynchronously.
"""

import time
from typing import Any

FIRST = ("HttpApi", "Pages")  # a user waits for their responses, so some slots are reserved for them
SPARE = 2
PATIENCE = 60.0
LOOK_AGAIN = 0.01
# One process of each of these functions stays: a user waits for them, or they run each minute.
KEPT = (*FIRST, "Heartbeat")
IDLE_SECONDS = 60.0  # of the only process of another function; ministack would keep it


def queue_invocations(lambda_svc: Any) -> None:
    """Replace the check that rejects at the limit with one that waits for a free slot."""
    acquire = lambda_svc._acquire_execution_slot

    def wait(func: dict[str, Any], config: dict[str, Any]) -> tuple[str | None, str | None]:
        limit = lambda_svc._ACCOUNT_CONCURRENCY_CAP
        slots = limit if any(name in config.get("FunctionName", "") for name in FIRST) else limit - SPARE
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if lambda_svc._inflight_total < slots:
                slot, reason = acquire(func, config)
                if reason != "account":
                    return slot, reason
            time.sleep(LOOK_AGAIN)
        return None, "account"

    lambda_svc._acquire_execution_slot = wait


def end_idle_processes(lambda_runtime: Any, lambda_svc: Any) -> None:
    """Replace ministack's check for idle processes, which keeps one process of every function."""

    def reap_idle_workers() -> int:
        now, idle = time.time(), []
        with lambda_runtime._lock:
            for workers in lambda_runtime._workers.values():
                name = workers[0].config["FunctionName"] if workers else ""
                first = float("inf") if any(kept in name for kept in KEPT) else IDLE_SECONDS
                limits = [first] + [lambda_runtime._LOCAL_WORKER_TTL] * len(workers)
                ended = [
                    worker
                    for worker, limit in zip(workers, limits, strict=False)
                    if not worker.in_use and now - worker.last_used > limit
                ]
                workers[:] = [worker for worker in workers if worker not in ended]
                idle += ended
        lambda_runtime.kill_workers(idle)
        return len(idle)

    lambda_svc.reap_idle_workers = reap_idle_workers
