"""Executions outlive the process that runs them on AWS; here they are told to.

An execution that ran when the stack stopped comes back FAILED, and its name stays taken. It is forgotten and started
again under its own name: its lease is still its own, its epoch still holds, and every step finds what it made before.
"""

import os
import threading
from typing import Any

from stack.deploy import client

INTERRUPTED = "States.ServiceRestart"
AT_ONCE = max(2, os.cpu_count() or 1) + 1
KEPT = 50  # ended executions: every snapshot writes them all, with each of their events


def in_turn(stepfunctions: Any) -> None:
    """A few at a time: each step of one wants a process. The others wait before their first step, and keep no time."""
    run, places = stepfunctions._run_execution, threading.Semaphore(AT_ONCE)

    def wait(arn: str) -> None:
        with places:
            run(arn)

    stepfunctions._run_execution = wait


def resume(executions: Any) -> int:
    """How many were started again."""
    found = [(key, run) for key, run in list(executions._data.items()) if run.get("error") == INTERRUPTED]
    stepfunctions = client("stepfunctions")
    for key, run in found:
        del executions._data[key]
        stepfunctions.start_execution(stateMachineArn=run["stateMachineArn"], name=run["name"], input=run["input"])
    return len(found)


def forget_old(executions: Any) -> None:
    """AWS forgets after 90 days. No name is used twice, so none is missed."""
    ended = [(run["stopDate"], key) for key, run in list(executions._data.items()) if run.get("stopDate")]
    for _, key in sorted(ended, key=lambda e: str(e[0]))[:-KEPT]:
        executions._data.pop(key, None)
