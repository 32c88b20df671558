"""AWS limits with their sources, effects and remedies.

`use` names the figure that scale.py measures. The numbers are AWS's defaults; AWS raises most of them on request.
"""

from dataclasses import dataclass

PARTITION = "Best practices for designing and using partition keys effectively in DynamoDB"
WARM = "DynamoDB on-demand capacity mode"
QUOTAS = "Quotas in Amazon DynamoDB"
TRANSACTIONS = "Amazon DynamoDB Transactions: How it works"
WORKFLOWS = "Step Functions service quotas"
LAMBDA = "Lambda quotas"
GATEWAY = "Quotas for configuring and running an HTTP API in API Gateway"
ACCOUNT = "Amazon API Gateway quotas"
BUCKET = "Best practices design patterns: optimizing Amazon S3 performance"
NOTION = "Notion API: request limits"
OURS = "template.yaml"


@dataclass(frozen=True)
class Limit:
    what: str
    limit: float
    unit: str
    source: str  # title of AWS's page
    use: str
    seen: str
    turn: str
    whose: str = ""  # who has the limit separately, such as each owner
    times: int = 1  # number of shards that each have the limit
    burst: int = 0  # number that may come at once before the rate applies


_SLOWED = "the SDK retries, then the step or the caller; alarm TableThrottled"
_ASK = "request an increase: the limit is a default"
_STARTS = "StartExecution is throttled, the item stays QUEUED, the heartbeat starts it again; alarm WorkOverdue"
_SLOWER = "executions wait (`ExecutionThrottled`), but do not fail"
_PLACES = (
    "a step waits up to five minutes for a place, then its run starts again later; the API returns 5xx; "
    "alarm NoPlaceToRun"
)

RATES = (
    Limit(
        "rows of one owner, written", 1000, "units/s", PARTITION, "owner_writes", _SLOWED,
        "move the item's row to the partition of its artifacts and keep a small row for the list", "owner",
    ),
    Limit(
        "inbox index of one owner, written", 1000, "units/s", PARTITION, "inbox_writes", _SLOWED,
        "fewer moves: QUEUED and PROCESSING share a band already, so the remaining moves are to READY and to "
        "SHIPPED", "owner",
    ),
    Limit(
        "rows of one owner, read", 3000, "units/s", PARTITION, "owner_reads", _SLOWED,
        "nothing needed at this rate: most reads are of the item itself, by each step for its fence", "owner",
    ),
    Limit(
        "`due` index, written", 1000, "units/s", PARTITION, "due_writes",
        "writes of all owners slow down; alarm TableThrottled",
        "more shards (`DUE_SHARDS`); each adds one heartbeat "
        "query per minute", times=8,
    ),
    Limit("the table when it is new, written", 4000, "units/s", WARM, "table_writes", _SLOWED,
          "set warm throughput before a known peak; otherwise the limit doubles automatically"),
    Limit("the table, written", 40_000, "units/s", QUOTAS, "table_writes", _SLOWED, _ASK),
    Limit("the table, read", 40_000, "units/s", QUOTAS, "table_reads", _SLOWED, _ASK),
    Limit("starts of workflows, three large regions", 300, "starts/s", WORKFLOWS, "starts", _STARTS, _ASK,
          burst=1300),
    Limit("starts of workflows, elsewhere", 150, "starts/s", WORKFLOWS, "starts", _STARTS, _ASK, burst=800),
    Limit("transitions, three large regions", 1500, "transitions/s", WORKFLOWS, "transitions", _SLOWER, _ASK,
          burst=5000),
    Limit("transitions, elsewhere", 500, "transitions/s", WORKFLOWS, "transitions", _SLOWER, _ASK, burst=800),
    Limit("functions at once", 1000, "at once", LAMBDA, "function_seconds", _PLACES, _ASK),
    Limit("functions at once, in a new account", 10, "at once", LAMBDA, "function_seconds", _PLACES,
          "request 1,000 on the first day"),
    Limit("requests, of the account", 10_000, "requests/s", ACCOUNT, "requests", "429 from the gateway", _ASK),
    Limit("files of one prefix, put", 3500, "requests/s", BUCKET, "puts", "503 SlowDown, the SDK retries",
          "nothing: S3 splits by prefix, and keys continue with the owner and the item"),
    Limit("files of one prefix, got", 5500, "requests/s", BUCKET, "gets", "503 SlowDown, the SDK retries",
          "nothing"),
    Limit("executions open at once", 1_000_000, "at once", WORKFLOWS, "function_seconds",
          "`ExecutionLimitExceeded`, items stay QUEUED", _ASK),
)  # fmt: skip

TASK_RATES = (
    Limit("runs of one owner, written", 1000, "units/s", PARTITION, "run_writes", _SLOWED,
          "one partition per hour of runs, as for the counts; the list is then read hour by hour", "owner"),
    Limit("tasks of one owner, written", 1000, "units/s", PARTITION, "task_writes", _SLOWED,
          "one or more partitions per intent", "owner"),
    Limit("the board of one owner, written", 1000, "units/s", PARTITION, "list_writes", _SLOWED,
          "smaller cards: the board's index holds the fields that it shows", "owner"),
    Limit("counts of one owner, written", 1000, "units/s", PARTITION, "count_writes", _SLOWED,
          "nothing: the rows are shards already, and DynamoDB splits busy shards", "owner"),
    Limit("the queue of one owner and intent, written", 1000, "units/s", PARTITION, "queue_writes", _SLOWED,
          "more intents", "owner and intent"),
    Limit("`due` index, written", 1000, "units/s", PARTITION, "due_writes",
          "writes of all owners slow down; alarm TableThrottled", "more shards (`DUE_SHARDS`)", times=8),
    Limit("pages of Notion, if it is mirrored", 3, "requests/s", NOTION, "marks",
          "Notion lags behind and `GET /health` reports the backlog; tasks and runs are not affected",
          "nothing: a row that changes often is sent once, in its latest state"),
)  # fmt: skip

SIZES = (
    Limit("events in one execution", 25_000, "events", WORKFLOWS, "most_events",
          "the execution fails and no Catch applies; the item is recovered when its lease expires",
          "nothing: no path goes through a state more than twice"),
    Limit("a workflow's state", 262_144, "bytes", WORKFLOWS, "state", "`States.DataLimitExceeded`",
          "nothing: it carries ids, never text"),
    Limit("an item's row", 400 * 1024, "bytes", QUOTAS, "largest_row", "`ValidationException`, the call returns 500",
          "`INTENTS_MAX`: the intents take most of the space"),
    Limit("a transaction", 100, "actions", TRANSACTIONS, "actions", "`ValidationException`", "nothing"),
    Limit("a request's body", 10_000_000, "bytes", GATEWAY, "body", "413 from our API at a smaller size",
          "a presigned upload in place of a pasted text"),
    Limit("a function's input", 6 * 1024 * 1024, "bytes", LAMBDA, "body", "413 from our API at a smaller size",
          "the same"),
    Limit("a request's time", 30, "s", GATEWAY, "api_timeout", "503 from the gateway; our timeout comes first",
          "nothing: long work runs in a workflow"),
    Limit("reuse of an execution's name", 90, "days", WORKFLOWS, "name_days", "ExecutionAlreadyExists",
          "nothing: each start of a run has a new name"),
)  # fmt: skip
