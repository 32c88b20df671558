"""The export: one key, one set of files. It lives beside its item, whose state only its end may move."""

from readdo.lifecycle.conditions import Compare, at_most, both, same
from readdo.lifecycle.machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row

RUNNING, DONE, FAILED = "RUNNING", "DONE", "FAILED"
RESTARTS = 2

FENCE = same("epoch", "epoch")
OVERDUE = both(FENCE, same("due_at", "due_seen"), at_most("due_at", "now"))

CONDITIONS = {
    "fence": Condition(FENCE, "only the start that holds the epoch"),
    "due": Condition(OVERDUE, "past the due time, which is still the one that was seen"),
    "dead": Condition(
        both(OVERDUE, Compare("restarts", "<", RESTARTS)),
        f"past its due time at the epoch seen, started again fewer than {RESTARTS} times",
    ),
    "dead again": Condition(
        both(OVERDUE, Compare("restarts", ">=", RESTARTS)),
        f"past its due time at the epoch seen, started again {RESTARTS} times",
    ),
}

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
