"""Find the table and the bucket to restore: of the stack, or the named ones of a deleted stack."""

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
    name: str  # typed to confirm: the stack's name, or the table's if the stack is deleted
    table: str
    bucket: str  # empty: there is no bucket, or it was not named


def find_source(place: Place, options: RestoreOptions, where: Account) -> RestoreSource:
    stack = stacks.find(place.stack)
    if stack and stack.status != stacks.NEVER_MADE:
        stacks.refuse_if_changing(stack)
        retained = retained_data.of_stack(stack.id).require_match(options.retained)
        if not retained.table:
            raise CommandFailure(f"The stack {stack.name} ({stack.status}) has no table.", exit_code=REFUSED)
        return RestoreSource(stack.name, *_existing(place, retained))
    if options.retained.table:
        return _named(place, options.retained)
    stack_id = stacks.last_deleted(place.stack)
    remaining = retained_data.existing(retained_data.of_stack(stack_id)) if stack_id else RetainedData("", "")
    if not remaining.table:
        raise missing(
            f"The stack {place.stack} was not found in {where.short}.",
            "Set its location: STACK=name REGION=… AWS_PROFILE=…",
            f"For a deleted stack: {place.make('restore', **options.variables())} TABLE=name BUCKET=name",
        )
    raise missing(
        f"The stack {place.stack} is deleted. Its remaining data:",
        *remaining.lines(),
        "To restore into it:",
        f"  {place.make('restore', **replace(options, retained=remaining).variables())}",
    )


def _named(place: Place, named: RetainedData) -> RestoreSource:
    for name in (named.table, named.bucket):
        owner = stacks.owner_of(name) if name else None
        if owner:
            raise CommandFailure(
                f"{name} belongs to the stack {owner.name}. Nothing was changed.",
                f"Leave out TABLE and BUCKET, and use: STACK={owner.name}",
                exit_code=REFUSED,
            )
    table, bucket = _existing(place, named)
    if not data.is_readdo_table(table):
        message = f"The table {table} was not created by Read→Do. Nothing was changed."
        raise CommandFailure(message, "Check the name.", exit_code=REFUSED)
    if named.bucket and not bucket:
        raise missing(f"The bucket {named.bucket} was not found.", "Check the name, or leave out BUCKET.")
    return RestoreSource(table, table, bucket)


def _existing(place: Place, retained: RetainedData) -> tuple[str, str]:
    """Check that the table exists; the bucket may be missing."""
    if not data.describe(retained.table):
        raise missing(
            f"The table {retained.table} was deleted.",
            "AWS keeps a last backup of a deleted table for 35 days. Find it:",
            f"  {aws(place, 'list-backups', retained.table)} --backup-type SYSTEM",
            f"To restore the table from it, see {GUIDE}.",
        )
    return retained.table, retained_data.existing(RetainedData("", retained.bucket)).bucket


def aws(place: Place, call: str, table: str) -> str:
    """Return an AWS CLI command for this location."""
    profile = f" --profile {place.profile}" if place.profile else ""
    return f"aws dynamodb {call} --table-name {table} --region {place.region}{profile}"
