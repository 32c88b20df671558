"""Lifecycle of a backup, which runs in slices. Each start has an epoch; late writes are refused."""

from readdo.lifecycle.restart_conditions import RESTARTS, restart_conditions
from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Machine, Row

RUNNING, PAUSED, DONE, FAILED = "RUNNING", "PAUSED", "DONE", "FAILED"
UNDERWAY = (RUNNING, PAUSED)

CONDITIONS = restart_conditions(RESTARTS, " since its last progress")

# fmt: off
BACKUP = Machine("backup", (
    #   from     to       by      trigger        only if
    Row(NEW,     RUNNING, USER,   "ask"),
    Row(RUNNING, STAYS,   SYSTEM, "note",        "fence"),
    Row(RUNNING, PAUSED,  SYSTEM, "pause",       "fence"),
    Row(PAUSED,  RUNNING, SYSTEM, "go_on",       "due"),
    Row(RUNNING, RUNNING, SYSTEM, "start_again", "dead"),
    Row(RUNNING, FAILED,  SYSTEM, "give_up",     "dead again"),
    Row(RUNNING, DONE,    SYSTEM, "finish",      "fence"),
    Row(RUNNING, FAILED,  SYSTEM, "fail",        "fence"),
), CONDITIONS, final=frozenset({DONE, FAILED}))
# fmt: on
