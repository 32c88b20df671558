"""Request bodies and responses of the Converse API."""

import json
from typing import Any

from readdo.engine.providers.json_answers import as_list, as_mapping, check_completion, text_of, token_count
from readdo.engine.providers.provider_errors import failed
from readdo.engine.providers.provider_protocol import Completion, Question, Turns
from readdo.engine.providers.strict_schema import in_words, strict

_ENDS = {
    "max_tokens": "cut",
    "guardrail_intervened": "filtered",
    "content_filtered": "filtered",
    "model_context_window_exceeded": "large",
    "malformed_model_output": "not_json",
    "malformed_tool_use": "not_json",
}


def request_body(model: str, question: Question, later_turns: Turns, form: str) -> dict[str, Any]:
    system = f"{question.system}\n\n{in_words(question.schema)}" if form == "text" else question.system
    turns = [{"role": role, "content": [{"text": text}]} for role, text in (("user", question.user), *later_turns)]
    request: dict[str, Any] = {
        "modelId": model,
        "system": [{"text": system}],
        "messages": turns,
        "inferenceConfig": {"maxTokens": question.max_tokens},
    }
    if form != "text":
        tool = {"name": question.name, "inputSchema": {"json": strict(question.schema)}}
        choice: dict[str, Any] = {"tool": {"name": question.name}} if form == "tool" else {"any": {}}
        request["toolConfig"] = {"tools": [{"toolSpec": tool}], "toolChoice": choice}
    return request


def parse_response(response: Any, who: str, model: str) -> Completion:
    body = as_mapping(response)
    message = as_mapping(as_mapping(body.get("output")).get("message"))
    if not message:
        raise failed("garbled", who, debug="no message in the answer")
    blocks = [as_mapping(block) for block in as_list(message.get("content"))]
    used = [as_mapping(block["toolUse"]).get("input") for block in blocks if "toolUse" in block]
    text = json.dumps(used[0], ensure_ascii=False) if used else "".join(text_of(block.get("text")) for block in blocks)
    usage = as_mapping(body.get("usage"))
    answer = Completion(text, model, token_count(usage.get("inputTokens")), token_count(usage.get("outputTokens")))
    return check_completion(answer, _ENDS.get(str(body.get("stopReason"))), False, who)
