"""The real local stack, and Debian's Chromium or whichever is here, to visit its page as a person does.

Without a browser there is nothing to try, so these are left out then, unless READDO_BROWSER=required says that there
must be one. Pictures of what was seen are kept in .local/screenshots, to be looked at.
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
from toolbar import Toolbar, toolbar
from visitor import SEEN, Site

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next((path for name in NAMES if (path := shutil.which(name))), "")
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run", "--disable-sync")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if FOUND or os.environ.get("READDO_BROWSER") == "required":
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
    own = {"PORT": str(port), "READDO_LOCAL": str(home), "READDO_OPEN": "0", "READDO_ALLOW_LOOPBACK": "1"}
    call, environment = [sys.executable, "local/run.py"], {**os.environ, **own}
    SEEN.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(call, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as stack:  # noqa: S603 - our own program
        assert stack.stdout is not None
        said = list(takewhile(lambda line: not line.startswith("Stop with"), stack.stdout))
        assert stack.poll() is None, "".join(said)
        told = json.loads((home / "endpoint.json").read_text(encoding="utf-8"))
        yield Site(told["url"], told["token"])
        stack.send_signal(signal.SIGTERM)


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    made = driver.chromium.launch(executable_path=FOUND or None, args=list(QUIET))
    yield made
    made.close()


@pytest.fixture(scope="module")
def bar(
    request: pytest.FixtureRequest, driver: Playwright, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Toolbar]:
    """A browser of its own that has the extension, in English unless a test says otherwise."""
    language = str(getattr(request, "param", "en"))
    how: dict[str, Any] = {
        "args": [*QUIET, f"--lang={language}"],
        "env": {**os.environ, "LANGUAGE": language.replace("-", "_")},
    }
    with toolbar(driver, FOUND, tmp_path_factory.mktemp("browser"), **how) as found:
        yield found
