"""Calls to a model on Amazon Bedrock for the chunks of a text."""

import json
from collections.abc import Mapping
from typing import Any

from readdo.engine.providers.bedrock import Bedrock
from readdo.engine.providers.json_answers import as_list, as_mapping, text_of, token_count
from readdo.engine.providers.model_transport import CallGroup
from readdo.engine.providers.provider_errors import StepFailed
from readdo.proof.model_calls import CONNECTION, REPLY_INVALID, TIMEOUT, CallFailed, ModelReply

_CODES = {
    "slow": TIMEOUT,
    "no_time": TIMEOUT,
    "unreachable": CONNECTION,
    "garbled": CONNECTION,
    "busy": "429",
    "quota": "402",
    "key": "401",
    "forbidden": "403",
    "late": "408",
    "absent": "404",
    "large": "413",
    "broken": "503",
}


class BedrockModel:
    def __init__(self) -> None:
        self._group = CallGroup()

    def end_calls(self) -> None:
        self._group.end()

    def call(self, model: str, prompt: tuple[str, str], extra: Mapping[str, Any], deadline: float) -> ModelReply:
        """`extra` becomes the inference configuration, such as `maxTokens`."""
        settings = {name: value for name, value in {"temperature": 0, **extra}.items() if value is not None}
        body: dict[str, Any] = {
            "modelId": model,
            "system": [{"text": prompt[0]}],
            "messages": [{"role": "user", "content": [{"text": prompt[1]}]}],
            "inferenceConfig": settings,
        }
        try:
            response = as_mapping(Bedrock(model).send(body, deadline, self._group))
        except StepFailed as failure:
            wait = failure.retry_after or 0.0
            raise CallFailed(_CODES.get(failure.kind, "400"), failure.message, retry_after=wait) from failure
        return _reply(response)


def _reply(response: Mapping[str, Any]) -> ModelReply:
    content = as_mapping(as_mapping(response.get("output")).get("message")).get("content")
    raw = json.dumps(response, ensure_ascii=False, default=str).encode()
    if not isinstance(content, list):
        raise CallFailed(REPLY_INVALID, "The response has no message.", raw=raw)
    usage = as_mapping(response.get("usage"))
    text = "".join(text_of(as_mapping(block).get("text")) for block in as_list(content))
    is_cut = response.get("stopReason") == "max_tokens"
    return ModelReply(text, is_cut, token_count(usage.get("inputTokens")), token_count(usage.get("outputTokens")), raw)
