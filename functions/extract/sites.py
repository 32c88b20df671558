"""Asking a site: requests, through the door that checks where a connection goes."""

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
    """Nothing of the environment: no proxy, no netrc, no certificates but the ones that came with requests."""
    made = requests.Session()
    made.trust_env = False
    made.mount("http://", _Adapter(watch))
    made.mount("https://", _Adapter(watch))
    return made
