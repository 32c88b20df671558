"""The backup: everything of an owner, taken out in slices. Each start has an epoch; what comes late is refused."""

from readdo.lifecycle.conditions import Compare, at_most, both, same
from readdo.lifecycle.machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row

RUNNING, PAUSED, DONE, FAILED = "RUNNING", "PAUSED", "DONE", "FAILED"
UNDERWAY = (RUNNING, PAUSED)
RESTARTS = 2

FENCE = same("epoch", "epoch")
OVERDUE = both(FENCE, same("due_at", "due_seen"), at_most("due_at", "now"))

CONDITIONS = {
    "fence": Condition(FENCE, "only the start that holds the epoch"),
    "due": Condition(OVERDUE, "past the due time, which is still the one that was seen"),
    "dead": Condition(
        both(OVERDUE, Compare("restarts", "<", RESTARTS)),
        f"past its due time at the epoch seen, started again fewer than {RESTARTS} times since it last came on",
    ),
    "dead again": Condition(
        both(OVERDUE, Compare("restarts", ">=", RESTARTS)),
        f"past its due time at the epoch seen, started again {RESTARTS} times since it last came on",
    ),
}

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
