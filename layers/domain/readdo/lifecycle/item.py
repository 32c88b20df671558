"""Lifecycle of an item, from a captured link to a shipped card."""

from readdo.lifecycle.state_machine import GONE, NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import DUE, VERSION_SEEN, Compare, Exists, Missing, at_most, both, same

CAPTURED, QUEUED, PROCESSING, READY = "CAPTURED", "QUEUED", "PROCESSING", "READY"
FAILED_EXTRACTION, FAILED_AI, FAILED_EXPORT = "FAILED_EXTRACTION", "FAILED_AI", "FAILED_EXPORT"
SHIPPED, ARCHIVED = "SHIPPED", "ARCHIVED"

FAILED = (FAILED_EXTRACTION, FAILED_AI, FAILED_EXPORT)
SET = ("summary", "score", "todos", "card")  # must be complete, from one run, before READY
# Artifact → the step that creates it, in order. The gate is last and creates nothing.
MADE_BY = {"extraction": "extract", "summary": "summarize", "score": "score", "todos": "todos", "card": "card"}
GATE = "gate"
STEPS = (*MADE_BY.values(), GATE)
RECLAIMS = 2

FENCE = both(same("run_id", "run"), same("lease_epoch", "epoch"))
LEASE_OVER = both(at_most("lease_expires_at", "now"), same("lease_epoch", "epoch"), same("due_at", "due_seen"))

CONDITIONS = {
    "fence": Condition(FENCE, "only the run that holds the lease, with its epoch"),
    "whole": Condition(
        both(FENCE, *(same(f"made.{kind}", kind) for kind in SET)),
        "only the run that holds the lease, with the four artifacts that the gate checked",
    ),
    "this run": Condition(same("run_id", "run"), "only the run that the item was queued with"),
    "due": Condition(DUE, "past the due time, which has not changed since it was read"),
    "lease over": Condition(
        both(LEASE_OVER, Compare("reclaims", "<", RECLAIMS)),
        f"the lease has expired, with the same epoch as read, and was reclaimed fewer than {RECLAIMS} times",
    ),
    "lease over again": Condition(
        both(LEASE_OVER, Compare("reclaims", ">=", RECLAIMS)),
        f"the lease has expired, with the same epoch as read, and was reclaimed {RECLAIMS} times",
    ),
    "no text yet": Condition(Missing("content_ref"), "the item has no pasted text"),
    "edited": Condition(Exists("edited"), "an artifact is shown in the user's version"),
    "served": Condition(Exists("served_run_id"), "a complete, valid set of artifacts is served"),
    "same card": Condition(same("served_run_id", "served"), "the served set is still the one of the export"),
    "score is low": Condition(
        both(VERSION_SEEN, Compare("priority", "=", "SKIP")),
        "the priority is SKIP, and the item has not changed since it became READY (and the skip policy is on)",
    ),
}

# fmt: off
ITEM = Machine("item", (
    #   from               to                 by      trigger               only if
    Row(NEW,               CAPTURED,          USER,   "capture"),
    Row(NEW,               CAPTURED,          SYSTEM, "restore_captured"),
    Row(NEW,               READY,             SYSTEM, "restore_ready"),
    Row(NEW,               FAILED_EXTRACTION, SYSTEM, "restore_failed_extraction"),
    Row(NEW,               FAILED_AI,         SYSTEM, "restore_failed_ai"),
    Row(NEW,               FAILED_EXPORT,     SYSTEM, "restore_failed_export"),
    Row(NEW,               SHIPPED,           SYSTEM, "restore_shipped"),
    Row(NEW,               ARCHIVED,          SYSTEM, "restore_archived"),
    Row(CAPTURED,          STAYS,             USER,   "attach_text",        "no text yet"),
    Row(QUEUED,            STAYS,             USER,   "attach_text",        "no text yet"),
    Row(PROCESSING,        STAYS,             USER,   "attach_text",        "no text yet"),
    Row(FAILED_EXTRACTION, STAYS,             USER,   "attach_text",        "no text yet"),
    Row(CAPTURED,          STAYS,             USER,   "join"),
    Row(QUEUED,            STAYS,             USER,   "join"),
    Row(PROCESSING,        STAYS,             USER,   "join"),
    Row(READY,             STAYS,             USER,   "join"),
    Row(FAILED_EXTRACTION, STAYS,             USER,   "join"),
    Row(FAILED_AI,         STAYS,             USER,   "join"),
    Row(FAILED_EXPORT,     STAYS,             USER,   "join"),
    Row(SHIPPED,           STAYS,             USER,   "join"),
    Row(ARCHIVED,          STAYS,             USER,   "join"),
    Row(CAPTURED,          STAYS,             USER,   "patch"),
    Row(READY,             STAYS,             USER,   "patch"),
    Row(FAILED_EXTRACTION, STAYS,             USER,   "patch"),
    Row(FAILED_AI,         STAYS,             USER,   "patch"),
    Row(FAILED_EXPORT,     STAYS,             USER,   "patch"),
    Row(SHIPPED,           STAYS,             USER,   "patch"),
    Row(ARCHIVED,          STAYS,             USER,   "patch"),
    Row(READY,             STAYS,             USER,   "edit"),
    Row(SHIPPED,           STAYS,             USER,   "edit"),
    Row(READY,             STAYS,             USER,   "accept"),
    Row(SHIPPED,           STAYS,             USER,   "accept"),
    Row(READY,             STAYS,             USER,   "unedit",             "edited"),
    Row(SHIPPED,           STAYS,             USER,   "unedit",             "edited"),
    Row(CAPTURED,          QUEUED,            SYSTEM, "enqueue"),
    Row(CAPTURED,          QUEUED,            USER,   "process"),
    Row(FAILED_EXTRACTION, QUEUED,            USER,   "process"),
    Row(FAILED_AI,         QUEUED,            USER,   "process"),
    Row(FAILED_EXPORT,     QUEUED,            USER,   "process"),
    Row(FAILED_EXTRACTION, QUEUED,            USER,   "retry"),
    Row(FAILED_AI,         QUEUED,            USER,   "retry"),
    Row(FAILED_EXPORT,     QUEUED,            USER,   "retry"),
    Row(READY,             QUEUED,            USER,   "regenerate"),
    Row(ARCHIVED,          QUEUED,            USER,   "regenerate"),
    Row(FAILED_EXTRACTION, QUEUED,            SYSTEM, "auto_retry",         "due"),
    Row(FAILED_AI,         QUEUED,            SYSTEM, "auto_retry",         "due"),
    Row(QUEUED,            QUEUED,            SYSTEM, "start_again",        "due"),
    Row(QUEUED,            PROCESSING,        SYSTEM, "lease",              "this run"),
    Row(PROCESSING,        QUEUED,            SYSTEM, "reclaim",            "lease over"),
    Row(PROCESSING,        FAILED_EXTRACTION, SYSTEM, "give_up_extraction", "lease over again"),
    Row(PROCESSING,        FAILED_AI,         SYSTEM, "give_up_ai",         "lease over again"),
    Row(PROCESSING,        STAYS,             SYSTEM, "make",               "fence"),
    Row(PROCESSING,        STAYS,             SYSTEM, "look_later",         "due"),
    Row(PROCESSING,        READY,             SYSTEM, "publish",            "whole"),
    Row(PROCESSING,        FAILED_EXTRACTION, SYSTEM, "fail_extraction",    "fence"),
    Row(PROCESSING,        FAILED_AI,         SYSTEM, "fail_ai",            "fence"),
    Row(FAILED_EXTRACTION, READY,             USER,   "keep",               "served"),
    Row(FAILED_AI,         READY,             USER,   "keep",               "served"),
    Row(READY,             STAYS,             USER,   "export",             "same card"),
    Row(FAILED_EXPORT,     STAYS,             USER,   "export",             "same card"),
    Row(SHIPPED,           STAYS,             USER,   "export",             "same card"),
    Row(FAILED_EXPORT,     STAYS,             SYSTEM, "export_retry",       "same card"),
    Row(SHIPPED,           STAYS,             SYSTEM, "export_retry",       "same card"),
    Row(READY,             SHIPPED,           SYSTEM, "export_done",        "same card"),
    Row(FAILED_EXPORT,     SHIPPED,           SYSTEM, "export_done",        "same card"),
    Row(SHIPPED,           SHIPPED,           SYSTEM, "export_done",        "same card"),
    Row(READY,             FAILED_EXPORT,     SYSTEM, "export_failed",      "same card"),
    Row(FAILED_EXPORT,     FAILED_EXPORT,     SYSTEM, "export_failed",      "same card"),
    Row(SHIPPED,           SHIPPED,           SYSTEM, "export_again_failed", "same card"),
    Row(READY,             SHIPPED,           USER,   "ship"),
    Row(CAPTURED,          ARCHIVED,          USER,   "archive"),
    Row(QUEUED,            ARCHIVED,          USER,   "archive"),
    Row(READY,             ARCHIVED,          USER,   "archive"),
    Row(SHIPPED,           ARCHIVED,          USER,   "archive"),
    Row(FAILED_EXTRACTION, ARCHIVED,          USER,   "archive_failure"),
    Row(FAILED_AI,         ARCHIVED,          USER,   "archive_failure"),
    Row(FAILED_EXPORT,     ARCHIVED,          USER,   "archive_failure"),
    Row(READY,             ARCHIVED,          SYSTEM, "skip",               "score is low"),
    Row(ARCHIVED,          READY,             USER,   "unarchive",          "served"),
    Row(ARCHIVED,          QUEUED,            USER,   "unarchive_anew"),
    Row(CAPTURED,          GONE,              USER,   "delete"),
    Row(QUEUED,            GONE,              USER,   "delete"),
    Row(READY,             GONE,              USER,   "delete"),
    Row(FAILED_EXTRACTION, GONE,              USER,   "delete"),
    Row(FAILED_AI,         GONE,              USER,   "delete"),
    Row(FAILED_EXPORT,     GONE,              USER,   "delete"),
    Row(SHIPPED,           GONE,              USER,   "delete"),
    Row(ARCHIVED,          GONE,              USER,   "delete"),
), CONDITIONS)
# fmt: on
