from collections.abc import Iterator

import pytest

from readdo.engine.providers import bedrock, server_quirks


@pytest.fixture(autouse=True)
def _fresh_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    for name in ("AWS_ENDPOINT_URL", "AWS_PROFILE", "AWS_BEARER_TOKEN_BEDROCK"):
        monkeypatch.delenv(name, raising=False)
    server_quirks.forget()
    yield
    server_quirks.forget()
    bedrock._client.cache_clear()  # a client takes 8 MB, and each test server has its own address
