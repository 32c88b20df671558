"""Fixtures of the browser tests: the real local stack, and an installed Chromium or Chrome.

Without a browser the tests are skipped, unless READDO_BROWSER=required. Screenshots are stored in .local/screenshots.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, sync_playwright

from browser.toolbar import Toolbar, toolbar
from browser.visitor import SEEN, Site

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PROGRAM = next((path for name in NAMES if (path := shutil.which(name))), "")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if PROGRAM or os.environ.get("READDO_BROWSER") == "required":
        return
    why = pytest.mark.skip(reason=f"there is no browser here: install one of {', '.join(NAMES)}")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(why)


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    home = tmp_path_factory.mktemp("home")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"PORT": str(port), "READDO_LOCAL": str(home), "READDO_OPEN": "0", "READDO_ALLOW_LOOPBACK": "1"}
    call, environment = [sys.executable, "local/run.py"], {**os.environ, **settings}
    SEEN.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(call, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as stack:  # noqa: S603 - our own program
        assert stack.stdout is not None
        lines = list(takewhile(lambda line: not line.startswith("Stop with"), stack.stdout))
        assert stack.poll() is None, "".join(lines)
        endpoint = json.loads((home / "endpoint.json").read_text(encoding="utf-8"))
        yield Site(endpoint["url"], endpoint["token"])
        stack.send_signal(signal.SIGTERM)


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    chromium = driver.chromium.launch(executable_path=PROGRAM or None, args=list(QUIET))
    yield chromium
    chromium.close()


@pytest.fixture(scope="module")
def bar(
    request: pytest.FixtureRequest, driver: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Toolbar]:
    """Browser with the extension, in English unless a test sets another language."""
    language = str(getattr(request, "param", "en"))
    options: dict[str, Any] = {
        "args": [*QUIET, f"--lang={language}"],
        "env": {**os.environ, "LANGUAGE": language.replace("-", "_")},
    }
    with toolbar(driver, PROGRAM, tmp_path_factory.mktemp("browser"), **options) as extension_bar:
        yield extension_bar
