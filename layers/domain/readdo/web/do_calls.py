"""The calls of the Do desk: tasks, the runs that are made of them, their evidence, and how the desk does."""

from readdo.web.call import CONFLICT, INVALID, KEY, MISMATCH, NOT_FOUND, REUSED, Call

_TASK, _RUN = "/tasks/{task_id}", "/runs/{run_id}"
_REFUSED = (INVALID, NOT_FOUND, CONFLICT, REUSED)


def _of_task(verb: str, does: str, takes: str = "Empty", more: str = "") -> Call:
    name = f"{verb}Task"
    return Call("POST", f"{_TASK}/{verb}", name, does, {200: "TaskAnswer"}, takes, more, (), (KEY,), _REFUSED)


def _of_run(verb: str, does: str, answer: str, takes: str = "Empty", more: str = "", status: int = 200) -> Call:
    name = {"evidence": "attachEvidence"}.get(verb, f"{verb}Run")
    return Call("POST", f"{_RUN}/{verb}", name, does, {status: answer}, takes, more, (), (KEY,), _REFUSED)


DO_CALLS = (
    Call(
        "POST",
        "/tasks",
        "addTask",
        "Add a task.",
        {201: "TaskAnswer", 200: "TaskAnswer"},
        "NewTask",
        "It can be claimed at once, unless `hold` is true. The same `id` or Idempotency-Key again is the same task.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        "/tasks",
        "listTasks",
        "Your tasks: P0 first, then the oldest.",
        {200: "TasksAnswer"},
        more="Without a filter of all states. With one by intent or project a call looks at no more than 1,000: go on "
        "while there is a `next_cursor`.",
        query=("status", "priority", "intent", "project", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call(
        "POST",
        "/tasks/claim",
        "claimTask",
        "Take the next task to work on, with a run of its own.",
        {200: "ClaimAnswer", 204: ""},
        "Claim",
        "P0 first, then the oldest; what waits for another is passed over. 204: there is nothing to do now. Say that "
        "the run starts, send heartbeats within the lease, and complete it.",
        headers=(KEY,),
        refuses=_REFUSED,
    ),
    Call(
        "GET",
        _TASK,
        "getTask",
        "One task: its payload, its runs, what can be done next, and every move that it made.",
        {200: "WholeTaskAnswer"},
        refuses=(NOT_FOUND,),
    ),
    _of_task("enqueue", "Let a held task wait to be claimed."),
    _of_task("requeue", "Let a blocked task be tried again, and forget how often it was.", "Requeue"),
    _of_task("block", "Keep it from going on until you say so; a run that works on it is cancelled.", "Block"),
    _of_task("cancel", "Cancel it, and the run that works on it. There is no way back."),
    Call(
        "GET",
        "/runs",
        "listRuns",
        "What ran, how long, how it ended: the newest first, those of the pipelines too.",
        {200: "RunsAnswer"},
        more="A run of an item's pipeline has `item_id` and no `task_id`.",
        query=("status", "intent", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call("GET", _RUN, "getRun", "One run and its evidence.", {200: "WholeRunAnswer"}, refuses=(NOT_FOUND,)),
    _of_run("start", "The worker begins; its time runs from here.", "RunAnswer"),
    _of_run("heartbeat", "The worker lives: the lease is its own for as long again.", "RunAnswer"),
    _of_run(
        "complete",
        "The worker says how it ended, and its task moves with it.",
        "DoneAnswer",
        "Complete",
        "0: succeeded, and the task is done. Else by `error_kind`: network is tried again after 30, 60 and 120 s, "
        "timeout once after 5 min, dependency every 5 min, cancelled at once; execution waits for you, unless the "
        "task has `max_retries`.",
    ),
    _of_run(
        "evidence",
        "Announce a file that shows how it went, and learn where to send it.",
        "EvidenceAnswer",
        "NewEvidence",
        "PUT the bytes to `upload.url` with its `headers` within 15 minutes, without the Authorization header.",
        status=201,
    ),
    Call(
        "GET",
        f"{_RUN}/evidence/{{number}}",
        "getEvidence",
        "A file of evidence: a redirect to a link that lives 15 minutes.",
        {302: ""},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "POST",
        "/items/{id}/todos/{number}/accept",
        "acceptTodo",
        "Accept a proposed todo: it becomes a task.",
        {201: "AcceptAnswer", 200: "AcceptAnswer"},
        "AcceptTodo",
        "The same todo of the same version again is the same task.",
        headers=(KEY,),
        refuses=(INVALID, NOT_FOUND, CONFLICT, MISMATCH, REUSED),
    ),
    Call("GET", "/health", "getHealth", "How the Do desk does, by figures and their limits.", {200: "HealthAnswer"}),
    Call("GET", "/metrics", "getMetrics", "How runs ended, hour by hour, of the last week.", {200: "MetricsAnswer"}),
    Call(
        "POST",
        "/health/recount",
        "recount",
        "Count the tasks anew, say by how much the counters had drifted, and mend them.",
        {200: "RecountAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
)
