"""Save the state on disk as generations, each complete or absent. A kill leaves the previous one.

ministack writes each service's file atomically, but not all files together, and logs a failed write instead of raising.
So a generation is written into a temporary directory and then renamed.
"""

import asyncio
import json
import logging
import shutil
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

log = logging.getLogger("readdo.snapshot")

KEEP = 2
PERIOD = 1.0  # seconds between saves, and so of changes that a kill may lose
SHARE = 5  # a large state is saved less often: saving takes at most a fifth of the time
NOT_KEPT = {"cloudwatch", "cloudwatch_logs", "xray"}  # they grow with every call, and the logs are in functions.log
ATTEMPTS = 5
WRITING = threading.Lock()  # a cancelled save continues in its thread and must not overlap the final save
Services = dict[str, Callable[[], Any]]


class SaveError(Exception):
    """A service's state could not be written."""


def generations(state: Path) -> list[Path]:
    return sorted((p for p in state.glob("gen-*") if p.name[4:].isdecimal()), reverse=True)


def newest_readable(state: Path) -> Path | None:
    """Return the newest generation whose files all parse.

    ministack would silently skip a damaged file, and its service would start empty.
    """
    for generation in generations(state):
        try:
            for file in generation.glob("*.json"):
                json.loads(file.read_bytes())
        except ValueError:
            log.exception("%s is damaged, trying the previous generation", file)
            continue
        return generation
    return None


def collect(services: Services) -> dict[str, Any]:
    """Copy the state of every service. A concurrent write raises RuntimeError; then the copy is retried."""
    for attempt in range(ATTEMPTS):
        try:
            saved = {name: get for name, get in services.items() if name not in NOT_KEPT}
            return {name: state for name, get in saved.items() if (state := get()) is not None}
        except RuntimeError:
            if attempt == ATTEMPTS - 1:
                raise
            time.sleep(0.01)
    raise AssertionError


def write(state: Path, copies: dict[str, Any]) -> None:
    with WRITING:
        last = generations(state)
        draft = state / "draft"
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(mode=0o700)
        fill(draft, copies)
        number = int(last[0].name[4:]) + 1 if last else 1
        draft.rename(state / f"gen-{number:08d}")
        for old in last[KEEP - 1 :]:
            shutil.rmtree(old, ignore_errors=True)


def fill(draft: Path, copies: dict[str, Any]) -> None:
    from ministack.core import persistence  # noqa: PLC0415  # it reads the environment on import

    persistence.STATE_DIR = str(draft)
    for name, copy in copies.items():
        persistence.save_state(name, copy)
        if not (draft / f"{name}.json").exists():
            raise SaveError(f"the state of {name} could not be written to {draft}; see stack.log")


async def keep_saving(state: Path, services: Callable[[], Services], changes: Callable[[], int]) -> None:
    """Save after each change. The state is copied on the event loop, where the requests run."""
    saved = -1
    while True:
        count, started = changes(), time.monotonic()
        if count != saved:
            try:
                await asyncio.to_thread(write, state, collect(services()))
                saved = count
            except (RuntimeError, SaveError, OSError):
                log.exception("saving a snapshot failed; retrying")
        await asyncio.sleep(max(PERIOD, SHARE * (time.monotonic() - started)))
