"""Every no that a person can meet here, in their own language: what happened, to what, and what to do.

The API's words are for programs, and in English. Here each kind of error has a sentence in `words/`, in both languages.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from readdo.do.todo_acceptance import TASKS_MAX, NoSuchTodo, TooManyTasks
from readdo.errors import BadPayload, FieldProblem, VersionMismatch
from readdo.files import ObjectMissing
from readdo.lifecycle.advance import NotFound, Refused
from readdo.lifecycle.import_job import IMPORT
from readdo.lifecycle.item import ITEM, PROCESSING, SHIPPED
from readdo.lifecycle.run import RUN
from readdo.lifecycle.task import TASK
from readdo.lifecycle.webhook import WEBHOOK
from readdo.lifecycle.write import Busy
from readdo.read import actions
from readdo.read.capture import ItemDeleted
from readdo.read.exports import NoSuchCard, SetReplaced
from readdo.read.imports.import_commands import NoFile, NoPages
from readdo.read.imports.pages import KEPT_DAYS
from readdo.read.restores import FileMissing, RestoreInProgress
from readdo.store.idempotency import KeyReused
from readdo.store.inbox import BadCursor
from readdo.store.tokens import TOKENS_MAX
from readdo.web import errors
from readdo.web.errors import ApiError
from readdo.web.token_policy import TokensFull
from readdo.webhooks.subscriptions import HOOKS_MAX, TooMany
from screens import task_refusals
from screens.form_errors import complaint, label
from screens.i18n import Words


class LocalizedError(ApiError):
    """Said in the reader's language already, where it was noticed."""


def sentence(error: Exception, words: Words) -> str:
    """What the API has words for and the page has none is told by its code."""
    found = next((tell(error, words) for kind, tell in TOLD.items() if isinstance(error, kind)), "")
    known = errors.of(error)
    return found or (_by_code(known, words) if known else str(error))


def fields(error: Exception, words: Words) -> dict[str, str]:
    """Which field, as the form names it → what is wrong with it."""
    return {label(name, words): complaint(found, words) for name, found in _complaints(error).items()}


def _complaints(error: Exception) -> Mapping[str, FieldProblem]:
    if isinstance(error, BadPayload):
        return {name: found for name, found in error.fields.items() if isinstance(found, FieldProblem)}
    if isinstance(error.__cause__, ValidationError):
        found = error.__cause__.errors(include_url=False, include_input=False)
        return {".".join(map(str, one["loc"])): FieldProblem(one["msg"], one["type"], _limit(one)) for one in found}
    return {}


def _limit(one: Mapping[str, Any]) -> object:
    return next(iter(one.get("ctx", {}).values()), "")


def _of_fields(error: Exception, words: Words) -> str:
    listed = [words("error.field", field=field, words=said) for field, said in fields(error, words).items()]
    return " ".join([words("error.fields"), *listed]) if listed else words("error.VALIDATION_ERROR")


def _refused(refused: Refused, words: Words) -> str:
    if isinstance(refused, NotFound) or refused.row is None:
        return words("error.NOT_FOUND")
    if refused.machine is not ITEM:
        return _elsewhere(refused, words)
    status = refused.status or ""
    about = {
        "state": words(f"state.{status}"),
        "done": words.either(f"undone.{refused.trigger}", words("undone.other")),
    }
    if status == PROCESSING:
        return words("refused.working", **about)
    told = words("refused.lacks" if status in ITEM.sources(refused.trigger) else "refused", **about)
    if (refused.trigger, status) == ("regenerate", SHIPPED):
        told += words("refused.by_archive")
    may = [words.either(f"do.{one['action']}", "") for one in actions.available(refused.row)]
    return told + words("refused.may", may=words("list.comma").join(filter(None, may))) if any(may) else told


def _elsewhere(refused: Refused, words: Words) -> str:
    if refused.machine in (TASK, RUN):
        return task_refusals.of_work(refused, words)
    named = [WEBHOOK, IMPORT]
    return words(f"refused.{refused.machine.name}" if refused.machine in named else "refused.other")


def _by_code(error: ApiError, words: Words) -> str:
    return _of_fields(error, words) if error.status == 400 else words.either(f"error.{error.code}", error.message)


def _says(name: str, **values: object) -> Callable[[Any, Words], str]:
    return lambda _, words: words(name, **values)


# The more special before the more general.
TOLD: Mapping[type[Exception], Callable[[Any, Words], str]] = {
    LocalizedError: lambda error, _: error.message,
    TooMany: _says("error.hooks_full", n=HOOKS_MAX),
    TokensFull: _says("error.tokens_full", n=TOKENS_MAX),
    ApiError: _by_code,
    Refused: _refused,
    Busy: _says("error.busy"),
    KeyReused: _says("error.reused"),
    VersionMismatch: _says("conflict"),
    BadPayload: _of_fields,
    ItemDeleted: _says("error.deleted"),
    NoFile: _says("error.no_file"),
    NoPages: _says("error.no_pages", n=KEPT_DAYS),
    RestoreInProgress: _says("error.under_way"),
    FileMissing: _says("error.not_there"),
    ObjectMissing: _says("error.NOT_FOUND"),
    SetReplaced: _says("error.replaced"),
    BadCursor: _says("error.cursor"),
    NoSuchCard: _says("error.no_card"),
    NoSuchTodo: lambda error, words: words("error.no_todo", n=error.number, there=error.there),
    TooManyTasks: _says("error.tasks_full", n=TASKS_MAX),
}
