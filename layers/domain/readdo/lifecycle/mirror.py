"""The mirror: an owner's tasks, runs and health, shown in a database of Notion. A turn of it holds an epoch."""

from readdo.lifecycle.conditions import Compare, Missing, Param, both, same
from readdo.lifecycle.epochs import FENCE, OVERDUE
from readdo.lifecycle.machine import NEW, STAYS, SYSTEM, Condition, Machine, Row

RESTING, SYNCING, OFF = "RESTING", "SYNCING", "OFF"

CONDITIONS = {
    "fence": Condition(FENCE, "only the turn that holds the epoch"),
    "all seen": Condition(
        both(FENCE, same("news", "news_seen")), "only the turn that holds the epoch, and nothing came since it looked"
    ),
    "not taken": Condition(
        both(FENCE, Compare("taken", "<", Param("epoch"))), "only the turn that holds the epoch, and only once"
    ),
    "due": Condition(OVERDUE, "past the due time, which is still the one that was seen"),
    "well": Condition(Missing("trouble"), "Notion did not refuse the last turn: if it did, its wait is kept"),
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
