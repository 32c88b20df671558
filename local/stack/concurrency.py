"""Queue function invocations at the concurrency limit, where ministack returns 429.

AWS starts another environment for each invocation; a laptop cannot. Waiting cannot deadlock, because no handler waits
for another function: executions are started asynchronously.
"""

import time
from typing import Any

FIRST = ("HttpApi", "Pages")  # a user waits for their responses, so some slots are reserved for them
SPARE = 2
PATIENCE = 60.0
LOOK_AGAIN = 0.01


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
