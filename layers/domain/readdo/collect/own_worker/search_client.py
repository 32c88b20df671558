"""Search endpoint of the operator (SearXNG's JSON format). Its results are fetched safely."""

import json

import requests

from readdo.collect.own_worker.link_lists import WebLink, unique
from readdo.errors import StepFailed
from readdo.messages import message
from readdo.runtime import setting

SECONDS = 15
_BYTES = 2_000_000


def is_configured() -> bool:
    return bool(setting("COLLECT_SEARCH_URL", ""))


def search(words: str, count: int) -> list[WebLink]:
    """The operator's endpoint may have a private address or another port, so the safe fetch is not used."""
    address = setting("COLLECT_SEARCH_URL", "").rstrip("/") + "/search"
    try:
        with requests.Session() as session:
            session.trust_env = False
            response = session.get(
                address, params={"q": words, "format": "json"}, timeout=SECONDS, allow_redirects=False, stream=True
            )
            response.raise_for_status()
            body = response.raw.read(_BYTES, decode_content=True)
        results = json.loads(body)["results"]
        found = [WebLink(str(result["url"]), str(result.get("title", ""))) for result in results]
    except (requests.RequestException, OSError, ValueError, KeyError, TypeError) as error:
        failure = message("collect.search_failed")
        raise StepFailed("EXTRACTION_FETCH_FAILED", failure, debug=type(error).__name__) from error
    return unique(link for link in found if link.url.startswith(("http://", "https://")))[:count]
