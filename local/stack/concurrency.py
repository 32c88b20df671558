"""Invocations wait for their turn. AWS starts another environment for each; a laptop must not, and ministack says 429.

Waiting is safe because no handler of ours waits for another function: an execution is started, never called.
"""

import time
from typing import Any

FIRST = ("HttpApi", "Pages")  # somebody waits for their answers, so some room is kept for them
SPARE = 2
PATIENCE = 60.0
LOOK_AGAIN = 0.01


def take_turns(lambda_svc: Any) -> None:
    """Replace the check that refuses at the limit with one that waits for a place below it."""
    acquire = lambda_svc._acquire_execution_slot

    def wait(func: dict[str, Any], config: dict[str, Any]) -> tuple[str | None, str | None]:
        limit = lambda_svc._ACCOUNT_CONCURRENCY_CAP
        places = limit if any(door in config.get("FunctionName", "") for door in FIRST) else limit - SPARE
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if lambda_svc._inflight_total < places:
                slot, reason = acquire(func, config)
                if reason != "account":
                    return slot, reason
            time.sleep(LOOK_AGAIN)
        return None, "account"

    lambda_svc._acquire_execution_slot = wait
