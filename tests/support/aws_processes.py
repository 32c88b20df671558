"""The commands as separate programs."""

import os
import subprocess
import sys

from support.template import ROOT

COMMAND = [sys.executable, "-I", str(ROOT / "local/cloud/__main__.py")]
Done = subprocess.CompletedProcess[str]


def run(command: str, endpoint: str, stdin: str | None = None, **settings: str) -> Done:
    environ = {**os.environ, "AWS_ENDPOINT_URL": endpoint, **settings}
    stdin_ = {"input": stdin} if stdin is not None else {"stdin": subprocess.DEVNULL}
    return subprocess.run([*COMMAND, command], env=environ, capture_output=True, text=True, check=False, **stdin_)  # noqa: S603 - our own
