from collections.abc import Iterator

import pytest

from support.moto import moto_world
from support.template import ROOT
from support.world import World


@pytest.fixture
def made() -> Iterator[World]:
    """On moto: the contracts look at the calls that reach AWS."""
    with moto_world() as found:
        yield found


@pytest.fixture(autouse=True)
def region(monkeypatch: pytest.MonkeyPatch) -> None:
    """SAM's transform asks for a region to find its partition; any will do."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")


@pytest.fixture(autouse=True)
def schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEMAS_DIR", str(ROOT / "schemas"))
