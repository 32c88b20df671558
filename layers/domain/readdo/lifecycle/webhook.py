"""Lifecycle of a webhook. It is disabled after too many failed deliveries in a row."""

from readdo.lifecycle.state_machine import GONE, NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import Compare, both, same

ACTIVE, PAUSED, DISABLED = "ACTIVE", "PAUSED", "DISABLED"
MISSES = 10
_SAME = same("url", "sent_to")

CONDITIONS = {
    "missed before": Condition(Compare("misses", ">", 0), "the previous delivery failed"),
    "misses left": Condition(
        both(_SAME, Compare("misses", "<", MISSES - 1)),
        f"fewer than {MISSES} consecutive deliveries failed at this URL, including this one",
    ),
    "last miss": Condition(
        both(_SAME, Compare("misses", ">=", MISSES - 1)),
        f"{MISSES} consecutive deliveries failed at this URL, including this one",
    ),
    "same address": Condition(_SAME, "the URL is still the one that responded"),
}

# fmt: off
WEBHOOK = Machine("webhook", (
    #   from      to        by      trigger    only if
    Row(NEW,      ACTIVE,   USER,   "add"),
    Row(ACTIVE,   STAYS,    USER,   "change"),
    Row(PAUSED,   STAYS,    USER,   "change"),
    Row(DISABLED, STAYS,    USER,   "change"),
    Row(ACTIVE,   PAUSED,   USER,   "pause"),
    Row(PAUSED,   ACTIVE,   USER,   "resume"),
    Row(DISABLED, ACTIVE,   USER,   "resume"),
    Row(ACTIVE,   STAYS,    USER,   "send"),
    Row(ACTIVE,   STAYS,    SYSTEM, "arrive",  "missed before"),
    Row(ACTIVE,   STAYS,    SYSTEM, "miss",    "misses left"),
    Row(ACTIVE,   DISABLED, SYSTEM, "disable", "last miss"),
    Row(ACTIVE,   DISABLED, SYSTEM, "dismiss", "same address"),
    Row(ACTIVE,   GONE,     USER,   "remove"),
    Row(PAUSED,   GONE,     USER,   "remove"),
    Row(DISABLED, GONE,     USER,   "remove"),
), CONDITIONS, keeps_history=False)
# fmt: on
