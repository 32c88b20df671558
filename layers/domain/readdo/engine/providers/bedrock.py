"""Amazon Bedrock's Converse API, authorized by the function's role and not by a key.

boto3 builds and signs the request and parses the response. model_transport sends it, through boto3's before-send hook,
because the timeouts of boto3 apply to each read and not to the whole call.
"""

import ssl
import threading
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO
from typing import Any

import boto3
import botocore.exceptions
from botocore.awsrequest import AWSRequest, AWSResponse, HeadersDict
from botocore.config import Config

from readdo.engine.providers import bedrock_bodies as bodies
from readdo.engine.providers import model_transport
from readdo.engine.providers.provider_errors import StepFailed, failed, kind_of
from readdo.engine.providers.provider_protocol import Completion, Question, Turns
from readdo.engine.providers.provider_retry import PACE, RetryClock, call_with_retries, parse_retry_after
from readdo.engine.providers.server_quirks import ServerQuirks, with_fallback_formats
from readdo.messages import message
from readdo.runtime import ca_bundle

# Forced tool, any tool, schema in the prompt: not every model supports all of them.
_FORMS = ("tool", "any", "text")
_FORM_WORDS = ("tool", "schema")
# Error codes whose HTTP status would be misleading.
_KINDS = {
    "ServiceQuotaExceededException": "quota",
    "ModelNotReadyException": "broken",
    "ThrottlingException": "busy",
    "ExpiredTokenException": "key",
    "UnrecognizedClientException": "key",
    "InvalidSignatureException": "key",
    "MissingAuthenticationTokenException": "key",
}
_LONG = ("too long", "too many input tokens", "context window", "maximum context")
_deadline: ContextVar[float] = ContextVar("deadline")
_group: ContextVar[model_transport.CallGroup | None] = ContextVar("group", default=None)


@dataclass(frozen=True)
class Bedrock:
    model: str
    endpoint_url: str | None = None
    region: str | None = None
    pace: RetryClock = PACE
    name: str = field(default="bedrock", init=False)

    @property
    def who(self) -> str:
        return message("provider.model_at", model=self.model[-70:], host="Bedrock")

    def ask(self, question: Question, deadline: float, *, turns: Turns = ()) -> Completion:
        def once(quirks: ServerQuirks) -> Completion:
            body = bodies.request_body(self.model, question, turns, quirks.form)
            response = call_with_retries(lambda: self.send(body, deadline), deadline, self.pace)
            return bodies.parse_response(response, self.who, self.model)

        place = (self.name, f"{self.region} {self.endpoint_url}", self.model)
        return with_fallback_formats(place, ServerQuirks(_FORMS), _FORM_WORDS, once)

    def send(self, body: Mapping[str, Any], deadline: float, group: model_transport.CallGroup | None = None) -> Any:
        """Call Converse. `group`: the calls that can be ended together with this one."""
        until, together = _deadline.set(deadline), _group.set(group)
        try:
            return _client(self.region, self.endpoint_url).converse(**body)
        except model_transport.ConnectionClosed as closed:
            raise failed(closed.kind, self.who, debug=closed.debug) from closed
        except botocore.exceptions.ClientError as error:
            raise self._refused(error) from error
        except botocore.exceptions.ParamValidationError as error:
            raise failed("refused", self.who, debug=type(error).__name__) from None  # its message quotes the text
        except (botocore.exceptions.NoCredentialsError, botocore.exceptions.PartialCredentialsError) as error:
            raise failed("key", self.who, debug=type(error).__name__) from error
        except (botocore.exceptions.NoRegionError, botocore.exceptions.UnknownServiceError) as error:
            raise failed("address", self.who, debug=type(error).__name__) from error
        except botocore.exceptions.BotoCoreError as error:
            raise failed("garbled", self.who, debug=type(error).__name__) from error
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            # botocore's parser does not validate the response.
            raise failed("garbled", self.who, debug=type(error).__name__) from error
        finally:
            _deadline.reset(until)
            _group.reset(together)

    def _refused(self, error: botocore.exceptions.ClientError) -> StepFailed:
        fields, meta = error.response.get("Error", {}), error.response.get("ResponseMetadata", {})
        code, server_text = str(fields.get("Code", ""))[:60], str(fields.get("Message", ""))
        status = int(meta.get("HTTPStatusCode", 0))
        kind = _KINDS.get(code) or kind_of(status)
        if kind == "refused" and any(words in server_text.lower() for words in _LONG):
            kind = "large"
        after = parse_retry_after(meta.get("HTTPHeaders", {}).get("retry-after"), self.pace.wall())
        name = code if code.isalpha() else ""
        debug = f"HTTP {status} {name}".strip()
        return failed(kind, self.who, debug=debug, server_text=server_text, retry_after=after)


_client_lock = threading.Lock()


@cache
def _client(region: str | None, endpoint_url: str | None) -> Any:
    with _client_lock:
        session = boto3.session.Session()  # not the default session, which another thread may use
        config = Config(retries={"mode": "standard", "total_max_attempts": 1}, inject_host_prefix=False)
        bedrock = session.client("bedrock-runtime", region_name=region, endpoint_url=endpoint_url, config=config)
    bedrock.meta.events.register_first("before-send.bedrock-runtime", _send_with_deadline)
    return bedrock


def _send_with_deadline(request: AWSRequest, **_: object) -> AWSResponse:
    headers = {name: value.decode() if isinstance(value, bytes) else value for name, value in request.headers.items()}
    outgoing = model_transport.ModelRequest(request.method, request.url, headers, request.body or b"")
    reply = model_transport.send(outgoing, _deadline.get(), _tls(), _group.get())
    return AWSResponse(request.url, reply.status, HeadersDict(reply.headers), _Raw(reply.body))


class _Raw(BytesIO):
    """A body with the interface of urllib3."""

    def stream(self, **_: object) -> Any:
        yield self.getvalue()


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca_bundle())
