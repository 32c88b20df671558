"""What is started, and again where it died: each start has an epoch, and a time by which it must be heard of."""

from readdo.lifecycle.conditions import DUE, Compare, both, same
from readdo.lifecycle.machine import Condition

FENCE = same("epoch", "epoch")
OVERDUE = both(FENCE, DUE)


def started_again(at_most: int, since: str = "") -> dict[str, Condition]:
    """`since`: the words for what has it counted anew."""
    return {
        "fence": Condition(FENCE, "only the start that holds the epoch"),
        "due": Condition(OVERDUE, "past the due time, which is still the one that was seen"),
        "dead": Condition(
            both(OVERDUE, Compare("restarts", "<", at_most)),
            f"past its due time at the epoch seen, started again fewer than {at_most} times{since}",
        ),
        "dead again": Condition(
            both(OVERDUE, Compare("restarts", ">=", at_most)),
            f"past its due time at the epoch seen, started again {at_most} times{since}",
        ),
    }
