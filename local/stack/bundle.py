"""Function code for the local stack: a bootstrap that runs the working tree, so edits need no deploy."""

import io
import shlex
import sys
import zipfile
from pathlib import Path

from stack.settings import Settings, stack_settings

LAYER = Path("layers/domain")


def bundle(settings: Settings, code: Path) -> bytes:
    """Build the zip. The fixed date makes it reproducible: ministack stores code by its hash."""
    entry = zipfile.ZipInfo("bootstrap", (2020, 1, 1, 0, 0, 0))
    entry.external_attr = 0o755 << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(entry, bootstrap(settings, code))
    return buffer.getvalue()


def bootstrap(settings: Settings, code: Path) -> str:
    """Return a shell script that uses `exec`, so that ministack's process id stays the handler's."""
    loop = Path(__file__).parents[1] / "runtime_loop.py"
    exports = {
        "PYTHONPATH": f"{code}:{settings.root / LAYER}",
        "LAMBDA_TASK_ROOT": str(code),
        "SCHEMAS_DIR": str(settings.root / "schemas"),
        "PYTHONUNBUFFERED": "1",
        "AWS_LAMBDA_LOG_FORMAT": "JSON",
    }
    lines = ["#!/bin/sh"]
    # Remove ministack's configuration, which a handler would not see on AWS.
    lines.append(f"unset {' '.join(stack_settings(settings))}")
    lines += [f"export {name}={shlex.quote(value)}" for name, value in exports.items()]
    lines.append(f"cd {shlex.quote(str(code))} || exit 1")
    # Log to a file: ministack would keep every line in memory and write it with each snapshot.
    run = shlex.join([sys.executable, "-P", str(loop)])
    log = shlex.quote(str(settings.home / "functions.log"))
    lines.append(f"exec {run} >>{log} 2>&1")
    return "\n".join(lines) + "\n"
