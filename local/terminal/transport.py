"""Send requests with up to three tries. Retries are safe: every write carries an Idempotency-Key."""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import requests
from requests.auth import AuthBase

from terminal.endpoint import LOOPBACK, Endpoint
from terminal.failures import AGAIN, TRIES, CommandFailure, unreachable

FIRST_WAIT, LONGEST_WAIT = 0.4, 20.0
CONNECT_SECONDS, READ_SECONDS = 5.0, 60.0
_CONNECTION_ERRORS = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    requests.exceptions.ContentDecodingError,
)


class BearerAuth(AuthBase):
    """Bearer token as a requests `auth`: credentials from ~/.netrc would replace a plain header."""

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
        # A proxy from the environment cannot reach loopback addresses.
        self._session.trust_env = urlsplit(endpoint.url).hostname not in LOOPBACK

    def send(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[requests.Response, int]:
        """Return the response and the number of tries."""
        for number in range(1, self.tries + 1):
            wait = FIRST_WAIT * 2 ** (number - 1) * (0.5 + self._jitter())
            try:
                response = self._session.request(
                    method,
                    self._endpoint.url + path,
                    data=body,
                    headers=dict(headers),
                    timeout=self.timeout,
                    allow_redirects=False,
                )
            except _CONNECTION_ERRORS as connection_error:
                if number == self.tries:
                    raise self._connection_failure(connection_error) from None
            except (requests.RequestException, ValueError) as error:
                raise CommandFailure(f"The request to {self._endpoint.url} could not be sent: {error}") from None
            else:
                if response.status_code not in AGAIN or number == self.tries:
                    return response, number
                wait = max(wait, _retry_after(response))
            self._sleep(min(wait, LONGEST_WAIT))
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        self._session.close()

    def _connection_failure(self, error: Exception) -> CommandFailure:
        if isinstance(error, requests.exceptions.SSLError):
            why = "its certificate is not trusted"
        elif isinstance(error, requests.Timeout):
            why = "timed out"
        elif "refused" in str(error).lower():
            why = "connection refused"
        else:
            why = "the connection was lost"
        local = urlsplit(self._endpoint.url).hostname in LOOPBACK
        first = "Start it: make run" if local else "Check READDO_URL and your network."
        return unreachable(f"{self._endpoint.url} does not respond: {why}.", first, "Then run: readdo doctor")


def _retry_after(response: requests.Response) -> float:
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else 0.0
