"""HTTP sessions whose connections go only to public addresses."""

from typing import Any

import requests
from requests.adapters import HTTPAdapter
from urllib3.poolmanager import PoolManager

from readdo.messages import message
from readdo.net.safe_connection import Blocked, Watch, pools


class _Adapter(HTTPAdapter):
    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        super().__init__(max_retries=0)

    def init_poolmanager(self, connections: int, maxsize: int, block: bool = False, **more: Any) -> None:
        self.poolmanager = PoolManager(num_pools=connections, maxsize=maxsize, block=block, **more)
        self.poolmanager.pool_classes_by_scheme = pools(self._watch)

    def proxy_manager_for(self, *_: object, **__: object) -> Any:
        raise Blocked(message("link.proxy"))


def session(watch: Watch) -> requests.Session:
    """A session that ignores the environment: no proxy, no netrc, only the certificates of requests."""
    http = requests.Session()
    http.trust_env = False
    http.mount("http://", _Adapter(watch))
    http.mount("https://", _Adapter(watch))
    return http
