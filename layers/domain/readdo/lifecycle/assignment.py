"""Lifecycle of an assignment of the Collect desk. Only a verified result makes it done."""

from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import Compare, both, same

PENDING, IN_PROGRESS, PARTIAL = "pending", "in_progress", "partial"
DONE, FAILED, SKIPPED = "done", "failed", "skipped"
ORCHESTRATOR = "orchestrator"
CONTINUES = 3  # without a user
PASSED, NOT_PASSED = "passed", "not_passed"

_ITS_BATCH = same("batch_name", "batch")
_VERIFIED = both(
    _ITS_BATCH,
    same("verified.batch", "batch"),
    same("verified.output", "output"),
    Compare("verified.outcome", "=", PASSED),
)
CONDITIONS = {
    "its batch": Condition(_ITS_BATCH, "only the batch that picked it"),
    "verified": Condition(_VERIFIED, "this result of this attempt was verified and has passed"),
    "continues left": Condition(Compare("continued", "<", CONTINUES), f"continued fewer than {CONTINUES} times"),
}

# fmt: off
ASSIGNMENT = Machine("assignment", (
    #   from         to           by            trigger             only if
    Row(NEW,         PENDING,     USER,         "create"),
    Row(NEW,         SKIPPED,     USER,         "create_skipped"),
    Row(PENDING,     IN_PROGRESS, ORCHESTRATOR, "pick"),
    Row(PENDING,     STAYS,       ORCHESTRATOR, "mark_invalid"),
    Row(PENDING,     SKIPPED,     USER,         "skip"),
    Row(IN_PROGRESS, STAYS,       ORCHESTRATOR, "verify",           "its batch"),
    Row(IN_PROGRESS, DONE,        ORCHESTRATOR, "finish",           "verified"),
    Row(IN_PROGRESS, PARTIAL,     ORCHESTRATOR, "finish_in_part",   "its batch"),
    Row(IN_PROGRESS, PENDING,     ORCHESTRATOR, "hand_back",        "its batch"),
    Row(IN_PROGRESS, PENDING,     SYSTEM,       "put_back",         "its batch"),
    Row(IN_PROGRESS, FAILED,      ORCHESTRATOR, "fail",             "its batch"),
    Row(IN_PROGRESS, SKIPPED,     ORCHESTRATOR, "skip_in_batch",    "its batch"),
    Row(PARTIAL,     PENDING,     ORCHESTRATOR, "continue_at_pick", "continues left"),
    Row(PARTIAL,     PENDING,     USER,         "continue"),
    Row(FAILED,      PENDING,     USER,         "retry"),
    Row(NEW,         PENDING,     SYSTEM,       "restore_pending"),
    Row(NEW,         PARTIAL,     SYSTEM,       "restore_partial"),
    Row(NEW,         FAILED,      SYSTEM,       "restore_failed"),
    Row(NEW,         SKIPPED,     SYSTEM,       "restore_skipped"),
    Row(NEW,         DONE,        SYSTEM,       "restore_done"),
), CONDITIONS, final=frozenset({DONE, SKIPPED}), actors=frozenset({USER, SYSTEM, ORCHESTRATOR}))
# fmt: on
