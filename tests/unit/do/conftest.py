"""An empty bucket for each test."""

import pytest

from support.bucket import Bucket


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    fake_bucket = Bucket()
    monkeypatch.setenv("BUCKET_NAME", "there")
    monkeypatch.setattr("readdo.files.client", lambda _: fake_bucket)
    return fake_bucket
