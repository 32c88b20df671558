"""Error texts in the user's language: what happened, to what, and what to do.

The API's messages are in English and for programs. Here each kind of error has a text in `words/`, in both languages.
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
    """An error whose message is already in the user's language."""


def sentence(error: Exception, words: Words) -> str:
    """The text of an error. An error without a text on the page is shown by its code."""
    text = next((render(error, words) for kind, render in TEXTS.items() if isinstance(error, kind)), "")
    api_error = errors.to_api_error(error)
    return text or (_text_by_code(api_error, words) if api_error else str(error))


def fields(error: Exception, words: Words) -> dict[str, str]:
    """Field label → problem, in the user's language."""
    return {label(name, words): complaint(problem, words) for name, problem in _field_problems(error).items()}


def _field_problems(error: Exception) -> Mapping[str, FieldProblem]:
    if isinstance(error, BadPayload):
        return {name: problem for name, problem in error.fields.items() if isinstance(problem, FieldProblem)}
    if isinstance(error.__cause__, ValidationError):
        details = error.__cause__.errors(include_url=False, include_input=False)
        return {
            ".".join(map(str, detail["loc"])): FieldProblem(detail["msg"], detail["type"], _limit(detail))
            for detail in details
        }
    return {}


def _limit(detail: Mapping[str, Any]) -> object:
    return next(iter(detail.get("ctx", {}).values()), "")


def _fields_text(error: Exception, words: Words) -> str:
    lines = [words("error.field", field=field, words=problem) for field, problem in fields(error, words).items()]
    return " ".join([words("error.fields"), *lines]) if lines else words("error.VALIDATION_ERROR")


def _refused_text(refused: Refused, words: Words) -> str:
    if isinstance(refused, NotFound) or refused.row is None:
        return words("error.NOT_FOUND")
    if refused.machine is not ITEM:
        return _refused_other(refused, words)
    status = refused.status or ""
    values = {
        "state": words(f"state.{status}"),
        "done": words.either(f"undone.{refused.trigger}", words("undone.other")),
    }
    if status == PROCESSING:
        return words("refused.working", **values)
    text = words("refused.lacks" if status in ITEM.sources(refused.trigger) else "refused", **values)
    if (refused.trigger, status) == ("regenerate", SHIPPED):
        text += words("refused.by_archive")
    allowed = [words.either(f"do.{action['action']}", "") for action in actions.available(refused.row)]
    return text + words("refused.may", may=words("list.comma").join(filter(None, allowed))) if any(allowed) else text


def _refused_other(refused: Refused, words: Words) -> str:
    if refused.machine in (TASK, RUN):
        return task_refusals.of_work(refused, words)
    named = [WEBHOOK, IMPORT]
    return words(f"refused.{refused.machine.name}" if refused.machine in named else "refused.other")


def _text_by_code(error: ApiError, words: Words) -> str:
    return _fields_text(error, words) if error.status == 400 else words.either(f"error.{error.code}", error.message)


def _text(name: str, **values: object) -> Callable[[Any, Words], str]:
    return lambda _, words: words(name, **values)


# Subclasses before their base classes.
TEXTS: Mapping[type[Exception], Callable[[Any, Words], str]] = {
    LocalizedError: lambda error, _: error.message,
    TooMany: _text("error.hooks_full", n=HOOKS_MAX),
    TokensFull: _text("error.tokens_full", n=TOKENS_MAX),
    ApiError: _text_by_code,
    Refused: _refused_text,
    Busy: _text("error.busy"),
    KeyReused: _text("error.reused"),
    VersionMismatch: _text("conflict"),
    BadPayload: _fields_text,
    ItemDeleted: _text("error.deleted"),
    NoFile: _text("error.no_file"),
    NoPages: _text("error.no_pages", n=KEPT_DAYS),
    RestoreInProgress: _text("error.under_way"),
    FileMissing: _text("error.not_there"),
    ObjectMissing: _text("error.NOT_FOUND"),
    SetReplaced: _text("error.replaced"),
    BadCursor: _text("error.cursor"),
    NoSuchCard: _text("error.no_card"),
    NoSuchTodo: lambda error, words: words("error.no_todo", n=error.number, there=error.there),
    TooManyTasks: _text("error.tasks_full", n=TASKS_MAX),
}
