"""Keys of all rows. Every partition key starts with the owner, except those of tokens and providers.

IAM policies can only tell rows apart by the partition key. Webhooks, their secrets and the budget have separate
partitions, so that only the function that signs deliveries can read the secrets, and the function that reads untrusted
pages cannot change the budget.

O#owner            I#id                item
O#owner            K#op#digest(key)    idempotency record
O#owner            T#digest            token, for the list of its owner
O#owner            U#digest(page)      the item of a page
O#owner            M#id                import
O#owner#M#id       R#page#offset       results of the lines of an import, from an offset
O#owner#I#id       C#digest            a short pasted text
O#owner#I#id       A#type#R#run        artifact of a run
O#owner#I#id       A#type#U#version    artifact of the user
O#owner#I#id       X#digest(key)       export
O#owner#I#id       H#vVersion          older history, moved off the item at that version
O#owner            Z#id                backup
O#owner            Z                   pointer to the newest backup
O#owner            V#id                restore
O#owner            V                   pointer to the newest restore
O#owner#D          TASK#id             task
O#owner#R          RUN#id              run of a task, or of the pipeline of an item
O#owner#R#id       E#number            evidence of a run
O#owner#N          S#shard             number of tasks by state
O#owner#N          HR#hour#shard       results of the runs of an hour
O#owner#Y          Y                   Notion mirror of tasks, runs and health
O#owner#Y          CH#row              mark of a change that is not in Notion yet
O#owner#Y          PG#id               Notion page of a task or a run
T#sha256           T                   token, for authentication
H#heartbeat        H                   time of the last heartbeat
N#desks            owner               an owner who has tasks
B#owner            B#day               model tokens that the owner used that day
P#name             P                   circuit breaker of a model provider
W#owner            W#id                webhook
W#owner            N#item              the last announced change of an item
W#owner            N                   number of webhooks
W#owner#hook       D#id                delivery
S#owner            S#id                secret of a webhook
"""

from readdo.ids import digest
from readdo.lifecycle.conditions import Compare
from readdo.lifecycle.write import Key

DUE_INDEX, INBOX_INDEX, QUEUE_INDEX = "due", "inbox", "queue"
DUE_SHARDS = 8
BACKUP_PREFIX, RESTORE_PREFIX, HISTORY_PREFIX = "Z#", "V#", "H#"
ITEM_PREFIX, EXPORT_PREFIX, TOKEN_PREFIX, TEXT_PREFIX = "I#", "X#", "T#", "C#"
WEBHOOK_PREFIX, DELIVERY_PREFIX = "W#", "D#"
TASK_PREFIX, RUN_PREFIX, EVIDENCE_PREFIX = "TASK#", "RUN#", "E#"
STATES_PREFIX, HOURS_PREFIX = "S#", "HR#"
IMPORT_PREFIX, RESULTS_PREFIX = "M#", "R#"
MARK_PREFIX = "CH#"
MIRROR = "Y"
LAST = "\uffff"


def owner(name: str) -> str:
    return f"O#{name}"


def item(owner_name: str, item_id: str) -> Key:
    return Key(owner(owner_name), f"{ITEM_PREFIX}{item_id}")


def item_partition(owner_name: str, item_id: str) -> str:
    """The partition of the rows of an item, such as artifacts."""
    return f"{owner(owner_name)}#I#{item_id}"


def text(owner_name: str, item_id: str, name: str) -> Key:
    return Key(item_partition(owner_name, item_id), f"{TEXT_PREFIX}{name}")


def run_artifact(owner_name: str, item_id: str, kind: str, run_id: str) -> Key:
    return Key(item_partition(owner_name, item_id), f"A#{kind}#R#{run_id}")


def user_artifact(owner_name: str, item_id: str, kind: str, version: int) -> Key:
    return Key(item_partition(owner_name, item_id), f"A#{kind}#U#{version:06d}")


def export(owner_name: str, item_id: str, export_key: str) -> Key:
    return Key(item_partition(owner_name, item_id), f"{EXPORT_PREFIX}{digest(export_key)}")


def older_history(owner_name: str, item_id: str, version: int) -> Key:
    """Ordered by the version of the item, which only increases. Clocks may differ."""
    return Key(item_partition(owner_name, item_id), f"H#v{version:010d}")


def import_job(owner_name: str, import_id: str) -> Key:
    return Key(owner(owner_name), f"{IMPORT_PREFIX}{import_id}")


def import_partition(owner_name: str, import_id: str) -> str:
    return f"{owner(owner_name)}#{IMPORT_PREFIX}{import_id}"


def results(owner_name: str, import_id: str, page_number: int, offset: int) -> Key:
    return Key(import_partition(owner_name, import_id), f"{RESULTS_PREFIX}{page_number:05d}#{offset:03d}")


def idempotency(owner_name: str, operation: str, key: str) -> Key:
    return Key(owner(owner_name), f"K#{operation}#{digest(key)}")


def page(owner_name: str, page_digest: str) -> Key:
    return Key(owner(owner_name), f"U#{page_digest}")


def tasks(owner_name: str) -> str:
    """The partition of the tasks of an owner."""
    return f"{owner(owner_name)}#D"


def task(owner_name: str, task_id: str) -> Key:
    return Key(tasks(owner_name), f"{TASK_PREFIX}{task_id}")


def queue(owner_name: str, intent: str) -> str:
    """The partition of one intent in the queue index."""
    return f"{owner(owner_name)}#Q#{intent}"


def queue_of(owner_name: str, intent: str) -> Compare:
    return Compare("queue", "=", queue(owner_name, intent))


def runs(owner_name: str) -> str:
    return f"{owner(owner_name)}#R"


def run(owner_name: str, run_id: str) -> Key:
    return Key(runs(owner_name), f"{RUN_PREFIX}{run_id}")


def run_partition(owner_name: str, run_id: str) -> str:
    """The partition of the rows of a run."""
    return f"{runs(owner_name)}#{run_id}"


def evidence(owner_name: str, run_id: str, number: int) -> Key:
    return Key(run_partition(owner_name, run_id), f"{EVIDENCE_PREFIX}{number:03d}")


def heartbeat() -> Key:
    return Key("H#heartbeat", "H")


def desks() -> str:
    """The partition that lists every owner who has tasks."""
    return "N#desks"


def desk(owner_name: str) -> Key:
    return Key(desks(), owner(owner_name))


def counts(owner_name: str) -> str:
    return f"{owner(owner_name)}#N"


def count_of_states(owner_name: str, shard: int) -> Key:
    return Key(counts(owner_name), f"{STATES_PREFIX}{shard:02d}")


def count_of_hour(owner_name: str, hour: str, shard: int) -> Key:
    return Key(counts(owner_name), f"{HOURS_PREFIX}{hour}#{shard}")


def mirror_partition(owner_name: str) -> str:
    return f"{owner(owner_name)}#Y"


def mirror(owner_name: str) -> Key:
    return Key(mirror_partition(owner_name), MIRROR)


def mark(owner_name: str, row: str) -> Key:
    """`row`: the sort key of a task or a run."""
    return Key(mirror_partition(owner_name), f"{MARK_PREFIX}{row}")


def mirrored_row(owner_name: str, row: str) -> Key:
    return Key(mirror_partition(owner_name), f"PG#{row}")


def token(secret_hash: str) -> Key:
    return Key(f"T#{secret_hash}", "T")


def token_listed(owner_name: str, token_id: str) -> Key:
    return Key(owner(owner_name), f"{TOKEN_PREFIX}{token_id}")


def backup(owner_name: str, backup_id: str) -> Key:
    return Key(owner(owner_name), f"{BACKUP_PREFIX}{backup_id}")


def restore(owner_name: str, restore_id: str) -> Key:
    return Key(owner(owner_name), f"{RESTORE_PREFIX}{restore_id}")


def newest_restore(owner_name: str) -> Key:
    return Key(owner(owner_name), "V")


def newest_backup(owner_name: str) -> Key:
    return Key(owner(owner_name), "Z")


def budget(owner_name: str, day: str) -> Key:
    return Key(f"B#{owner_name}", f"B#{day}")


def provider(name: str) -> Key:
    return Key(f"P#{name}", "P")


def webhooks(owner_name: str) -> str:
    """The partition of the webhooks of an owner."""
    return f"W#{owner_name}"


def webhook(owner_name: str, hook_id: str) -> Key:
    return Key(webhooks(owner_name), f"{WEBHOOK_PREFIX}{hook_id}")


def webhooks_counted(owner_name: str) -> Key:
    return Key(webhooks(owner_name), "N")


def announcement(owner_name: str, item_id: str) -> Key:
    return Key(webhooks(owner_name), f"N#{item_id}")


def deliveries(owner_name: str, hook_id: str) -> str:
    """The partition of the deliveries of a webhook."""
    return f"{webhooks(owner_name)}#{hook_id}"


def delivery(owner_name: str, hook_id: str, delivery_id: str) -> Key:
    return Key(deliveries(owner_name, hook_id), f"{DELIVERY_PREFIX}{delivery_id}")


def webhook_secret(owner_name: str, hook_id: str) -> Key:
    return Key(f"S#{owner_name}", f"S#{hook_id}")


def stretch(prefix: str) -> tuple[str, str, str]:
    """The range of all sort keys with a prefix, for `between` of a query."""
    return ("sk", prefix, prefix + LAST)


def due_shard(name: str) -> str:
    return str(int(digest(name), 16) % DUE_SHARDS)


def partition(pk: str) -> Compare:
    return Compare("pk", "=", pk)
