import gc
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from support import figures, tiers
from support.moto import moto_world
from support.world import World, world


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        tiers.commit()
        figures.begin()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Ignore modules of other tiers; None lets pytest decide."""
    path = collection_path.relative_to(tiers.ROOT).as_posix() if collection_path.is_relative_to(tiers.ROOT) else ""
    return None if tiers.reads(f"{path}/" if collection_path.is_dir() else path) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    of_tier = [item for item in items if tiers.runs(item.path.relative_to(tiers.ROOT).as_posix(), item.nodeid)]
    selected = set(of_tier)
    config.hook.pytest_deselected(items=[item for item in items if item not in selected])
    items[:] = sorted(of_tier, key=lambda item: tiers.start_order(item.path.relative_to(tiers.ROOT).as_posix()))


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()  # modules and test items live until the end, so the collector need not visit them again


def pytest_sessionfinish(session: pytest.Session) -> None:
    is_worker = hasattr(session.config, "workerinput")
    alone = not session.config.getoption("numprocesses", None)
    figures.note(with_children=is_worker or alone)  # the workers are children of the main process


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    terminalreporter.write_line(figures.summary())


WORLDS_COLLECTED = 40  # a world has cycles; to collect each one would take minutes
_worlds = count(1)


@pytest.fixture
def fresh() -> Iterator[World]:
    with world() as new_world:
        yield new_world
    if next(_worlds) % WORLDS_COLLECTED == 0:
        gc.collect()


@pytest.fixture
def on_moto() -> Iterator[World]:
    """World on moto, for tests of botocore's own calls to DynamoDB and S3."""
    with moto_world() as new_world:
        yield new_world
