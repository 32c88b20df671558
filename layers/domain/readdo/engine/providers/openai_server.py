"""Provider for servers with OpenAI's API: OpenAI, Ollama, vLLM or a gateway."""

import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal
from urllib.parse import urlsplit

from readdo.engine.providers import openai_bodies as bodies
from readdo.engine.providers.provider_errors import failed
from readdo.engine.providers.provider_protocol import Completion, Question, Turns
from readdo.engine.providers.provider_retry import PACE, RetryClock, call_with_retries
from readdo.engine.providers.server_quirks import CAPS, ServerQuirks, with_fallback_formats
from readdo.messages import message

OPENAI = "https://api.openai.com/v1"
NO_KEY = "none"  # Ollama and the SDK require a non-empty key
_FORMS = ("json_schema", "json_object", "text")
# An error with one of these words is about the response format.
_FORM_WORDS = ("response_format", "json_schema", "json_object", "schema", "text.format", "structured", "grammar")
Api = Literal["chat", "responses"]


@dataclass(frozen=True)
class ModelSettings:
    model: str
    base_url: str = ""  # empty: OpenAI
    api: Api = "chat"
    key: Callable[[], str] = lambda: ""


@dataclass(frozen=True)
class OpenAIServer:
    settings: ModelSettings
    pace: RetryClock = PACE
    name: str = field(default="openai", init=False)

    @property
    def _url(self) -> str:
        return self.settings.base_url.strip() or OPENAI

    @property
    def _host(self) -> str:
        """The host for messages, without a user name or password from the address."""
        try:
            host = urlsplit(self._url).netloc.rpartition("@")[2]
        except ValueError:
            host = ""
        return host[:40] or message("provider.its_server")

    @property
    def who(self) -> str:
        return message("provider.model_at", model=self.settings.model[:50], host=self._host)

    def ask(self, question: Question, deadline: float, *, turns: Turns = ()) -> Completion:
        key = self._key()
        place = (self.name, f"{self._url} {self.settings.api}", self.settings.model)
        # Compatible servers may support only the older parameter, and OpenAI's newer models reject it.
        first = ServerQuirks(_FORMS, CAPS if self._host == urlsplit(OPENAI).netloc else CAPS[::-1])

        def once(quirks: ServerQuirks) -> Completion:
            body = bodies.request_body(self.settings.api, self.settings.model, question, turns, quirks)
            response = call_with_retries(lambda: self._send(body, key, deadline), deadline, self.pace)
            return bodies.parse_response(self.settings.api, response, self.who, self.settings.model)

        return with_fallback_formats(place, first, _FORM_WORDS, once)

    def _key(self) -> str:
        key = self.settings.key().strip()
        if not key.isprintable() or not key.isascii():
            raise failed("key", self.who, debug="the key holds characters that no key has")
        return key or NO_KEY

    def _send(self, body: Mapping[str, Any], key: str, deadline: float) -> Any:
        try:
            # Imported with the first question: it takes 288 ms, and not every function has it.
            from readdo.engine.providers import openai_sdk  # noqa: PLC0415
        except ImportError as error:
            raise failed("missing", self.who, debug=str(error.name)) from error
        endpoint = openai_sdk.SdkEndpoint(self._url, self.settings.api, key, self.who, deadline, _tls())
        return openai_sdk.post(endpoint, body, self.pace.wall())


@cache
def _tls() -> ssl.SSLContext:
    from httpx2 import create_ssl_context  # noqa: PLC0415

    return create_ssl_context()
