"""One question up to an answer that passes: parse, check, and one chance to repair it.

At most three calls: one more if the answer was cut off, with twice the room, and one more with the validator's words.
Each answer is paid for, so each is told, also by what is raised.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from readdo.engine.providers import json_answers
from readdo.engine.providers.faults import StepFailed, failed
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
    asked, repaired = question, False
    said: Turns = ()
    while True:
        try:
            answer = provider.ask(asked, deadline, said=said)
        except StepFailed as failure:
            failure.answers = answers = (*answers, *failure.answers)
            if failure.kind != "cut" or asked.max_tokens > question.max_tokens:
                raise
            asked = replace(asked, max_tokens=_ROOM * question.max_tokens)
            continue
        answers = (*answers, answer)
        found = _read(answer, check)
        if not isinstance(found, _Wrong):
            return ModelAnswer(found, answers)
        if repaired:
            # The validator's words are the caller's, and may quote the text; the reader's are our own.
            debug = found.words if found.kind == "not_json" else ""
            raise failed(found.kind, answer.model, debug=debug, answers=answers)
        said, repaired = _repair(answer, found.words, question.schema), True


def _read(answer: Completion, check: Check) -> dict[str, Any] | _Wrong:
    try:
        payload = json_answers.parse_answer(answer.text)
    except json_answers.UnreadableAnswer as wrong:
        return _Wrong("not_json", str(wrong))
    words = check(payload)
    return payload if words is None else _Wrong("wrong_form", words)


def _repair(answer: Completion, words: str, schema: Mapping[str, Any]) -> Turns:
    spoken = json_answers.spoken(answer.text).strip()
    shown = spoken if len(spoken) <= REPEATED_MAX else f"{spoken[:REPEATED_MAX]} …"
    asked = f"That answer cannot be used. {words[:COMPLAINT_MAX]}\nAnswer again, corrected. {in_words(schema)}"
    return (("assistant", shown or "(nothing)"), ("user", asked))
