import pytest

from support.template import ROOT


@pytest.fixture(autouse=True)
def region(monkeypatch: pytest.MonkeyPatch) -> None:
    """SAM's transform asks for a region to find its partition; any will do."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")


@pytest.fixture(autouse=True)
def schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEMAS_DIR", str(ROOT / "schemas"))
