"""One request, up to three times. Every write carries a key, so asking again never does a thing twice."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import requests
from requests.auth import AuthBase

from terminal.endpoint import LOOPBACK, Endpoint
from terminal.failures import CommandFailure, unreachable

TRIES = 3
AGAIN = frozenset({429, 500, 502, 503, 504})
FIRST_WAIT, LONGEST_WAIT = 0.4, 20.0
CONNECT_SECONDS, READ_SECONDS = 5.0, 60.0
_LOST = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
)


class BearerAuth(AuthBase):
    """As an `auth`, because a plain header gives way to whatever stands in the user's ~/.netrc."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class Transport:
    def __init__(
        self, endpoint: Endpoint, sleep: Callable[[float], None], jitter: Callable[[], float], tries: int = TRIES
    ) -> None:
        self._endpoint, self._sleep, self._jitter = endpoint, sleep, jitter
        self.tries = tries
        self.timeout = (CONNECT_SECONDS, READ_SECONDS)
        self._session = requests.Session()
        self._session.auth = BearerAuth(endpoint.token)
        # A proxy of the environment knows nothing of this machine's own addresses.
        self._session.trust_env = urlsplit(endpoint.url).hostname not in LOOPBACK

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[requests.Response, int]:
        """The answer, and how many times it was asked for."""
        for number in range(1, self.tries + 1):
            wait = FIRST_WAIT * 2 ** (number - 1) * (0.5 + self._jitter())
            try:
                answer = self._session.request(
                    method,
                    self._endpoint.url + path,
                    data=body,
                    headers=dict(headers),
                    timeout=self.timeout,
                    allow_redirects=False,
                )
            except _LOST as lost:
                if number == self.tries:
                    raise self._nobody(lost) from None
            except (requests.RequestException, ValueError) as wrong:
                raise CommandFailure(f"The request cannot be sent to {self._endpoint.url}: {wrong}") from None
            else:
                if answer.status_code not in AGAIN or number == self.tries:
                    return answer, number
                wait = max(wait, _asked_to_wait(answer))
            self._sleep(min(wait, LONGEST_WAIT))
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        self._session.close()

    def _nobody(self, lost: Exception) -> CommandFailure:
        if isinstance(lost, requests.exceptions.SSLError):
            why = "its certificate is not one that this machine trusts"
        elif isinstance(lost, requests.Timeout):
            why = "it takes too long"
        elif "refused" in str(lost).lower():
            why = "nobody listens there"
        else:
            why = "the connection broke"
        local = urlsplit(self._endpoint.url).hostname in LOOPBACK
        first = "Is it running? Start it: make run" if local else "Check the address in READDO_URL, and the network."
        return unreachable(f"{self._endpoint.url} does not answer: {why}.", first, "Then: readdo doctor")


def _asked_to_wait(answer: requests.Response) -> float:
    said = answer.headers.get("Retry-After", "")
    return float(said) if said.isascii() and said.isdigit() else 0.0
