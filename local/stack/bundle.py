"""What is deployed as a function's code: a bootstrap that runs the working tree, so an edit needs no deploy."""

import io
import shlex
import sys
import zipfile
from pathlib import Path

from stack.settings import Settings, stack_settings

LAYER = Path("layers/domain")


def bundle(settings: Settings, code: Path) -> bytes:
    """The same bytes for the same place (ministack stores code by its hash): hence the fixed date."""
    entry = zipfile.ZipInfo("bootstrap", (2020, 1, 1, 0, 0, 0))
    entry.external_attr = 0o755 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(entry, bootstrap(settings, code))
    return buffer.getvalue()


def bootstrap(settings: Settings, code: Path) -> str:
    """A script of the shell and not of Python: `exec` keeps the process that ministack watches and ends."""
    loop = Path(__file__).parents[1] / "runtime_loop.py"
    exports = {
        "PYTHONPATH": f"{code}:{settings.root / LAYER}",
        "LAMBDA_TASK_ROOT": str(code),
        "SCHEMAS_DIR": str(settings.root / "schemas"),
        "PYTHONUNBUFFERED": "1",
        "AWS_LAMBDA_LOG_FORMAT": "JSON",
    }
    lines = ["#!/bin/sh"]
    # What ministack is configured by is no business of a handler, which on AWS would not see it either.
    lines.append(f"unset {' '.join(stack_settings(settings))}")
    lines += [f"export {name}={shlex.quote(value)}" for name, value in exports.items()]
    lines.append(f"cd {shlex.quote(str(code))} || exit 1")
    # Logs go to a file to follow: ministack would keep every line in memory and write it with each snapshot.
    run = shlex.join([sys.executable, "-P", str(loop)])
    log = shlex.quote(str(settings.home / "functions.log"))
    lines.append(f"exec {run} >>{log} 2>&1")
    return "\n".join(lines) + "\n"
