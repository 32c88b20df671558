"""A bucket that takes all, and has nothing yet."""

import pytest

from support.bucket import Bucket


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch) -> Bucket:
    found = Bucket()
    monkeypatch.setenv("BUCKET_NAME", "there")
    monkeypatch.setattr("readdo.files.client", lambda _: found)
    return found
