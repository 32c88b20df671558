"""Model engine: four calls per item, each with a response that matches its schema or fails."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from readdo import schemas
from readdo.engine import extractive, model_schema, output_normalization, prompts
from readdo.engine.extractive.language import reading_minutes
from readdo.engine.metered_call import MeteredCalls, tokens_used_by
from readdo.engine.output_normalization import SourceText
from readdo.engine.providers.provider_protocol import Provider, Question
from readdo.engine.providers.response_repair import converse

SECONDS = 45  # for all calls of a step; the function's timeout is 60
OUTPUT_TOKENS = {"summary": 1200, "score": 1500, "todos": 2000, "card": 1500}
_CALLS = 3  # maximum: the call, a second after a cut-off response, and a repair; all are reserved in the budget
Output = Mapping[str, Any]


class ModelEngine:
    """Use one instance per step. `meta` describes the last call."""

    VERSION = "model.1"

    def __init__(
        self, provider: Provider, model: str, prices: tuple[float, float] = (0, 0), care: MeteredCalls | None = None
    ) -> None:
        self.model_id = model
        self.meta: dict[str, Any] = {}
        self._provider, self._prices, self._care = provider, prices, care

    def summarize(self, *, intent: str, text: str, title: str, profile: str, language: str) -> dict[str, Any]:
        source = SourceText(text, title, intent)
        prompt = prompts.render(
            f"summary.{profile or 'engineer'}.v1",
            language=_language(language),
            intent=intent,
            about={"title": title},
            text=text,
        )
        return self._ask("summary", prompt, source, lambda output: output_normalization.summary(output, source))

    def score(
        self,
        *,
        intent: str,
        text: str,
        summary: Output,
        recent: Sequence[str] = (),
        title: str = "",
        language: str = "",
    ) -> dict[str, Any]:
        source = SourceText(text, title, intent)
        prompt = prompts.render(
            "score.v1",
            language=_language(language),
            intent=intent,
            about={
                "title": title,
                "length": f"{len(text):,} characters, {reading_minutes(text):.0f} minutes to read",
            },
            text=text,
            summary=summary,
        )
        new = extractive.novelty(intent=intent, text=text, summary=summary, title=title, recent=recent)
        return self._ask("score", prompt, source, lambda output: output_normalization.score(output, source, new))

    def todos(
        self, *, intent: str, summary: Output, score: Output, title: str = "", profile: str = "", language: str = ""
    ) -> dict[str, Any]:
        prompt = prompts.render(
            "todos.v1",
            language=_language(language),
            intent=intent,
            about={"title": title, "profile": profile},
            summary=summary,
            score=score,
        )
        source = SourceText(*_strings(summary), *_strings(score), title, intent)
        return self._ask("todos", prompt, source, lambda output: output_normalization.todos(output, source))

    def card(
        self, *, intent: str, summary: Output, score: Output, todos: Output, title: str = "", language: str = ""
    ) -> dict[str, Any]:
        prompt = prompts.render(
            "card.v1",
            language=_language(language),
            intent=intent,
            about={"title": title},
            summary=summary,
            score=score,
            todos=todos,
        )
        source = SourceText(*_strings(summary), *_strings(score), *_strings(todos), title, intent)
        quotes = {one["quote"] for one in (*summary["evidence"], *score["evidence"])}
        return self._ask(
            "card", prompt, source, lambda output: output_normalization.card(output, source, quotes.__contains__)
        )

    def _ask(
        self, kind: str, prompt: prompts.Prompt, source: SourceText, finish: Callable[[Output], dict[str, Any]]
    ) -> dict[str, Any]:
        def check(output: Output) -> str | None:
            return model_schema.problem(kind, output) or schemas.artifact_problem(
                kind, finish(output), source.text_if_quoted(kind)
            )

        question = Question(kind, prompt.system, prompt.user, model_schema.schema_of(kind), OUTPUT_TOKENS[kind])

        def call() -> Any:
            return converse(self._provider, question, time.monotonic() + SECONDS, check)

        prompt_tokens = prompts.tokens_in(prompt.system + prompt.user)
        most = _CALLS * (prompt_tokens + question.max_tokens)
        answer = self._care.around(self._provider.name, prompt_tokens, most, call) if self._care else call()
        sent, received = tokens_used_by(answer.answers, prompt_tokens)
        self.meta = {
            "model_id": answer.answers[-1].model or self.model_id,
            "prompt_hash": prompt.hash,
            "usage": {
                "calls": len(answer.answers),
                "input_tokens": sent,
                "output_tokens": received,
                **self._cost(sent, received),
            },
        }
        return finish(answer.payload)

    def _cost(self, sent: int, received: int) -> dict[str, float]:
        price_in, price_out = self._prices
        return {"cost": round((sent * price_in + received * price_out) / 1e6, 6)} if price_in or price_out else {}


def _language(tag: str) -> str:
    return tag.strip() or "the language that the intent is written in"


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _strings(one)]
