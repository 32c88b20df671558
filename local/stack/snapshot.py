"""State on disk: generations, each complete or absent. A kill at any moment leaves the one before.

ministack writes each service's file atomically but not the set of them, and logs a failed write instead of raising.
So a generation is written into a directory of its own and a rename makes it count.
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
PERIOD = 1.0  # what a kill may cost
SHARE = 5  # a large state is saved less often: at most a fifth of the time goes into saving
NOT_KEPT = {"cloudwatch", "cloudwatch_logs", "xray"}  # they grow with every call, and functions.log has the words
ATTEMPTS = 5
WRITING = threading.Lock()  # a save that was given up goes on in its thread; the last one must not meet it
Services = dict[str, Callable[[], Any]]


class SaveError(Exception):
    """A service's state could not be written."""


def generations(state: Path) -> list[Path]:
    return sorted((p for p in state.glob("gen-*") if p.name[4:].isdecimal()), reverse=True)


def newest_readable(state: Path) -> Path | None:
    """A file that does not parse would be skipped silently, and its service would come up empty."""
    for generation in generations(state):
        try:
            for file in generation.glob("*.json"):
                json.loads(file.read_bytes())
        except ValueError:
            log.exception("%s is damaged, trying the one before", file)
            continue
        return generation
    return None


def collect(services: Services) -> dict[str, Any]:
    """Copies of every service's state. Other threads write meanwhile, which a copy notices by an error: once more."""
    for attempt in range(ATTEMPTS):
        try:
            kept = {name: get for name, get in services.items() if name not in NOT_KEPT}
            return {name: state for name, get in kept.items() if (state := get()) is not None}
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
    from ministack.core import persistence  # noqa: PLC0415  # it reads the environment when it is imported

    persistence.STATE_DIR = str(draft)
    for name, copy in copies.items():
        persistence.save_state(name, copy)
        if not (draft / f"{name}.json").exists():
            raise SaveError(f"the state of {name} could not be written to {draft}; the reason is in stack.log")


async def keep_saving(state: Path, services: Callable[[], Services], changes: Callable[[], int]) -> None:
    """Save whenever requests came in since the last time. Copies are taken on the loop, where the requests run."""
    saved = -1
    while True:
        seen, started = changes(), time.monotonic()
        if seen != saved:
            try:
                await asyncio.to_thread(write, state, collect(services()))
                saved = seen
            except (RuntimeError, SaveError, OSError):
                log.exception("no snapshot this time; trying again soon")
        await asyncio.sleep(max(PERIOD, SHARE * (time.monotonic() - started)))
