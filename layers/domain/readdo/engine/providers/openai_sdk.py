"""One call through OpenAI's SDK, which talks through our door, and its errors in our words.

This module imports the SDK; nothing imports this module before the first question.
"""

import json
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx2
import openai

from readdo.engine.providers import model_transport
from readdo.engine.providers.faults import StepFailed, failed, kind_of
from readdo.engine.providers.provider_retry import named

# Words in a 429 that speak of money and not of speed.
_UNPAID = ("insufficient_quota", "billing_hard_limit", "insufficient_balance", "insufficient balance", "credit balance")
_LONG = ("context_length_exceeded", "maximum context length")
_IDENTIFIER = re.compile(r"[A-Za-z][\w.\-\[\]]{0,59}")


@dataclass(frozen=True)
class SdkEndpoint:
    url: str
    api: str
    key: str = field(repr=False)
    who: str
    deadline: float
    tls: ssl.SSLContext


class _Transport(httpx2.BaseTransport):
    """The SDK's own would start its clock anew with every byte."""

    def __init__(self, way: SdkEndpoint) -> None:
        self._way = way

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = model_transport.ModelRequest(request.method, str(request.url), dict(request.headers), request.read())
        try:
            reply = model_transport.send(asked, self._way.deadline, self._way.tls)
        except model_transport.ConnectionClosed as shut:
            raise httpx2.NetworkError(shut.debug, request=request) from shut  # what it was is found again in its cause
        return httpx2.Response(reply.status, headers=list(reply.headers), content=reply.body, request=request)


def post(way: SdkEndpoint, body: Mapping[str, Any], wall: float) -> Any:
    """What came back, as JSON."""
    try:
        raw = _reply(way, body)
        told = json.loads(raw)
    except openai.APIConnectionError as error:  # its timeout is one of these
        raise _shut(way, error) from error
    except openai.APIStatusError as error:
        raise _status(way, error, wall) from None  # the error holds the request, and so the key
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise failed("address", way.who, debug=type(error).__name__) from None
    except (ValueError, RecursionError, openai.OpenAIError) as error:
        raise failed("garbled", way.who, debug=type(error).__name__) from None
    if isinstance(told, dict) and isinstance(told.get("error"), dict) and told["error"]:
        raise _error_inside(way, told["error"])
    return told


def _reply(way: SdkEndpoint, body: Mapping[str, Any]) -> bytes:
    # Redirects are not followed: the key would go with them.
    with httpx2.Client(transport=_Transport(way), trust_env=False, follow_redirects=False) as http:
        client = openai.OpenAI(api_key=way.key, base_url=way.url, http_client=http, max_retries=0, timeout=None)
        resource: Any = client.responses if way.api == "responses" else client.chat.completions
        # As it came: the SDK's objects are made without a look at the types, so they break where they are touched.
        content: bytes = resource.with_raw_response.create(**body).http_response.content
        return content


def _shut(way: SdkEndpoint, error: Exception) -> StepFailed:
    found: BaseException | None = error
    while found is not None and not isinstance(found, model_transport.ConnectionClosed):
        found = found.__cause__
    if isinstance(found, model_transport.ConnectionClosed):
        return failed(found.kind, way.who, debug=found.debug)
    return failed("unreachable", way.who, debug=type(error).__name__)


def _status(way: SdkEndpoint, error: openai.APIStatusError, wall: float) -> StepFailed:
    status = error.status_code
    said = json.dumps(error.body, ensure_ascii=False, default=str) if error.body else error.message
    after = named(error.response.headers.get("retry-after"), wall)
    # Only what looks like a name: the server's sentences may quote the text, or the key.
    names = " ".join(_name(part, way.key) for part in (error.type, error.code, error.param))
    return failed(_kind(status, said), way.who, debug=f"HTTP {status} {names}".strip(), said=said, retry_after=after)


def _kind(status: int, said: str) -> str:
    if status == 429 and any(word in said.lower() for word in _UNPAID):
        return "quota"
    if status == 400 and any(word in said.lower() for word in _LONG):
        return "large"
    return kind_of(status)


def _name(part: object, key: str) -> str:
    text = str(part or "")
    return text if _IDENTIFIER.fullmatch(text) and key not in text else ""


def _error_inside(way: SdkEndpoint, error: Mapping[str, Any]) -> StepFailed:
    """A 200 that tells of an error: some gateways answer so, with the number of the server behind them."""
    status = error.get("code")
    if not isinstance(status, int) or not 400 <= status < 600:
        return failed("garbled", way.who, debug="an error in a 200")
    said = json.dumps(error, ensure_ascii=False)
    return failed(_kind(status, said), way.who, debug=f"{status} in a 200", said=said)
