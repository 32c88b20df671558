"""The table and the bucket that outlive their stack. Their names come from the stack or the user only."""

import re
from dataclasses import dataclass
from pathlib import Path

from cloud import data, stacks
from terminal.failures import REFUSED, CommandFailure

_FOLDERS = re.compile(r"\$\{Bucket\.Arn\}/([a-z_-]+)/")


@dataclass(frozen=True)
class RetainedData:
    table: str
    bucket: str

    def __bool__(self) -> bool:
        return bool(self.table or self.bucket)

    def lines(self) -> list[str]:
        return [f"{kind:6}  {name}" for kind, name in (("table", self.table), ("bucket", self.bucket)) if name]

    def require_match(self, named: "RetainedData") -> "RetainedData":
        """Return the stack's names, and fail if the user gave different ones."""
        for name, stack_name, given_name in (("TABLE", self.table, named.table), ("BUCKET", self.bucket, named.bucket)):
            if given_name and given_name != stack_name:
                raise CommandFailure(
                    f"{name} is {given_name}, but the stack has {stack_name or 'none'}. Nothing was changed.",
                    f"Leave out {name}; it is read from the stack.",
                    exit_code=REFUSED,
                )
        return self


def of_stack(stack_id: str) -> RetainedData:
    """Read the names from the stack's resources, which failed and deleted stacks have, unlike outputs."""
    resources = stacks.resources(stack_id)
    return RetainedData(stacks.physical_name(resources, "Table"), stacks.physical_name(resources, "Bucket"))


def existing(retained: RetainedData) -> RetainedData:
    return RetainedData(
        retained.table if retained.table and data.describe(retained.table) else "",
        retained.bucket if retained.bucket and data.bucket_exists(retained.bucket) else "",
    )


def validate(named: RetainedData, root: Path) -> RetainedData:
    """Return what still exists, and fail unless Read→Do created it and no stack owns it."""
    remaining = existing(named)
    for name in (remaining.table, remaining.bucket):
        owner = stacks.owner_of(name) if name else None
        if owner:
            raise CommandFailure(
                f"{name} belongs to the existing stack {owner.name}. Nothing was changed.",
                f"To delete it with the stack: make destroy STACK={owner.name} DATA=delete",
                exit_code=REFUSED,
            )
    if remaining.table and not data.is_readdo_table(remaining.table):
        raise _not_ours("table", remaining.table)
    if remaining.bucket:
        # The template lists every folder that the product may write to the bucket.
        folders = set(_FOLDERS.findall((root / "template.yaml").read_text(encoding="utf-8")))
        if strange := sorted(data.folders(remaining.bucket) - folders):
            raise _not_ours("bucket", remaining.bucket, f" It contains {', '.join(strange[:3])}.")
    return remaining


def _not_ours(kind: str, name: str, why: str = "") -> CommandFailure:
    return CommandFailure(
        f"The {kind} {name} was not created by Read→Do.{why} Nothing was changed.",
        "Check the name. If it is correct, delete it yourself in AWS.",
        exit_code=REFUSED,
    )
