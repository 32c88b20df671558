from collections.abc import Iterator

import pytest

from support.moto import moto_world
from support.template import ROOT
from support.world import World


@pytest.fixture
def world() -> Iterator[World]:
    """World on moto: the contracts check the calls that reach AWS."""
    with moto_world() as moto:
        yield moto


@pytest.fixture(autouse=True)
def region(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a region, which SAM's transform needs to find its partition; any region will do."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")


@pytest.fixture(autouse=True)
def schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEMAS_DIR", str(ROOT / "schemas"))
