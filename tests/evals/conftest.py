from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def schemas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCHEMAS_DIR", str(Path(__file__).parents[2] / "schemas"))
