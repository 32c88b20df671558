"""The delivery: one event on its way to one webhook. Each try has an epoch, and only the newest may say how it went."""

from readdo.lifecycle.conditions import Compare, both
from readdo.lifecycle.epochs import FENCE, OVERDUE
from readdo.lifecycle.machine import NEW, SYSTEM, USER, Condition, Machine, Row

WAITING, DELIVERED, FAILED = "WAITING", "DELIVERED", "FAILED"
DELAYS = (30, 120, 600, 3600, 6 * 3600, 24 * 3600)  # seconds after each try but the last
TRIES = len(DELAYS) + 1

CONDITIONS = {
    "fence": Condition(FENCE, "only the try that holds the epoch"),
    "tries left": Condition(
        both(FENCE, Compare("tries", "<", TRIES)),
        f"only the try that holds the epoch, and fewer than {TRIES} were made",
    ),
    "due": Condition(
        both(OVERDUE, Compare("tries", "<", TRIES)),
        f"past the due time, which is still the one that was seen, and fewer than {TRIES} tries were made",
    ),
    "due, no tries left": Condition(
        both(OVERDUE, Compare("tries", ">=", TRIES)), f"past the due time of the last of {TRIES} tries, which died"
    ),
}

# fmt: off
DELIVERY = Machine("delivery", (
    #   from       to         by      trigger      only if
    Row(NEW,       WAITING,   SYSTEM, "announce"),
    Row(NEW,       WAITING,   USER,   "test"),
    Row(WAITING,   WAITING,   SYSTEM, "try_again", "due"),
    Row(WAITING,   FAILED,    SYSTEM, "give_up",   "due, no tries left"),
    Row(WAITING,   DELIVERED, SYSTEM, "arrive",    "fence"),
    Row(WAITING,   WAITING,   SYSTEM, "postpone",  "tries left"),
    Row(WAITING,   FAILED,    SYSTEM, "fail",      "fence"),
    Row(WAITING,   WAITING,   USER,   "redeliver"),
    Row(DELIVERED, WAITING,   USER,   "redeliver"),
    Row(FAILED,    WAITING,   USER,   "redeliver"),
), CONDITIONS, keeps_history=False)
# fmt: on
