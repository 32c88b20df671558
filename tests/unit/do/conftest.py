"""A bucket that takes all, and has nothing."""

from typing import Any

import pytest


class Bucket:
    def put_object(self, **_: Any) -> None:
        """It is kept."""

    def generate_presigned_url(self, *_: Any, **__: Any) -> str:
        return "https://example.org/there"

    def get_paginator(self, _: str) -> "Bucket":
        return self

    def paginate(self, **_: Any) -> list[Any]:
        return []


@pytest.fixture(autouse=True)
def bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUCKET_NAME", "there")
    monkeypatch.setattr("readdo.files.client", lambda _: Bucket())
