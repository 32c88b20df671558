"""Fixtures of the flow tests."""

import pytest

from readdo.collect.own_worker import link_lists
from readdo.extraction import sources
from support.small_web import Web


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Web:
    web = Web()
    monkeypatch.setattr(sources, "fetch", web.fetch)
    monkeypatch.setattr(link_lists, "fetch", web.fetch)
    return web
