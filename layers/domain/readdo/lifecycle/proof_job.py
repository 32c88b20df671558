"""Lifecycle of a proof job: its state and its phase are one status, such as `paused/process`."""

from readdo.lifecycle.restart_conditions import FENCE, OVERDUE
from readdo.lifecycle.state_machine import GONE, NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import Missing, same

QUEUED_VALIDATE, RUNNING_VALIDATE, ERROR_VALIDATE = "queued/validate", "running/validate", "error/validate"
QUEUED_PROCESS, RUNNING_PROCESS = "queued/process", "running/process"
PAUSED_PROCESS, ERROR_PROCESS = "paused/process", "error/process"
PAUSED_MERGE, RUNNING_MERGE, ERROR_MERGE, DONE = "paused/merge", "running/merge", "error/merge", "done/done"
STATES = ("queued", "running", "paused", "done", "error")
PHASES = ("validate", "process", "merge", "done")

CONDITIONS = {
    "fence": Condition(FENCE, "only the slice with the current epoch"),
    "its execution": Condition(same("execution", "execution_seen"), "only the newest execution of the job"),
    "due": Condition(OVERDUE, "past the due time, with the same epoch as read"),
    "untouched": Condition(Missing("touched"), "no chunk was done or in error"),
}

# fmt: off
JOB = Machine("job", (
    #   from              to                by      trigger              only if
    Row(NEW,              QUEUED_VALIDATE,  USER,   "create"),
    Row(NEW,              QUEUED_VALIDATE,  SYSTEM, "restore_queued"),
    Row(NEW,              DONE,             SYSTEM, "restore_done"),
    Row(QUEUED_VALIDATE,  RUNNING_VALIDATE, USER,   "validate"),
    Row(ERROR_VALIDATE,   RUNNING_VALIDATE, USER,   "validate"),
    Row(PAUSED_PROCESS,   RUNNING_VALIDATE, USER,   "validate",          "untouched"),
    Row(RUNNING_VALIDATE, STAYS,            SYSTEM, "note",              "fence"),
    Row(RUNNING_VALIDATE, PAUSED_PROCESS,   SYSTEM, "finish_validation", "fence"),
    Row(RUNNING_VALIDATE, ERROR_VALIDATE,   SYSTEM, "fail_validation",   "fence"),
    Row(RUNNING_VALIDATE, ERROR_VALIDATE,   SYSTEM, "lose_validation",   "due"),
    Row(PAUSED_PROCESS,   RUNNING_PROCESS,  USER,   "start"),
    Row(PAUSED_PROCESS,   QUEUED_PROCESS,   USER,   "wait_for_place"),
    Row(RUNNING_PROCESS,  PAUSED_PROCESS,   USER,   "pause"),
    Row(QUEUED_PROCESS,   PAUSED_PROCESS,   USER,   "pause"),
    Row(QUEUED_PROCESS,   RUNNING_PROCESS,  SYSTEM, "begin",             "its execution"),
    Row(QUEUED_PROCESS,   STAYS,            SYSTEM, "find_no_place",     "its execution"),
    Row(QUEUED_PROCESS,   RUNNING_PROCESS,  SYSTEM, "begin_waiting",     "due"),
    Row(QUEUED_PROCESS,   STAYS,            SYSTEM, "wait_longer",       "due"),
    Row(QUEUED_PROCESS,   PAUSED_PROCESS,   SYSTEM, "lose_start",        "due"),
    Row(RUNNING_PROCESS,  STAYS,            SYSTEM, "begin_slice",       "its execution"),
    Row(RUNNING_PROCESS,  STAYS,            SYSTEM, "note",              "fence"),
    Row(PAUSED_PROCESS,   STAYS,            SYSTEM, "note",              "fence"),
    Row(RUNNING_PROCESS,  PAUSED_PROCESS,   SYSTEM, "interrupt",         "fence"),
    Row(RUNNING_PROCESS,  QUEUED_PROCESS,   SYSTEM, "wait_for_function", "fence"),
    Row(RUNNING_PROCESS,  PAUSED_PROCESS,   SYSTEM, "lose_processing",   "due"),
    Row(RUNNING_PROCESS,  ERROR_PROCESS,    SYSTEM, "end_with_errors",   "fence"),
    Row(ERROR_PROCESS,    QUEUED_PROCESS,   USER,   "retry_failed"),
    Row(RUNNING_PROCESS,  PAUSED_MERGE,     SYSTEM, "finish_processing", "fence"),
    Row(PAUSED_MERGE,     RUNNING_MERGE,    USER,   "merge"),
    Row(ERROR_MERGE,      RUNNING_MERGE,    USER,   "merge"),
    Row(RUNNING_MERGE,    STAYS,            SYSTEM, "note",              "fence"),
    Row(RUNNING_MERGE,    DONE,             SYSTEM, "finish_merge",      "fence"),
    Row(RUNNING_MERGE,    ERROR_MERGE,      SYSTEM, "fail_merge",        "fence"),
    Row(RUNNING_MERGE,    ERROR_MERGE,      SYSTEM, "lose_merge",        "due"),
    Row(PAUSED_PROCESS,   STAYS,            SYSTEM, "lose_drain",        "due"),
    Row(QUEUED_VALIDATE,  STAYS,            SYSTEM, "keep_text",         "due"),
    Row(QUEUED_VALIDATE,  GONE,             SYSTEM, "expire",            "due"),
    Row(QUEUED_VALIDATE,  GONE,             USER,   "reset"),
    Row(RUNNING_VALIDATE, GONE,             USER,   "reset"),
    Row(ERROR_VALIDATE,   GONE,             USER,   "reset"),
    Row(PAUSED_PROCESS,   GONE,             USER,   "reset"),
    Row(QUEUED_PROCESS,   GONE,             USER,   "reset"),
    Row(RUNNING_PROCESS,  GONE,             USER,   "reset"),
    Row(ERROR_PROCESS,    GONE,             USER,   "reset"),
    Row(PAUSED_MERGE,     GONE,             USER,   "reset"),
    Row(RUNNING_MERGE,    GONE,             USER,   "reset"),
    Row(ERROR_MERGE,      GONE,             USER,   "reset"),
    Row(DONE,             GONE,             USER,   "reset"),
), CONDITIONS)
# fmt: on
