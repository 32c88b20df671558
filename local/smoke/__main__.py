"""Run the steps of the smoke test, one after the other, and print a line for each."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import requests

from smoke.deployment import Deployment, LeftOut, SmokeFailure
from smoke.steps import STEPS
from terminal import endpoint
from terminal.failures import CommandFailure


def main() -> int:
    root = Path(__file__).resolve().parents[2]
    try:
        place = endpoint.find(os.environ, root, "", "")
    except CommandFailure as failure:
        print(failure, file=sys.stderr)
        return failure.exit_code
    deployment = Deployment(root, place.url, place.token)
    print(f"Smoke test of {place.url}. Its items are deleted at the end.", flush=True)
    failed = [name for name, step in STEPS if not _passes(deployment, name, step)]
    deployment.delete_items()
    print(f"{len(deployment.items)} items deleted.")
    print(f"Failed: {', '.join(failed)}. See docs/first-deploy.md." if failed else "All steps that ran here passed.")
    return 1 if failed else 0


def _passes(deployment: Deployment, name: str, step: Callable[[Deployment], str]) -> bool:
    if sys.stdout.isatty():
        print(f"  … {name}", end="\r", flush=True)
    try:
        print(f"  ✓ {name:10} {step(deployment)}")
    except LeftOut as reason:
        print(f"  - {name:10} left out: {reason}")
    except (SmokeFailure, requests.RequestException) as failure:
        print(f"  ✗ {name:10} {failure}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
