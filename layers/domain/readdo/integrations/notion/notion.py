"""Client for Notion's API.

NotionError  nothing can be written now: the sync ends and is repeated after `after` seconds
NotThisPage  Notion rejected this page; others may be written
PageIsGone   the page was deleted in Notion
"""

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import urllib3
from urllib3.util import Timeout

from readdo.messages import message

EACH_SECOND = 3  # Notion's limit for an integration
VERSION = "2022-06-28"
SOON, LATER = 60, 3600
_WAIT_MAX = 5  # seconds; a longer wait ends the sync
_TRIES = 3
_TEXT_MAX = 200
_READ_MAX = 2_000_000


class RateLimit:
    def __init__(
        self,
        each_second: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._between, self._clock, self._pause = 1 / each_second, clock, pause
        self._next = clock()

    def wait(self) -> None:
        """Sleep until the next request may be sent."""
        early = self._next - self._clock()
        if early > 0:
            self._pause(early)
        self._next = max(self._next, self._clock()) + self._between

    def rest(self, seconds: float) -> None:
        """Sleep for the time that the server requested."""
        self._pause(seconds)


class NotionError(Exception):
    """`code`: for programs. `words`: for the user."""

    def __init__(self, code: str, words: str, after: float) -> None:
        super().__init__(words)
        self.code, self.words, self.after = code, words, after


class NotThisPage(Exception):
    pass


class PageIsGone(Exception):
    pass


class Notion:
    def __init__(self, url: str, token: str, pace: RateLimit) -> None:
        self._url, self._pace = url.rstrip("/"), pace
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Notion-Version": VERSION,
            "Content-Type": "application/json",
            "User-Agent": "ReadDo/1.0",
        }
        self._pool = urllib3.PoolManager(num_pools=1, maxsize=1)

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        for _ in range(_TRIES):
            self._pace.wait()
            status, payload, retry_after = self._sent(method, path, body)
            if status == 429 and retry_after <= _WAIT_MAX:
                self._pace.rest(retry_after)
                continue
            if 200 <= status < 300:
                return payload
            raise _parse_error(status, payload, retry_after)
        raise _rate_limited(SOON)

    def _sent(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, dict[str, Any], float]:
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        try:
            response = self._pool.request(
                method,
                f"{self._url}{path}",
                body=data,
                headers=self._headers,
                redirect=False,
                retries=False,
                preload_content=False,
                timeout=Timeout(connect=3, read=10),
            )
            raw = response.read(_READ_MAX)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise NotionError("SILENT", message("notion.no_answer"), SOON) from error
        return response.status, _object(raw), _seconds(response.headers.get("Retry-After", ""))


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _seconds(text: str) -> float:
    return float(text) if text.isdecimal() else SOON


def _parse_error(status: int, payload: Mapping[str, Any], retry_after: float) -> Exception:
    text = str(payload.get("message", ""))
    if status == 404 or (status == 400 and "archived" in text):
        return PageIsGone()
    if status == 400:
        return NotThisPage(_shorten(text))
    if status == 401:
        return NotionError("TOKEN_UNKNOWN", message("notion.unknown_token"), LATER)
    if status == 403:
        return NotionError("READ_ONLY", message("notion.read_only_token"), LATER)
    if status == 429:
        return _rate_limited(retry_after)
    return NotionError("BROKEN", message("notion.http_error", status=status), SOON)


def _rate_limited(after: float) -> NotionError:
    return NotionError("TOO_OFTEN", message("notion.rate_limited"), after)


def _shorten(text: str) -> str:
    return " ".join(text.split())[:_TEXT_MAX]
