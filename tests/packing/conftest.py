import pytest
from built import Built, everything


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return everything(tmp_path_factory.mktemp("packages"))
