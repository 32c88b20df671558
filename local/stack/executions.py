"""Resume executions after a restart of the stack, limit their number, and delete old ones.

ministack marks an execution that was interrupted by a stop as FAILED and keeps its name. It is deleted and started
again with the same name: its lease and epoch are still valid, and each step finds its earlier results.
"""

import os
import threading
from typing import Any

from stack.deploy import client

INTERRUPTED = "States.ServiceRestart"
AT_ONCE = max(2, os.cpu_count() or 1) + 1
KEPT = 50  # ended executions to keep: every snapshot writes all of them with all their events


def limit_parallel_executions(stepfunctions: Any) -> None:
    """Run a few executions at a time, because each step needs a process.

    The others wait before their first step, before their timeouts start.
    """
    run, slots = stepfunctions._run_execution, threading.Semaphore(AT_ONCE)

    def wait(arn: str) -> None:
        with slots:
            run(arn)

    stepfunctions._run_execution = wait


def resume(executions: Any) -> int:
    """Restart interrupted executions and return their number."""
    interrupted = [(key, run) for key, run in list(executions._data.items()) if run.get("error") == INTERRUPTED]
    stepfunctions = client("stepfunctions")
    for key, run in interrupted:
        del executions._data[key]
        stepfunctions.start_execution(stateMachineArn=run["stateMachineArn"], name=run["name"], input=run["input"])
    return len(interrupted)


def forget_old(executions: Any) -> None:
    """Delete old executions, as AWS does after 90 days. No name is used twice, so none is needed."""
    ended = [(run["stopDate"], key) for key, run in list(executions._data.items()) if run.get("stopDate")]
    for _, key in sorted(ended, key=lambda e: str(e[0]))[:-KEPT]:
        executions._data.pop(key, None)
