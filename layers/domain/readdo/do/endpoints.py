"""API calls of the Do desk: tasks, runs, evidence, health and metrics."""

from readdo.web.call_spec import CONFLICT, INVALID, KEY, MISMATCH, NOT_FOUND, REUSED, Call

_TASK, _RUN = "/tasks/{task_id}", "/runs/{run_id}"
_REFUSED = (INVALID, NOT_FOUND, CONFLICT, REUSED)


def _of_task(verb: str, does: str, takes: str = "Empty", more: str = "") -> Call:
    name = f"{verb}Task"
    return Call("POST", f"{_TASK}/{verb}", name, does, {200: "TaskAnswer"}, takes, more, (), (KEY,), _REFUSED)


def _of_run(verb: str, does: str, answer: str, takes: str = "Empty", more: str = "", status: int = 200) -> Call:
    name = {"evidence": "attachEvidence"}.get(verb, f"{verb}Run")
    return Call("POST", f"{_RUN}/{verb}", name, does, {status: answer}, takes, more, (), (KEY,), _REFUSED)


CALLS = (
    Call(
        "POST",
        "/tasks",
        "addTask",
        "Add a task.",
        {201: "TaskAnswer", 200: "TaskAnswer"},
        "NewTask",
        "It can be claimed at once unless `hold` is true. The same `id` or Idempotency-Key returns the same task.",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
    Call(
        "GET",
        "/tasks",
        "listTasks",
        "List your tasks: P0 first, then the oldest.",
        {200: "TasksAnswer"},
        more="Without a filter, it lists all states. With a filter by intent or project, one call reads up to 1,000 "
        "tasks: continue while there is a `next_cursor`.",
        query=("status", "priority", "intent", "project", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call(
        "POST",
        "/tasks/claim",
        "claimTask",
        "Claim the next task and create a run for it.",
        {200: "ClaimAnswer", 204: ""},
        "Claim",
        "P0 first, then the oldest. Tasks that wait for another task are skipped. 204: no task is waiting. Start the "
        "run, send heartbeats before the lease expires, and complete the run.",
        headers=(KEY,),
        refuses=_REFUSED,
    ),
    Call(
        "GET",
        _TASK,
        "getTask",
        "Get a task with its payload, runs, available actions and history.",
        {200: "WholeTaskAnswer"},
        refuses=(NOT_FOUND,),
    ),
    _of_task("enqueue", "Queue a held task, so that it can be claimed."),
    _of_task("requeue", "Queue a blocked task again and reset its retries.", "Requeue"),
    _of_task("block", "Block a task until you requeue it. Its active run is cancelled.", "Block"),
    _of_task("cancel", "Cancel a task and its active run. This cannot be undone."),
    Call(
        "GET",
        "/runs",
        "listRuns",
        "List runs of tasks and items, newest first.",
        {200: "RunsAnswer"},
        more="The run of an item has `item_id` and no `task_id`.",
        query=("status", "intent", "cursor", "limit"),
        refuses=(INVALID,),
    ),
    Call("GET", _RUN, "getRun", "Get a run with its evidence.", {200: "WholeRunAnswer"}, refuses=(NOT_FOUND,)),
    _of_run("start", "Start a run. Its time limit counts from here.", "RunAnswer"),
    _of_run("heartbeat", "Renew the lease of a run.", "RunAnswer"),
    _of_run(
        "complete",
        "Report the result of a run. Its task changes with it.",
        "DoneAnswer",
        "Complete",
        "Exit code 0: the run succeeded, and the task is done. Otherwise `error_kind` decides: network retries after "
        "30, 60 and 120 s, timeout once after 5 min, dependency every 5 min, cancelled at once. execution waits for "
        "you unless the task has `max_retries`.",
    ),
    _of_run(
        "evidence",
        "Announce a file as evidence and get an upload URL.",
        "EvidenceAnswer",
        "NewEvidence",
        "PUT the bytes to `upload.url` with its `headers` within 15 minutes, without the Authorization header.",
        status=201,
    ),
    Call(
        "GET",
        f"{_RUN}/evidence/{{number}}",
        "getEvidence",
        "Get a file of evidence: a redirect to a link that is valid for 15 minutes.",
        {302: ""},
        refuses=(NOT_FOUND,),
    ),
    Call(
        "POST",
        "/items/{id}/todos/{number}/accept",
        "acceptTodo",
        "Turn a todo into a task.",
        {201: "AcceptAnswer", 200: "AcceptAnswer"},
        "AcceptTodo",
        "The same todo of the same version returns the same task.",
        headers=(KEY,),
        refuses=(INVALID, NOT_FOUND, CONFLICT, MISMATCH, REUSED),
    ),
    Call(
        "GET", "/health", "getHealth", "Get the health of the Do desk: figures and their limits.", {200: "HealthAnswer"}
    ),
    Call("GET", "/metrics", "getMetrics", "Get the results of runs of the last week by hour.", {200: "MetricsAnswer"}),
    Call(
        "POST",
        "/health/recount",
        "recount",
        "Recount the tasks, report the drift of the counters and correct them.",
        {200: "RecountAnswer"},
        "Empty",
        headers=(KEY,),
        refuses=(INVALID, CONFLICT, REUSED),
    ),
)
