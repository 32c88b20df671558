"""Lifecycle of a task. The end of a run and its effect on the task are written in one transaction."""

from readdo.lifecycle.state_machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row
from readdo.lifecycle.write import DUE, at_most, same

INBOX, TO_DO, DOING, BLOCKED = "inbox", "todo", "doing", "blocked"
DONE, CANCELLED = "done", "cancelled"
GATEWAY, WORKER, HEARTBEAT = "gateway", "worker", "heartbeat"
OPEN = (INBOX, TO_DO, DOING, BLOCKED)

CONDITIONS = {
    "its run": Condition(same("run_id", "run"), "only the current run of the task"),
    "due": Condition(DUE, "past the due time, which has not changed since it was read"),
    "lifted": Condition(at_most("due_at", "now"), "past the end of the block"),
}

# fmt: off
TASK = Machine("task", (
    #   from     to         by         trigger         only if
    Row(NEW,     INBOX,     GATEWAY,   "add"),
    Row(INBOX,   TO_DO,     GATEWAY,   "enqueue"),
    Row(INBOX,   CANCELLED, USER,      "cancel"),
    Row(TO_DO,   DOING,     WORKER,    "claim"),
    Row(TO_DO,   BLOCKED,   WORKER,    "wait"),
    Row(TO_DO,   BLOCKED,   USER,      "block"),
    Row(TO_DO,   CANCELLED, USER,      "cancel"),
    Row(DOING,   DONE,      WORKER,    "finish",       "its run"),
    Row(DOING,   BLOCKED,   WORKER,    "fail",         "its run"),
    Row(DOING,   BLOCKED,   WORKER,    "hand_back",    "its run"),
    Row(DOING,   BLOCKED,   SYSTEM,    "lapse",        "its run"),
    Row(DOING,   BLOCKED,   SYSTEM,    "overrun",      "its run"),
    Row(DOING,   BLOCKED,   USER,      "stop",         "its run"),
    Row(DOING,   CANCELLED, USER,      "cancel_doing", "its run"),
    Row(BLOCKED, TO_DO,     HEARTBEAT, "lift",         "due"),
    Row(BLOCKED, STAYS,     HEARTBEAT, "look_later",   "due"),
    Row(BLOCKED, STAYS,     HEARTBEAT, "stop_waiting", "due"),
    Row(BLOCKED, TO_DO,     USER,      "requeue"),
    Row(BLOCKED, DOING,     WORKER,    "claim",        "lifted"),
    Row(BLOCKED, CANCELLED, USER,      "cancel"),
), CONDITIONS, final=frozenset({DONE, CANCELLED}), actors=frozenset({USER, SYSTEM, GATEWAY, WORKER, HEARTBEAT}))
# fmt: on
