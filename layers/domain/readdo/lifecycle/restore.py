"""Lifecycle of a restore, which runs in slices. As for a backup, each start has an epoch."""

from readdo.lifecycle.backup import CONDITIONS, DONE, FAILED, PAUSED, RUNNING
from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Machine, Row

WAITING = "WAITING"

# fmt: off
RESTORE = Machine("restore", (
    #   from     to       by      trigger        only if
    Row(NEW,     WAITING, USER,   "offer"),
    Row(WAITING, RUNNING, USER,   "start"),
    Row(RUNNING, STAYS,   SYSTEM, "note",        "fence"),
    Row(RUNNING, PAUSED,  SYSTEM, "pause",       "fence"),
    Row(PAUSED,  RUNNING, SYSTEM, "go_on",       "due"),
    Row(RUNNING, RUNNING, SYSTEM, "start_again", "dead"),
    Row(RUNNING, FAILED,  SYSTEM, "give_up",     "dead again"),
    Row(RUNNING, DONE,    SYSTEM, "finish",      "fence"),
    Row(RUNNING, FAILED,  SYSTEM, "fail",        "fence"),
), CONDITIONS, final=frozenset({DONE, FAILED}))
# fmt: on
