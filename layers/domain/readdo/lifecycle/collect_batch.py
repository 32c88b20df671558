"""Lifecycle of a batch of assignments. Its output is applied once."""

from readdo.lifecycle.assignment import ORCHESTRATOR
from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import DUE

PICKING, OPEN, APPLYING = "picking", "open", "applying"
APPLIED, FAILED, TIMED_OUT = "applied", "failed", "timed_out"
WORKER = "worker"
FILE_WORKER, OWN_WORKER = "file", "own"  # whom a batch is for

CONDITIONS = {"due": Condition(DUE, "past the due time, which has not changed since it was read")}

# fmt: off
BATCH = Machine("batch", (
    #   from       to         by            trigger          only if
    Row(NEW,       PICKING,   USER,         "begin"),
    Row(PICKING,   STAYS,     ORCHESTRATOR, "add"),
    Row(PICKING,   OPEN,      ORCHESTRATOR, "open"),
    Row(PICKING,   FAILED,    SYSTEM,       "lose_pick",     "due"),
    Row(OPEN,      APPLYING,  WORKER,       "accept"),
    Row(OPEN,      STAYS,     ORCHESTRATOR, "refuse_output"),
    Row(OPEN,      FAILED,    ORCHESTRATOR, "fail"),
    Row(OPEN,      STAYS,     SYSTEM,       "start_again",   "due"),
    Row(OPEN,      FAILED,    SYSTEM,       "lose_work"),
    Row(OPEN,      TIMED_OUT, SYSTEM,       "time_out",      "due"),
    Row(APPLYING,  STAYS,     SYSTEM,       "go_on",         "due"),
    Row(APPLYING,  APPLIED,   ORCHESTRATOR, "finish"),
    Row(FAILED,    STAYS,     SYSTEM,       "settle"),
    Row(TIMED_OUT, STAYS,     SYSTEM,       "settle"),
), CONDITIONS, final=frozenset({APPLIED, FAILED, TIMED_OUT}), actors=frozenset({USER, SYSTEM, ORCHESTRATOR, WORKER}))
# fmt: on
