"""Keys of imports, backups and restores.

O#owner            M#id                import
O#owner#M#id       R#page#offset       results of the lines of an import, from an offset
O#owner            Z#id                backup
O#owner            Z                   pointer to the newest backup
O#owner            V#id                restore
O#owner            V                   pointer to the newest restore
"""

from readdo.lifecycle.write import Key
from readdo.store.keys import owner

BACKUP_PREFIX, RESTORE_PREFIX = "Z#", "V#"
IMPORT_PREFIX, RESULTS_PREFIX = "M#", "R#"


def import_job(owner_name: str, import_id: str) -> Key:
    return Key(owner(owner_name), f"{IMPORT_PREFIX}{import_id}")


def import_partition(owner_name: str, import_id: str) -> str:
    return f"{owner(owner_name)}#{IMPORT_PREFIX}{import_id}"


def results(owner_name: str, import_id: str, page_number: int, offset: int) -> Key:
    return Key(import_partition(owner_name, import_id), f"{RESULTS_PREFIX}{page_number:05d}#{offset:03d}")


def backup(owner_name: str, backup_id: str) -> Key:
    return Key(owner(owner_name), f"{BACKUP_PREFIX}{backup_id}")


def restore(owner_name: str, restore_id: str) -> Key:
    return Key(owner(owner_name), f"{RESTORE_PREFIX}{restore_id}")


def newest_restore(owner_name: str) -> Key:
    return Key(owner(owner_name), "V")


def newest_backup(owner_name: str) -> Key:
    return Key(owner(owner_name), "Z")
