"""The task: from somebody's wish to done, by way of runs. What a run's end means for it is written with that end."""

from readdo.lifecycle.conditions import DUE, at_most, same
from readdo.lifecycle.machine import NEW, STAYS, SYSTEM, USER, Condition, Machine, Row

INBOX, TO_DO, DOING, BLOCKED = "inbox", "todo", "doing", "blocked"
DONE, CANCELLED = "done", "cancelled"
GATEWAY, WORKER, HEARTBEAT = "gateway", "worker", "heartbeat"
OPEN = (INBOX, TO_DO, DOING, BLOCKED)

CONDITIONS = {
    "its run": Condition(same("run_id", "run"), "the run that the task is being done by"),
    "due": Condition(DUE, "past the due time, which is still the one that was seen"),
    "lifted": Condition(at_most("due_at", "now"), "past the time until which it was blocked"),
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
