"""Lifecycle of a delivery of an event to a webhook. Only the attempt with the newest epoch may report."""

from readdo.lifecycle.restart_conditions import FENCE, OVERDUE
from readdo.lifecycle.state_machine import NEW, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import Compare, both

WAITING, DELIVERED, FAILED = "WAITING", "DELIVERED", "FAILED"
DELAYS = (30, 120, 600, 3600, 6 * 3600, 24 * 3600)  # seconds after each attempt except the last
TRIES = len(DELAYS) + 1

CONDITIONS = {
    "fence": Condition(FENCE, "only the attempt with the current epoch"),
    "tries left": Condition(
        both(FENCE, Compare("tries", "<", TRIES)),
        f"only the attempt with the current epoch, and fewer than {TRIES} attempts were made",
    ),
    "due": Condition(
        both(OVERDUE, Compare("tries", "<", TRIES)),
        f"past the due time, which has not changed since it was read, and fewer than {TRIES} attempts were made",
    ),
    "due, no tries left": Condition(
        both(OVERDUE, Compare("tries", ">=", TRIES)),
        f"past the due time of the last of {TRIES} attempts, which crashed",
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
