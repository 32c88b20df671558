"""Lifecycle of an import of a file, line by line. Its items have their own lifecycles."""

from readdo.lifecycle.restart_conditions import RESTARTS, restart_conditions
from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import Exists, Missing, both

WAITING, READING, RUNNING, PAUSED = "WAITING", "READING", "RUNNING", "PAUSED"
DONE, FAILED, CANCELLED = "DONE", "FAILED", "CANCELLED"

CONDITIONS = restart_conditions(RESTARTS, " since its last progress") | {
    "read": Condition(Exists("pages"), "the file was read completely"),
    "not read": Condition(
        both(Missing("pages"), Missing("refused")), "the file was not read yet, and it was not rejected"
    ),
}

# fmt: off
IMPORT = Machine("import", (
    #   from     to         by      trigger       only if
    Row(NEW,     WAITING,   USER,   "ask"),
    Row(WAITING, READING,   USER,   "start"),
    Row(WAITING, FAILED,    SYSTEM, "let_go",     "due"),
    Row(WAITING, CANCELLED, USER,   "cancel"),
    Row(READING, READING,   SYSTEM, "read_again", "dead"),
    Row(READING, FAILED,    SYSTEM, "give_up",    "dead again"),
    Row(READING, STAYS,     SYSTEM, "stumble",    "fence"),
    Row(READING, FAILED,    SYSTEM, "refuse",     "fence"),
    Row(READING, RUNNING,   SYSTEM, "run",        "fence"),
    Row(READING, CANCELLED, USER,   "cancel"),
    Row(RUNNING, RUNNING,   SYSTEM, "go_on",      "dead"),
    Row(RUNNING, FAILED,    SYSTEM, "give_up",    "dead again"),
    Row(RUNNING, STAYS,     SYSTEM, "stumble",    "fence"),
    Row(RUNNING, STAYS,     SYSTEM, "note",       "fence"),
    Row(RUNNING, DONE,      SYSTEM, "finish",     "fence"),
    Row(RUNNING, PAUSED,    USER,   "pause"),
    Row(RUNNING, CANCELLED, USER,   "cancel"),
    Row(PAUSED,  RUNNING,   USER,   "resume"),
    Row(PAUSED,  CANCELLED, USER,   "cancel"),
    Row(FAILED,  RUNNING,   USER,   "resume",     "read"),
    Row(FAILED,  READING,   USER,   "start",      "not read"),
), CONDITIONS, final=frozenset({DONE, CANCELLED}), keeps_history=False)
# fmt: on
