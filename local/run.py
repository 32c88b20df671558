"""Entry point of `make run`: deploy template.yaml to a local stack in this process."""

import asyncio
import os
import sys

from stack import launcher
from stack.browser import Browser
from stack.data_folder import AlreadyRunningError, PortTakenError
from stack.settings import Settings, scrub

if __name__ == "__main__":
    settings = Settings.read(os.environ)
    browser = Browser.find(os.environ)
    scrub(os.environ, settings)
    try:
        asyncio.run(launcher.run(settings, browser))
    except (AlreadyRunningError, PortTakenError) as refusal:
        print(refusal, file=sys.stderr)
        raise SystemExit(1) from None
