"""Lifecycle of an export: one set of files per key. Only its end changes the state of the item."""

from readdo.lifecycle.restart_conditions import restart_conditions
from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Machine, Row

RUNNING, DONE, FAILED = "RUNNING", "DONE", "FAILED"
RESTARTS = 2

CONDITIONS = restart_conditions(RESTARTS)

# fmt: off
EXPORT = Machine("export", (
    #   from     to       by      trigger        only if
    Row(NEW,     RUNNING, USER,   "request"),
    Row(RUNNING, RUNNING, SYSTEM, "start_again", "dead"),
    Row(RUNNING, FAILED,  SYSTEM, "give_up",     "dead again"),
    Row(RUNNING, STAYS,   SYSTEM, "make",        "fence"),
    Row(RUNNING, DONE,    SYSTEM, "finish",      "fence"),
    Row(RUNNING, FAILED,  SYSTEM, "fail",        "fence"),
    Row(FAILED,  RUNNING, USER,   "request_again"),
    Row(FAILED,  RUNNING, SYSTEM, "auto_retry",  "due"),
    Row(FAILED,  STAYS,   SYSTEM, "let_be",      "due"),
), CONDITIONS, final=frozenset({DONE}))
# fmt: on
