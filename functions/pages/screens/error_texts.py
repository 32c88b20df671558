"""Error texts in the user's language: what happened, to what, and what to do.

The API's messages are in English and for programs. Here each kind of error has a text in `words/`, in both languages.
"""

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import ValidationError

from readdo.api.registry import to_api_error
from readdo.errors import BadPayload, FieldProblem, Rejected, VersionMismatch
from readdo.files import ObjectMissing
from readdo.lifecycle.advance import NotFound, Refused
from readdo.lifecycle.write import Busy, Overloaded
from readdo.messages import stored_fields, translate
from readdo.store.idempotency import KeyReused
from readdo.web.errors import ApiError
from screens.collect import refusals as collect
from screens.do import refusals as do
from screens.form_errors import complaint, label
from screens.i18n import Words
from screens.proof import refusals as proof
from screens.read import refusals as read

# Machines without a text here are refused with `refused.{machine}` or `refused.other` of the words.
REFUSALS = {**read.REFUSALS, **do.REFUSALS, **proof.REFUSALS, **collect.REFUSALS}


class LocalizedError(ApiError):
    """An error whose message is already in the user's language."""


def sentence(error: Exception, words: Words) -> str:
    """The text of an error. An error without a text on the page is shown by its code."""
    text = next((render(error, words) for kind, render in TEXTS.items() if isinstance(error, kind)), "")
    api_error = to_api_error(error)
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
    if refused.machine.name in REFUSALS:
        return REFUSALS[refused.machine.name](refused, words)
    return words.either(f"refused.{refused.machine.name}", words("refused.other"))


def _text_by_code(error: ApiError, words: Words) -> str:
    return _fields_text(error, words) if error.status == 400 else words.either(f"error.{error.code}", error.message)


def _text(name: str, **values: object) -> Callable[[Any, Words], str]:
    return lambda _, words: words(name, **values)


# Subclasses before their base classes.
TEXTS: Mapping[type[Exception], Callable[[Any, Words], str]] = {
    LocalizedError: lambda error, _: error.message,
    Rejected: lambda error, words: translate(stored_fields(error.text), words.language),
    ApiError: _text_by_code,
    Refused: _refused_text,
    Overloaded: _text("error.overloaded"),
    Busy: _text("error.busy"),
    KeyReused: _text("error.reused"),
    VersionMismatch: _text("conflict"),
    BadPayload: _fields_text,
    ObjectMissing: _text("error.NOT_FOUND"),
}
