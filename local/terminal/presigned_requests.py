"""Where the API sends us with a link of its own: spoken to without our token, and without what ~/.netrc may hold."""

from urllib.parse import urlsplit

import requests

from terminal.endpoint import LOOPBACK


def session(link: str) -> requests.Session:
    found = requests.Session()
    found.auth = lambda request: request
    found.trust_env = urlsplit(link).hostname not in LOOPBACK
    return found
