"""Keys of webhooks and of the Notion mirror.

Webhooks and their secrets have separate partitions, so that only the function that signs deliveries can read the
secrets.

O#owner#Y          Y                   Notion mirror of tasks, runs and health
O#owner#Y          CH#row              mark of a change that is not in Notion yet
O#owner#Y          PG#id               Notion page of a task or a run
W#owner            W#id                webhook
W#owner            N#item              the last announced change of an item
W#owner            N                   number of webhooks
W#owner#hook       D#id                delivery
S#owner            S#id                secret of a webhook
"""

from readdo.lifecycle.write import Key
from readdo.store.keys import owner

WEBHOOK_PREFIX, DELIVERY_PREFIX = "W#", "D#"
MARK_PREFIX = "CH#"
MIRROR = "Y"


def mirror_partition(owner_name: str) -> str:
    return f"{owner(owner_name)}#Y"


def mirror(owner_name: str) -> Key:
    return Key(mirror_partition(owner_name), MIRROR)


def mark(owner_name: str, row: str) -> Key:
    """`row`: the sort key of a task or a run."""
    return Key(mirror_partition(owner_name), f"{MARK_PREFIX}{row}")


def mirrored_row(owner_name: str, row: str) -> Key:
    return Key(mirror_partition(owner_name), f"PG#{row}")


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
