"""A question to a model until its response is valid: parse, check, and repair once.

At most three calls: one more with twice the token limit if the response was cut off, and one more with the validator's
message. All responses cost money, so all are reported, also by a raised StepFailed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from readdo.engine.providers import json_answers
from readdo.engine.providers.provider_errors import StepFailed, failed
from readdo.engine.providers.provider_protocol import Completion, Provider, Question, Turns
from readdo.engine.providers.strict_schema import in_words

REPEATED_MAX = 6000
COMPLAINT_MAX = 2000
_ROOM = 2

Check = Callable[[dict[str, Any]], str | None]


@dataclass(frozen=True)
class ModelAnswer:
    payload: dict[str, Any]
    answers: tuple[Completion, ...]


@dataclass(frozen=True)
class _Wrong:
    kind: str
    words: str


def converse(provider: Provider, question: Question, deadline: float, check: Check) -> ModelAnswer:
    answers: tuple[Completion, ...] = ()
    request, repaired = question, False
    turns: Turns = ()
    while True:
        try:
            answer = provider.ask(request, deadline, turns=turns)
        except StepFailed as failure:
            failure.answers = answers = (*answers, *failure.answers)
            if failure.kind != "cut" or request.max_tokens > question.max_tokens:
                raise
            request = replace(request, max_tokens=_ROOM * question.max_tokens)
            continue
        answers = (*answers, answer)
        result = _read(answer, check)
        if not isinstance(result, _Wrong):
            return ModelAnswer(result, answers)
        if repaired:
            # The validator's message may quote the text. The JSON parser's message does not.
            debug = result.words if result.kind == "not_json" else ""
            raise failed(result.kind, answer.model, debug=debug, answers=answers)
        turns, repaired = _repair(answer, result.words, question.schema), True


def _read(answer: Completion, check: Check) -> dict[str, Any] | _Wrong:
    try:
        payload = json_answers.parse_answer(answer.text)
    except json_answers.UnreadableAnswer as wrong:
        return _Wrong("not_json", str(wrong))
    words = check(payload)
    return payload if words is None else _Wrong("wrong_form", words)


def _repair(answer: Completion, words: str, schema: Mapping[str, Any]) -> Turns:
    spoken = json_answers.strip_reasoning(answer.text).strip()
    quoted = spoken if len(spoken) <= REPEATED_MAX else f"{spoken[:REPEATED_MAX]} …"
    correction = f"That answer cannot be used. {words[:COMPLAINT_MAX]}\nAnswer again, corrected. {in_words(schema)}"
    return (("assistant", quoted or "(nothing)"), ("user", correction))
