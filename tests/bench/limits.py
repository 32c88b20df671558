"""AWS's limits, a row each: its number and where it stands, what one item takes of it, what is seen, what to turn.

`use` names what scale.py measures. The numbers are AWS's defaults; most can be raised by asking.
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
    source: str  # the title of AWS's page
    use: str
    seen: str
    turn: str
    whose: str = ""  # a limit that each owner has for themselves
    times: int = 1  # there are so many of it: shards
    burst: int = 0  # so many may come at once, before the rate holds


_SLOWED = "the SDK tries again, then the step or the call; alarm TableThrottled"
_ASK = "ask for more: it is a default"
_STARTS = "StartExecution is refused, the item stays QUEUED, the heartbeat starts it again; alarm WorkOverdue"
_SLOWER = "executions wait (`ExecutionThrottled`), none fails"
_PLACES = "a step is tried 3 more times, then fails and is retried at its time; the API answers 5xx; alarm NoPlaceToRun"

RATES = (
    Limit(
        "rows of one owner, written", 1000, "units/s", PARTITION, "owner_writes", _SLOWED,
        "the item's row moves into the partition that its artifacts have; a thin row stays for the list", "an owner",
    ),
    Limit(
        "inbox index of one owner, written", 1000, "units/s", PARTITION, "inbox_writes", _SLOWED,
        "fewer moves: QUEUED and PROCESSING share a band already, so what is left is one move for READY and one for "
        "SHIPPED", "an owner",
    ),
    Limit(
        "rows of one owner, read", 3000, "units/s", PARTITION, "owner_reads", _SLOWED,
        "the item itself, read by each step for its fence, is most of it: nothing, at this rate", "an owner",
    ),
    Limit(
        "`due` index, written", 1000, "units/s", PARTITION, "due_writes",
        "every owner's writes are slowed; alarm TableThrottled",
        "more shards (`DUE_SHARDS`); each costs the heartbeat a "
        "query a minute", times=8,
    ),
    Limit("the table when it is new, written", 4000, "units/s", WARM, "table_writes", _SLOWED,
          "warm throughput, before a day that one knows of; it doubles by itself"),
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
          "ask for 1,000 on the first day"),
    Limit("requests, of the account", 10_000, "requests/s", ACCOUNT, "requests", "429 from the gateway", _ASK),
    Limit("files of one prefix, put", 3500, "requests/s", BUCKET, "puts", "503 SlowDown, the SDK tries again",
          "nothing: S3 splits by prefix, and keys go on with the owner and the item"),
    Limit("files of one prefix, got", 5500, "requests/s", BUCKET, "gets", "503 SlowDown, the SDK tries again",
          "nothing"),
    Limit("executions open at once", 1_000_000, "at once", WORKFLOWS, "function_seconds",
          "`ExecutionLimitExceeded`, items stay QUEUED", _ASK),
)  # fmt: skip

TASK_RATES = (
    Limit("runs of one owner, written", 1000, "units/s", PARTITION, "run_writes", _SLOWED,
          "an hour of runs a partition, as its counts have; the list is then read hour by hour", "an owner"),
    Limit("tasks of one owner, written", 1000, "units/s", PARTITION, "task_writes", _SLOWED,
          "a partition for each intent, or several", "an owner"),
    Limit("the board of one owner, written", 1000, "units/s", PARTITION, "list_writes", _SLOWED,
          "thinner cards: what the board shows of a task is in its index", "an owner"),
    Limit("counts of one owner, written", 1000, "units/s", PARTITION, "count_writes", _SLOWED,
          "nothing: its rows are shards already, which DynamoDB parts from each other when they are busy", "an owner"),
    Limit("the queue of one owner and intent, written", 1000, "units/s", PARTITION, "queue_writes", _SLOWED,
          "more intents", "an owner's intent"),
    Limit("`due` index, written", 1000, "units/s", PARTITION, "due_writes",
          "every owner's writes are slowed; alarm TableThrottled", "more shards (`DUE_SHARDS`)", times=8),
    Limit("pages of Notion, if it is mirrored", 3, "requests/s", NOTION, "marks",
          "Notion is late, and `GET /health` says how much waits; tasks and runs are not",
          "nothing: what changes often is shown once, as it is when its turn comes"),
)  # fmt: skip

SIZES = (
    Limit("events in one execution", 25_000, "events", WORKFLOWS, "most_events",
          "the execution fails where no Catch sees it; the end of the lease finds the item", "nothing: no way goes "
          "through a state more than twice"),
    Limit("what a workflow carries", 262_144, "bytes", WORKFLOWS, "state", "`States.DataLimitExceeded`",
          "nothing: it carries ids, never text"),
    Limit("an item's row", 400 * 1024, "bytes", QUOTAS, "largest_row", "`ValidationException`, the call answers 500",
          "`INTENTS_MAX`: the intents are most of it"),
    Limit("a transaction", 100, "actions", TRANSACTIONS, "actions", "`ValidationException`", "nothing"),
    Limit("a request's body", 10_000_000, "bytes", GATEWAY, "body", "413 from us, long before",
          "a presigned upload in place of a pasted text"),
    Limit("what a function is given", 6 * 1024 * 1024, "bytes", LAMBDA, "body", "413 from us, before", "the same"),
    Limit("a request's time", 30, "s", GATEWAY, "api_timeout", "503 from the gateway; ours ends first",
          "nothing: what takes long is a workflow"),
    Limit("an execution's name is taken", 90, "days", WORKFLOWS, "name_days", "ExecutionAlreadyExists",
          "nothing: each start of a run has a name of its own"),
)  # fmt: skip
