"""Whose data comes back: the table and the bucket of the stack, or those that outlived it and are named."""

from dataclasses import dataclass, replace

from cloud import data, retained_data, stacks
from cloud.aws import Account
from cloud.restore_options import RestoreOptions
from cloud.retained_data import RetainedData
from cloud.stack_location import Place
from terminal.failures import REFUSED, CommandFailure, missing

GUIDE = "docs/operations.md, under 'Getting data back'"


@dataclass(frozen=True)
class RestoreSource:
    name: str  # what is typed to confirm: the stack's name; the table's, if the stack is gone
    table: str
    bucket: str  # none: there is none, or it was not named


def find_source(place: Place, asked: RestoreOptions, where: Account) -> RestoreSource:
    stack = stacks.find(place.stack)
    if stack and stack.status != stacks.NEVER_MADE:
        stacks.refuse_if_changing(stack)
        its = retained_data.of_stack(stack.id).agreeing(asked.told)
        if not its.table:
            raise CommandFailure(f"The stack {stack.name} ({stack.status}) has no table.", exit_code=REFUSED)
        return RestoreSource(stack.name, *_there(place, its))
    if asked.told.table:
        return _named(place, asked.told)
    former = stacks.former(place.stack)
    left = retained_data.still_there(retained_data.of_stack(former)) if former else RetainedData("", "")
    if not left.table:
        raise missing(
            f"There is no stack {place.stack} in {where.short}.",
            "Say where it is: STACK=name REGION=… AWS_PROFILE=…",
            f"Or what it left behind: {place.make('restore', **asked.said())} TABLE=name BUCKET=name",
        )
    raise missing(
        f"The stack {place.stack} is gone. The last one of that name left behind:",
        *left.lines(),
        "To get data back into that:",
        f"  {place.make('restore', **replace(asked, told=left).said())}",
    )


def _named(place: Place, told: RetainedData) -> RestoreSource:
    for name in (told.table, told.bucket):
        owner = stacks.owner_of(name) if name else None
        if owner:
            raise CommandFailure(
                f"{name} belongs to the stack {owner.name}. Nothing was done.",
                f"Name that, and leave TABLE and BUCKET out: STACK={owner.name}",
                exit_code=REFUSED,
            )
    table, bucket = _there(place, told)
    if not data.is_ours(table):
        words = f"The table {table} is not one that Read→Do made. Nothing was done."
        raise CommandFailure(words, "Look at the name again.", exit_code=REFUSED)
    if told.bucket and not bucket:
        raise missing(f"There is no bucket {told.bucket}.", "Look at the name again, or leave BUCKET out.")
    return RestoreSource(table, table, bucket)


def _there(place: Place, its: RetainedData) -> tuple[str, str]:
    """A bucket may be missing; without a table there is nothing to go by."""
    if not data.described(its.table):
        raise missing(
            f"The table {its.table} is not there: it was deleted.",
            "AWS keeps a last backup of a deleted table for 35 days. Find it:",
            f"  {aws(place, 'list-backups', its.table)} --backup-type SYSTEM",
            f"How the table is made from it again: {GUIDE}.",
        )
    return its.table, retained_data.still_there(RetainedData("", its.bucket)).bucket


def aws(place: Place, call: str, table: str) -> str:
    """A command of AWS's own, meaning this place."""
    profile = f" --profile {place.profile}" if place.profile else ""
    return f"aws dynamodb {call} --table-name {table} --region {place.region}{profile}"
