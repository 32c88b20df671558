"""Conditions of jobs that are restarted after a crash. Each start has an epoch and a deadline."""

from readdo.lifecycle.state_machine import Condition
from readdo.lifecycle.write import DUE, Compare, both, same

FENCE = same("epoch", "epoch")
OVERDUE = both(FENCE, DUE)
RESTARTS = 3  # of a sliced job without progress in between


def restart_conditions(at_most: int, since: str = "") -> dict[str, Condition]:
    """`since`: a text for the event that resets the number of restarts."""
    return {
        "fence": Condition(FENCE, "only the start with the current epoch"),
        "due": Condition(OVERDUE, "past the due time, which has not changed since it was read"),
        "dead": Condition(
            both(OVERDUE, Compare("restarts", "<", at_most)),
            f"past the due time, with the same epoch as read, restarted fewer than {at_most} times{since}",
        ),
        "dead again": Condition(
            both(OVERDUE, Compare("restarts", ">=", at_most)),
            f"past the due time, with the same epoch as read, restarted {at_most} times{since}",
        ),
    }
