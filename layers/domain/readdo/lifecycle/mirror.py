"""Lifecycle of the Notion mirror of an owner's tasks, runs and health. Each turn has an epoch."""

from readdo.lifecycle.restart_conditions import FENCE, OVERDUE
from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, Condition, Machine, Row
from readdo.lifecycle.write import Compare, Missing, Param, both, same

RESTING, SYNCING, OFF = "RESTING", "SYNCING", "OFF"

CONDITIONS = {
    "fence": Condition(FENCE, "only the turn with the current epoch"),
    "all seen": Condition(
        both(FENCE, same("news", "news_seen")),
        "only the turn with the current epoch, and there is no news since it read the row",
    ),
    "not taken": Condition(
        both(FENCE, Compare("taken", "<", Param("epoch"))), "only the turn with the current epoch, and only once"
    ),
    "due": Condition(OVERDUE, "past the due time, which has not changed since it was read"),
    "well": Condition(Missing("trouble"), "the last turn did not fail (after a failure the wait is kept)"),
}

# fmt: off
MIRROR = Machine("mirror", (
    #   from     to       by      trigger        only if
    Row(NEW,     RESTING, SYSTEM, "begin"),
    Row(RESTING, STAYS,   SYSTEM, "wake",        "well"),
    Row(SYNCING, STAYS,   SYSTEM, "tell"),
    Row(RESTING, SYNCING, SYSTEM, "sync",        "due"),
    Row(SYNCING, SYNCING, SYSTEM, "start_again", "due"),
    Row(SYNCING, STAYS,   SYSTEM, "take",        "not taken"),
    Row(SYNCING, STAYS,   SYSTEM, "note",        "fence"),
    Row(SYNCING, RESTING, SYSTEM, "finish",      "all seen"),
    Row(SYNCING, RESTING, SYSTEM, "pause",       "fence"),
    Row(SYNCING, RESTING, SYSTEM, "postpone",    "fence"),
    Row(RESTING, OFF,     SYSTEM, "switch_off",  "due"),
    Row(SYNCING, OFF,     SYSTEM, "switch_off",  "due"),
    Row(OFF,     RESTING, SYSTEM, "switch_on"),
), CONDITIONS, keeps_history=False)
# fmt: on
