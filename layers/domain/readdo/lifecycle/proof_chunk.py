"""Lifecycle of a chunk of a proof job. A chunk without a row is pending.

A pause, a reset and a dead slice do not write to the rows of chunks: they raise the job's epoch. A chunk that is
processing or retrying with an older epoch is read as pending, and claimed again. So is a failed chunk after
`retry_failed`.
"""

from readdo.lifecycle.restart_conditions import FENCE
from readdo.lifecycle.state_machine import NEW, SYSTEM, Condition, Machine, Row
from readdo.lifecycle.write import Compare, Param

PENDING, PROCESSING, RETRYING, DONE, ERROR = "pending", "processing", "retrying", "done", "error"
CHUNK_STATES = (PENDING, PROCESSING, RETRYING, DONE, ERROR)

CONDITIONS = {
    "fence": Condition(FENCE, "only the slice that claimed the chunk"),
    "older epoch": Condition(Compare("epoch", "<", Param("epoch")), "the chunk was claimed with an older epoch"),
    "retried": Condition(Compare("epoch", "<", Param("retried_at_epoch")), "the failed chunks were retried since"),
}

# fmt: off
CHUNK = Machine("chunk", (
    #   from        to          by      trigger      only if
    Row(NEW,        PROCESSING, SYSTEM, "claim_new"),
    Row(PENDING,    PROCESSING, SYSTEM, "claim"),
    Row(PROCESSING, PROCESSING, SYSTEM, "reclaim",   "older epoch"),
    Row(RETRYING,   PROCESSING, SYSTEM, "reclaim",   "older epoch"),
    Row(ERROR,      PROCESSING, SYSTEM, "retry",     "retried"),
    Row(PROCESSING, RETRYING,   SYSTEM, "wait",      "fence"),
    Row(RETRYING,   PROCESSING, SYSTEM, "try_again", "fence"),
    Row(PROCESSING, DONE,       SYSTEM, "finish",    "fence"),
    Row(RETRYING,   DONE,       SYSTEM, "finish",    "fence"),
    Row(PROCESSING, ERROR,      SYSTEM, "fail",      "fence"),
    Row(RETRYING,   ERROR,      SYSTEM, "fail",      "fence"),
    Row(ERROR,      PENDING,    SYSTEM, "release"),
), CONDITIONS, final=frozenset({DONE}), keeps_history=False)
# fmt: on
