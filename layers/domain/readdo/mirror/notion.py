"""Notion's API, as far as it is needed: one question, one answer; and what it refuses, in words for its owner.

Trouble      nothing can be written now: the turn ends, and comes again after `after` seconds
NotThisPage  this page alone was refused; others may be written
PageIsGone   somebody threw the page away in Notion
"""

import json
from collections.abc import Mapping
from typing import Any

import urllib3
from urllib3.util import Timeout

from readdo.messages import message
from readdo.mirror.rate_limit import RateLimit

EACH_SECOND = 3  # Notion's limit of an integration
VERSION = "2022-06-28"
SOON, LATER = 60, 3600
_PATIENCE = 5  # seconds; a longer wait is not sat out
_RESTS = 3
_SAID_MAX = 200
_READ_MAX = 2_000_000


class NotionError(Exception):
    """`code`: for a page that says it in another language."""

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
        for _ in range(_RESTS):
            self._pace.wait()
            status, said, rests = self._sent(method, path, body)
            if status == 429 and rests <= _PATIENCE:
                self._pace.rest(rests)
                continue
            if 200 <= status < 300:
                return said
            raise _refusal(status, said, rests)
        raise _too_often(SOON)

    def _sent(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[int, dict[str, Any], float]:
        sent = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        try:
            answer = self._pool.request(
                method,
                f"{self._url}{path}",
                body=sent,
                headers=self._headers,
                redirect=False,
                retries=False,
                preload_content=False,
                timeout=Timeout(connect=3, read=10),
            )
            raw = answer.read(_READ_MAX)
        except (urllib3.exceptions.HTTPError, OSError) as error:
            raise NotionError("SILENT", message("notion.no_answer"), SOON) from error
        return answer.status, _object(raw), _seconds(answer.headers.get("Retry-After", ""))


def _object(raw: bytes) -> dict[str, Any]:
    try:
        said = json.loads(raw)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _seconds(text: str) -> float:
    return float(text) if text.isdecimal() else SOON


def _refusal(status: int, said: Mapping[str, Any], rests: float) -> Exception:
    told = str(said.get("message", ""))
    if status == 404 or (status == 400 and "archived" in told):
        return PageIsGone()
    if status == 400:
        return NotThisPage(_short(told))
    if status == 401:
        return NotionError("TOKEN_UNKNOWN", message("notion.unknown_token"), LATER)
    if status == 403:
        return NotionError("READ_ONLY", message("notion.read_only_token"), LATER)
    if status == 429:
        return _too_often(rests)
    return NotionError("BROKEN", message("notion.http_error", status=status), SOON)


def _too_often(after: float) -> NotionError:
    return NotionError("TOO_OFTEN", message("notion.rate_limited"), after)


def _short(text: str) -> str:
    return " ".join(text.split())[:_SAID_MAX]
