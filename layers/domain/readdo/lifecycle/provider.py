"""Lifecycle of the circuit breaker of a model provider."""

from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, Condition, Machine, Row
from readdo.lifecycle.write import VERSION_SEEN, at_most, both, same

WELL, DOWN, PROBED = "WELL", "DOWN", "PROBED"

CONDITIONS = {
    "as seen": Condition(VERSION_SEEN, "the row has not changed since it was read"),
    "pause over": Condition(both(VERSION_SEEN, at_most("again_at", "now")), "past the end of the pause"),
    "its probe": Condition(same("probe", "probe"), "only the call that is the probe"),
}

# fmt: off
PROVIDER = Machine("provider", (
    #   from    to      by      trigger          only if
    Row(NEW,    WELL,   SYSTEM, "first_failure"),
    Row(WELL,   STAYS,  SYSTEM, "fail",          "as seen"),
    Row(WELL,   DOWN,   SYSTEM, "trip",          "as seen"),
    Row(DOWN,   PROBED, SYSTEM, "probe",         "pause over"),
    Row(PROBED, PROBED, SYSTEM, "probe_again",   "pause over"),
    Row(PROBED, WELL,   SYSTEM, "recover",       "its probe"),
    Row(PROBED, DOWN,   SYSTEM, "fail_probe",    "its probe"),
), CONDITIONS, keeps_history=False)
# fmt: on
