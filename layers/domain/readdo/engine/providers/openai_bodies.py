"""Request bodies and responses of the two OpenAI APIs, as plain data without the SDK."""

from collections.abc import Mapping
from typing import Any

from readdo.engine.providers.json_answers import as_list, as_mapping, check_completion, text_of, token_count
from readdo.engine.providers.provider_errors import failed
from readdo.engine.providers.provider_protocol import Completion, Question, Turns
from readdo.engine.providers.server_quirks import ServerQuirks
from readdo.engine.providers.strict_schema import in_words, strict


def request_body(api: str, model: str, question: Question, later_turns: Turns, quirks: ServerQuirks) -> dict[str, Any]:
    """The request body. It has no temperature, because some models reject it."""
    # If the schema must be part of the prompt, it goes into the system message, which is the same for all items.
    system = question.system if quirks.form == "json_schema" else f"{question.system}\n\n{in_words(question.schema)}"
    turns = [{"role": role, "content": text} for role, text in (("user", question.user), *later_turns)]
    if api == "responses":
        request = {"model": model, "instructions": system, "input": turns, "store": False}
        request["max_output_tokens"] = question.max_tokens
        return request | ({"text": {"format": form}} if (form := _form(question, quirks, flat=True)) else {})
    request = {"model": model, "messages": [{"role": "system", "content": system}, *turns]}
    request[quirks.cap] = question.max_tokens
    return request | ({"response_format": form} if (form := _form(question, quirks, flat=False)) else {})


def _form(question: Question, quirks: ServerQuirks, *, flat: bool) -> dict[str, Any]:
    if quirks.form == "json_schema":
        named = {"name": question.name, "strict": True, "schema": strict(question.schema)}
        return {"type": "json_schema", **named} if flat else {"type": "json_schema", "json_schema": named}
    return {"type": "json_object"} if quirks.form == "json_object" else {}


def parse_response(api: str, response: Any, who: str, model: str) -> Completion:
    """Check the finish reason and refusals before the text."""
    return _response(response, who, model) if api == "responses" else _completion(response, who, model)


def _completion(response: Any, who: str, model: str) -> Completion:
    body = as_mapping(response)
    choice = next((as_mapping(choice) for choice in as_list(body.get("choices"))), {})
    message = as_mapping(choice.get("message"))
    if not message:
        raise failed("garbled", who, debug="no message in the answer")
    usage = as_mapping(body.get("usage"))
    answer = _answer(body, model, text_of(message.get("content")), usage, ("prompt_tokens", "completion_tokens"))
    ends = {"length": "cut", "content_filter": "filtered"}
    return check_completion(answer, ends.get(str(choice.get("finish_reason"))), bool(message.get("refusal")), who)


def _response(response: Any, who: str, model: str) -> Completion:
    body = as_mapping(response)
    parts = [
        as_mapping(part) for item in as_list(body.get("output")) for part in as_list(as_mapping(item).get("content"))
    ]
    if not isinstance(body.get("output"), list) or body.get("status") in ("failed", "cancelled"):
        raise failed("garbled", who, debug=f"status {str(body.get('status'))[:20]}")
    text = "".join(text_of(part.get("text")) for part in parts if part.get("type") == "output_text")
    answer = _answer(body, model, text, as_mapping(body.get("usage")), ("input_tokens", "output_tokens"))
    ends = {"max_output_tokens": "cut", "content_filter": "filtered"}
    refused = any(part.get("type") == "refusal" for part in parts)
    return check_completion(
        answer, ends.get(str(as_mapping(body.get("incomplete_details")).get("reason"))), refused, who
    )


def _answer(
    body: Mapping[str, Any], model: str, text: str, usage: Mapping[str, Any], names: tuple[str, str]
) -> Completion:
    named = body.get("model")
    served = named[:200] if isinstance(named, str) and named else model
    return Completion(text, served, token_count(usage.get(names[0])), token_count(usage.get(names[1])))
