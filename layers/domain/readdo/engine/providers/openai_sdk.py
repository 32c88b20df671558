"""A call with OpenAI's SDK over model_transport, with its errors mapped to faults.

This module imports the SDK, so it is imported only with the first question.
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
from readdo.engine.providers.provider_errors import StepFailed, failed, kind_of
from readdo.engine.providers.provider_retry import parse_retry_after

# A 429 with one of these texts is about credit, not about the rate.
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
    """Transport with a total deadline. The SDK's own timeout restarts with each byte."""

    def __init__(self, endpoint: SdkEndpoint) -> None:
        self._endpoint = endpoint

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        outgoing = model_transport.ModelRequest(request.method, str(request.url), dict(request.headers), request.read())
        try:
            reply = model_transport.send(outgoing, self._endpoint.deadline, self._endpoint.tls)
        except model_transport.ConnectionClosed as closed:
            # _connection_failure reads the kind from the cause.
            raise httpx2.NetworkError(closed.debug, request=request) from closed
        return httpx2.Response(reply.status, headers=list(reply.headers), content=reply.body, request=request)


def post(endpoint: SdkEndpoint, body: Mapping[str, Any], wall: float) -> Any:
    """Send the request and return the JSON of the response."""
    try:
        raw = _reply(endpoint, body)
        response = json.loads(raw)
    except openai.APIConnectionError as error:  # includes timeouts
        raise _connection_failure(endpoint, error) from error
    except openai.APIStatusError as error:
        raise _status_failure(endpoint, error, wall) from None  # the error contains the request with the key
    except (httpx2.InvalidURL, httpx2.UnsupportedProtocol) as error:
        raise failed("address", endpoint.who, debug=type(error).__name__) from None
    except (ValueError, RecursionError, openai.OpenAIError) as error:
        raise failed("garbled", endpoint.who, debug=type(error).__name__) from None
    if isinstance(response, dict) and isinstance(response.get("error"), dict) and response["error"]:
        raise _error_inside(endpoint, response["error"])
    return response


def _reply(endpoint: SdkEndpoint, body: Mapping[str, Any]) -> bytes:
    # No redirects, because the key would be sent to the other address.
    with httpx2.Client(transport=_Transport(endpoint), trust_env=False, follow_redirects=False) as http:
        client = openai.OpenAI(
            api_key=endpoint.key, base_url=endpoint.url, http_client=http, max_retries=0, timeout=None
        )
        resource: Any = client.responses if endpoint.api == "responses" else client.chat.completions
        # The raw response: the SDK's objects are created without validation and may fail on access.
        content: bytes = resource.with_raw_response.create(**body).http_response.content
        return content


def _connection_failure(endpoint: SdkEndpoint, error: Exception) -> StepFailed:
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, model_transport.ConnectionClosed):
        cause = cause.__cause__
    if isinstance(cause, model_transport.ConnectionClosed):
        return failed(cause.kind, endpoint.who, debug=cause.debug)
    return failed("unreachable", endpoint.who, debug=type(error).__name__)


def _status_failure(endpoint: SdkEndpoint, error: openai.APIStatusError, wall: float) -> StepFailed:
    status = error.status_code
    server_text = json.dumps(error.body, ensure_ascii=False, default=str) if error.body else error.message
    after = parse_retry_after(error.response.headers.get("retry-after"), wall)
    # Only identifiers, because the server's sentences may quote the text or the key.
    names = " ".join(_identifier(part, endpoint.key) for part in (error.type, error.code, error.param))
    return failed(
        _kind(status, server_text),
        endpoint.who,
        debug=f"HTTP {status} {names}".strip(),
        server_text=server_text,
        retry_after=after,
    )


def _kind(status: int, server_text: str) -> str:
    if status == 429 and any(word in server_text.lower() for word in _UNPAID):
        return "quota"
    if status == 400 and any(word in server_text.lower() for word in _LONG):
        return "large"
    return kind_of(status)


def _identifier(part: object, key: str) -> str:
    text = str(part or "")
    return text if _IDENTIFIER.fullmatch(text) and key not in text else ""


def _error_inside(endpoint: SdkEndpoint, error: Mapping[str, Any]) -> StepFailed:
    """An error in a 200 response. Some gateways respond so, with the status of the server behind them."""
    status = error.get("code")
    if not isinstance(status, int) or not 400 <= status < 600:
        return failed("garbled", endpoint.who, debug="an error in a 200")
    server_text = json.dumps(error, ensure_ascii=False)
    return failed(_kind(status, server_text), endpoint.who, debug=f"{status} in a 200", server_text=server_text)
