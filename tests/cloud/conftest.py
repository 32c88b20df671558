import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from moto import mock_aws

from readdo import runtime
from readdo.web import auth
from support.aws_account import REGION, Account
from support.aws_bridge import bridge
from support.aws_person import User
from support.moto import moto_world
from support.template import ROOT
from support.world import World


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Remove the AWS credentials and settings of the machine, and those of each test."""
    for name in [n for n in os.environ if n.startswith(("AWS_", "READDO_"))]:
        monkeypatch.delenv(name)
    for name in ("STACK", "REGION", "OWNER", "NAME", "DAYS", "CONFIRM", "CONFIRM_DATA", "DATA", "TABLE", "BUCKET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "aws-config"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "aws-credentials"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    monkeypatch.setattr(boto3, "DEFAULT_SESSION", None)
    runtime.client.cache_clear()
    auth.forget()
    yield
    runtime.client.cache_clear()


@pytest.fixture
def account(monkeypatch: pytest.MonkeyPatch) -> Iterator[Account]:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")
    moto_account = Account()
    call = BaseClient._make_api_call

    def answer(self: Any, operation: str, params: dict[str, Any]) -> Any:
        moto_account.calls.append((operation, params))
        replacement = moto_account.instead.get(operation)
        return (
            replacement(lambda: call(self, operation, params), params) if replacement else call(self, operation, params)
        )

    monkeypatch.setattr(BaseClient, "_make_api_call", answer)
    with mock_aws():
        yield moto_account


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> User:
    root = tmp_path / "project"
    root.mkdir()
    (root / "template.yaml").write_text((ROOT / "template.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    return User(root, capsys, monkeypatch)


@pytest.fixture
def endpoint() -> Iterator[str]:
    with bridge() as url:
        yield url


@pytest.fixture
def world() -> Iterator[World]:
    """A world on moto, which other programs and processes can call."""
    with moto_world() as moto:
        yield moto
