"""The table and the bucket, which outlive their stack. They are named by the stack or by you, and never guessed."""

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

    def agreeing(self, told: "RetainedData") -> "RetainedData":
        """What the stack says counts; what was typed must not mean something else."""
        for name, its, said in (("TABLE", self.table, told.table), ("BUCKET", self.bucket, told.bucket)):
            if said and said != its:
                raise CommandFailure(
                    f"{name} is {said}, but the stack has {its or 'none'}. Nothing was done.",
                    f"Leave {name} out: the stack knows its own.",
                    exit_code=REFUSED,
                )
        return self


def of_stack(stack_id: str) -> RetainedData:
    """From its resources and not its outputs: a stack that failed has none, and one that is deleted has these still."""
    found = stacks.resources(stack_id)
    return RetainedData(stacks.named(found, "Table"), stacks.named(found, "Bucket"))


def still_there(left: RetainedData) -> RetainedData:
    return RetainedData(
        left.table if left.table and data.described(left.table) else "",
        left.bucket if left.bucket and data.is_there(left.bucket) else "",
    )


def checked(told: RetainedData, root: Path) -> RetainedData:
    """What is still there of what was named, and only if Read→Do made it and no stack has it."""
    left = still_there(told)
    for name in (left.table, left.bucket):
        owner = stacks.owner_of(name) if name else None
        if owner:
            raise CommandFailure(
                f"{name} belongs to the stack {owner.name}, which is still there. Nothing was done.",
                f"With the stack: make destroy STACK={owner.name} DATA=delete",
                exit_code=REFUSED,
            )
    if left.table and not data.is_ours(left.table):
        raise _not_ours("table", left.table)
    if left.bucket:
        # The template names every folder of the bucket that any part of the product may write.
        folders = set(_FOLDERS.findall((root / "template.yaml").read_text(encoding="utf-8")))
        if strange := sorted(data.folders(left.bucket) - folders):
            raise _not_ours("bucket", left.bucket, f" It holds {', '.join(strange[:3])}.")
    return left


def _not_ours(kind: str, name: str, why: str = "") -> CommandFailure:
    return CommandFailure(
        f"The {kind} {name} is not one that Read→Do made.{why} Nothing was done.",
        "Look at the name again; if it is the right one, delete it by hand.",
        exit_code=REFUSED,
    )
