"""A call to the model for one chunk: its request, and its response or failure."""

import json
import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from readdo.engine import settings
from readdo.engine.providers import model_transport
from readdo.engine.providers.json_answers import as_list, as_mapping, text_of, token_count
from readdo.engine.providers.model_transport import CallGroup, ConnectionClosed, ModelRequest
from readdo.engine.providers.provider_errors import FAULTS, kind_of
from readdo.engine.providers.provider_retry import parse_retry_after
from readdo.engine.settings import BEDROCK, EngineSettings
from readdo.errors import StepFailed
from readdo.messages import message
from readdo.runtime import ca_bundle

OPENAI = "https://api.openai.com/v1"
TIMEOUT, CONNECTION, REPLY_INVALID = "timeout", "connection", "reply_invalid"
_RETRIED = {"408", "409", "425", "429", "500", "502", "503", "504", TIMEOUT, CONNECTION}
_OUTAGES = {"401", "403", "408", "425", "429", TIMEOUT, CONNECTION}


class CallFailed(Exception):
    """A call without a usable response. `code` is an HTTP status or a word."""

    def __init__(self, code: str, text: str, *, raw: bytes = b"", retry_after: float = 0.0) -> None:
        super().__init__(code)
        self.code, self.text, self.raw, self.retry_after = code, text, raw, retry_after

    @property
    def is_retried(self) -> bool:
        return self.code in _RETRIED

    @property
    def is_outage(self) -> bool:
        return self.code in _OUTAGES or (len(self.code) == 3 and self.code.startswith("5"))


@dataclass(frozen=True)
class ModelReply:
    text: str
    is_cut: bool
    tokens_in: int  # 0 if not reported
    tokens_out: int
    raw: bytes = field(repr=False)


class Model(Protocol):
    def call(self, model: str, prompt: tuple[str, str], extra: Mapping[str, Any], deadline: float) -> ModelReply: ...

    def end_calls(self) -> None: ...


def create_model() -> Model:
    config = settings.read_settings()
    if config.engine == BEDROCK:
        from readdo.proof.bedrock_calls import BedrockModel  # noqa: PLC0415 - loads botocore's session

        return BedrockModel()
    return HttpModel(config)


class HttpModel:
    """A server with OpenAI's API: chat completions or responses."""

    def __init__(self, config: EngineSettings) -> None:
        self._config, self._group = config, CallGroup()

    def end_calls(self) -> None:
        self._group.end()

    def call(self, model: str, prompt: tuple[str, str], extra: Mapping[str, Any], deadline: float) -> ModelReply:
        request = self._request(model, prompt, extra)
        try:
            reply = model_transport.send(request, deadline, _tls(), self._group)
        except ConnectionClosed as closed:
            code = TIMEOUT if closed.kind in ("slow", "no_time") else CONNECTION
            raise CallFailed(code, _words(closed.kind, model)) from closed
        if reply.status != 200:
            raise _status_failure(reply, model)
        return parse_reply(reply.body, model)

    def _request(self, model: str, prompt: tuple[str, str], extra: Mapping[str, Any]) -> ModelRequest:
        base = self._config.base_url.strip().rstrip("/") or OPENAI
        body: dict[str, Any] = {"model": model, "temperature": 0}
        if self._config.api == "responses":
            url = f"{base}/responses"
            body |= {"instructions": prompt[0], "input": [{"role": "user", "content": prompt[1]}], "store": False}
        else:
            url = f"{base}/chat/completions"
            roles = zip(("system", "user"), prompt, strict=True)
            body["messages"] = [{"role": role, "content": content} for role, content in roles]
        # A parameter that is null is left out: some models refuse a temperature.
        body = {name: value for name, value in {**body, **extra}.items() if value is not None}
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "readdo"}
        headers["Authorization"] = f"Bearer {_key(self._config, model)}"
        return ModelRequest("POST", url, headers, json.dumps(body, ensure_ascii=False).encode())


def _key(config: EngineSettings, model: str) -> str:
    try:
        key = config.key().strip()
    except StepFailed as failure:
        raise CallFailed("401", failure.message) from failure
    if not key.isprintable() or not key.isascii():
        raise CallFailed("401", _words("key", model))
    return key or settings.NO_KEY


def _status_failure(reply: model_transport.Reply, model: str) -> CallFailed:
    headers: Sequence[tuple[str, str]] = reply.headers
    after = next((value for name, value in headers if name.lower() == "retry-after"), None)
    wait = parse_retry_after(after, time.time()) or 0.0
    return CallFailed(str(reply.status), _words(kind_of(reply.status), model), raw=reply.body, retry_after=wait)


def parse_reply(raw: bytes, model: str) -> ModelReply:
    """The text of a completion.

    A proxy may respond 200 with a page, or with an error of the server behind it.
    """
    try:
        body = as_mapping(json.loads(raw))
    except (ValueError, RecursionError):
        body = {}
    status = as_mapping(body.get("error")).get("code")
    if isinstance(status, int) and 400 <= status < 600:
        raise CallFailed(str(status), _words(kind_of(status), model), raw=raw)
    usage = as_mapping(body.get("usage"))
    if isinstance(body.get("output"), list):
        return _response(body, usage, raw)
    choice = next((as_mapping(choice) for choice in as_list(body.get("choices"))), {})
    if not isinstance(choice.get("message"), dict):
        raise CallFailed(REPLY_INVALID, _words("garbled", model), raw=raw)
    text = text_of(choice["message"].get("content"))
    sent, received = token_count(usage.get("prompt_tokens")), token_count(usage.get("completion_tokens"))
    return ModelReply(text, choice.get("finish_reason") == "length", sent, received, raw)


def _response(body: Mapping[str, Any], usage: Mapping[str, Any], raw: bytes) -> ModelReply:
    items = [as_mapping(item) for item in as_list(body["output"])]
    parts = [as_mapping(part) for item in items for part in as_list(item.get("content"))]
    text = "".join(text_of(part.get("text")) for part in parts if part.get("type") == "output_text")
    is_cut = as_mapping(body.get("incomplete_details")).get("reason") == "max_output_tokens"
    return ModelReply(
        text, is_cut, token_count(usage.get("input_tokens")), token_count(usage.get("output_tokens")), raw
    )


def _words(kind: str, model: str) -> str:
    return message(FAULTS[kind].message_key, who=model[:90])


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca_bundle())
