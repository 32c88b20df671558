"""Doubles of site, model and renderer: fixed content, random failures."""

import json
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from readdo import schemas
from readdo.clock import digest
from readdo.engine import extractive
from readdo.engine.metered_call import MeteredCalls
from readdo.engine.providers import provider_errors
from readdo.engine.providers.provider_protocol import Completion
from readdo.engine.providers.response_repair import ModelAnswer
from readdo.errors import StepFailed
from simulation.network import Network
from support import world
from support.world import TEXT

CHINESE = (
    "租约让两个工人不做同一件事。工人把名字和结束时间写到行上，只有行还空着，写入才成功。工人死了，租约到期，别人就能接手。"
    "人们最容易忘记的是栅栏令牌：之后的每一次写入都要带上租约的编号。我们在一万段历史上比较了三种设计：只看状态，放过了404次过期写入；"
    "看编号，一次也没有放过。先列出每一次写入，再给每一次加上条件。"
)
TEXTS = {"en": TEXT, "zh": CHINESE * 12}  # the first fits into a row, the second does not
SITES = ("https://example.com/leases", "https://example.com/fences", "https://example.org/栅栏")
SCORES = (91.0, 72.5, 50.0, 21.5)
ASKED, SENT, RECEIVED, MOST = "the model", 400, 100, 2_000
_OUTAGES = ("slow", "unreachable", "busy", "broken")
_REFUSALS = ("not_json", "wrong_form", "declined", "quota")


@cache
def article(language: str) -> str:
    text = TEXTS[language]
    meta = {"language": language, "word_count": 100}
    extraction = {"normalized_text": text, "extraction_hash": digest(text), "content_meta": meta, "warnings": []}
    return json.dumps(extraction)


@cache
def artifacts_in(language: str) -> dict[str, str]:
    """Return the artifacts as the extractive engine makes them."""
    parameters: dict[str, Any] = {"intent": "make our job queue safe", "title": "Leases", "language": language}
    text = TEXTS[language]
    summary = extractive.summarize(**parameters, text=text, profile="engineer")
    score = extractive.score(**parameters, text=text, summary=summary, recent=[])
    todos = extractive.todos(**parameters, summary=summary, score=score, profile="engineer")
    card = extractive.card(**parameters, summary=summary, score=score, todos=todos)
    kinds = {"summary": summary, "score": score, "todos": todos, "card": card}
    return {kind: json.dumps(payload) for kind, payload in kinds.items()}


class StageEngine:
    """Engine that answers by the text's language, with or without a metered model."""

    VERSION, model_id = "stage.1", ""

    def __init__(self, network: Network, care: MeteredCalls | None, spent: dict[str, int]) -> None:
        self.network, self.care, self.spent = network, care, spent
        self.meta: dict[str, Any] = {}

    def summarize(self, *, text: str, **_asked: Any) -> dict[str, Any]:
        return self._payload("summary", _language(text))

    def score(self, *, text: str, **_asked: Any) -> dict[str, Any]:
        payload = self._payload("score", _language(text))
        payload["match_score"] = self.network.stage.rng.choice(SCORES)
        payload["priority"] = schemas.priority_of(payload["match_score"])
        return payload

    def todos(self, *, summary: Mapping[str, Any], **_asked: Any) -> dict[str, Any]:
        return self._payload("todos", _language(summary["insight"]))

    def card(self, *, summary: Mapping[str, Any], **_asked: Any) -> dict[str, Any]:
        return self._payload("card", _language(summary["insight"]))

    def _payload(self, kind: str, language: str) -> dict[str, Any]:
        def ask() -> ModelAnswer:
            self.network.read(f"ask for the {kind}", lambda: None)
            self.network.stage.seen["the model is asked"] += 1
            if self.network.happens("model"):
                raise self._failure()
            self._count(SENT + RECEIVED)
            return ModelAnswer(json.loads(artifacts_in(language)[kind]), (Completion("", ASKED, SENT, RECEIVED),))

        return (self.care.around(ASKED, SENT, MOST, ask) if self.care else ask()).payload

    def _failure(self) -> StepFailed:
        rng = self.network.stage.rng
        kind = rng.choice(_OUTAGES if rng.random() < 0.7 else _REFUSALS)
        again = rng.choice((None, 20.0, 200.0)) if kind == "busy" else None
        self.network.stage.seen["the model fails"] += 1
        self.network.stage.say(f"the model fails: {kind}")
        if kind == "slow":
            self._count(SENT)  # the model has probably processed the request
        return provider_errors.failed(kind, ASKED, retry_after=again)

    def _count(self, tokens: int) -> None:
        if self.care:
            self.spent[self.care.owner] = self.spent.get(self.care.owner, 0) + tokens


class Site:
    def __init__(self, network: Network) -> None:
        self.network = network

    def read(self, url: str) -> dict[str, Any]:
        self.network.read("read the site", lambda: None)
        if self.network.happens("site"):
            self.network.stage.seen["the site fails"] += 1
            code = self.network.stage.rng.choice(("EXTRACTION_FETCH_FAILED", "EXTRACTION_PARSE_FAILED"))
            raise StepFailed(code, "The site did not give the page. Paste its text.")
        return dict(json.loads(article("zh" if url == SITES[-1] else "en")))

    def read_article(self, body: bytes, _url: str | None, _kind: str | None) -> dict[str, Any]:
        return dict(json.loads(article(_language(body.decode()))))


def renderer(network: Network) -> Any:
    """Return a renderer whose outputs differ on each call, to show which one is stored."""

    def render(_card: Any, *, formats: list[str], **_options: Any) -> dict[str, bytes]:
        network.read("draw", lambda: None)
        if network.happens("renderer"):
            network.stage.seen["the renderer fails"] += 1
            raise MemoryError
        return {form: f"{form} {network.stage.rng.random()}".encode() for form in formats}

    return render


def context(elapsed: Any, seconds: float = 60.0) -> SimpleNamespace:
    return world.context("simulated", lambda: 1000 * (seconds - elapsed()))


def _language(text: str) -> str:
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in text[:80]) else "en"
