"""The run: one try of one worker at a task. It is never opened again, so its id is the fence of all that it writes."""

from readdo.lifecycle.conditions import DUE, Compare, at_most, both
from readdo.lifecycle.machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row

QUEUED, RUNNING = "queued", "running"
SUCCEEDED, FAILED, TIMEOUT, CANCELLED = "succeeded", "failed", "timeout", "cancelled"
WORKER = "worker"
ENDED = (SUCCEEDED, FAILED, TIMEOUT, CANCELLED)
EVIDENCE_MAX = 50

CONDITIONS = {
    "due": Condition(DUE, "past the due time, which is still the one that was seen"),
    "lease over": Condition(
        both(DUE, at_most("lease_expires_at", "now")), "past the due time that was seen, and past the lease's end"
    ),
    "overdue": Condition(
        both(DUE, at_most("times_out_at", "now")), "past the due time that was seen, and past its time"
    ),
    "room for more": Condition(
        Compare("evidence", "<", EVIDENCE_MAX), f"it has fewer than {EVIDENCE_MAX} pieces of evidence"
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
