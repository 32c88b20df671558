"""Lifecycle of a run: one attempt at a task. An ended run is never reopened, so its id is a fence."""

from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import DUE, Compare, at_most, both

QUEUED, RUNNING = "queued", "running"
SUCCEEDED, FAILED, TIMEOUT, CANCELLED = "succeeded", "failed", "timeout", "cancelled"
WORKER = "worker"
ENDED = (SUCCEEDED, FAILED, TIMEOUT, CANCELLED)
EVIDENCE_MAX = 50

CONDITIONS = {
    "due": Condition(DUE, "past the due time, which has not changed since it was read"),
    "lease over": Condition(
        both(DUE, at_most("lease_expires_at", "now")),
        "past the due time, which has not changed since it was read, and the lease has expired",
    ),
    "overdue": Condition(
        both(DUE, at_most("times_out_at", "now")),
        "past the due time, which has not changed since it was read, and past the time limit",
    ),
    "room for more": Condition(
        Compare("evidence", "<", EVIDENCE_MAX), f"the run has fewer than {EVIDENCE_MAX} pieces of evidence"
    ),
}

# fmt: off
RUN = Machine("run", (
    #   from       to         by      trigger       only if
    Row(NEW,       QUEUED,    WORKER, "claim"),
    Row(QUEUED,    RUNNING,   WORKER, "start"),
    Row(QUEUED,    STAYS,     WORKER, "renew"),
    Row(RUNNING,   STAYS,     WORKER, "renew"),
    Row(QUEUED,    STAYS,     WORKER, "attach",      "room for more"),
    Row(RUNNING,   STAYS,     WORKER, "attach",      "room for more"),
    Row(QUEUED,    STAYS,     SYSTEM, "look_later",  "due"),
    Row(RUNNING,   STAYS,     SYSTEM, "look_later",  "due"),
    Row(RUNNING,   SUCCEEDED, WORKER, "succeed"),
    Row(RUNNING,   FAILED,    WORKER, "fail"),
    Row(RUNNING,   TIMEOUT,   WORKER, "time_out"),
    Row(RUNNING,   TIMEOUT,   SYSTEM, "overrun",     "overdue"),
    Row(QUEUED,    CANCELLED, SYSTEM, "lapse",       "lease over"),
    Row(RUNNING,   CANCELLED, SYSTEM, "lapse",       "lease over"),
    Row(RUNNING,   CANCELLED, WORKER, "hand_back"),
    Row(QUEUED,    CANCELLED, USER,   "cancel"),
    Row(RUNNING,   CANCELLED, USER,   "cancel"),
    Row(SUCCEEDED, STAYS,     SYSTEM, "file",        "due"),
    Row(FAILED,    STAYS,     SYSTEM, "file",        "due"),
    Row(TIMEOUT,   STAYS,     SYSTEM, "file",        "due"),
    Row(CANCELLED, STAYS,     SYSTEM, "file",        "due"),
), CONDITIONS, final=frozenset(ENDED), actors=frozenset({USER, SYSTEM, WORKER}))
# fmt: on
