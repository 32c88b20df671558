"""The process of one Lambda function: AWS's own runtime client, or our loop where that has no wheel (macOS).

Started by the bootstrap that stack/bundle.py writes, with `-P`: a handler must not import the stack's own modules.
"""

import importlib.util
import os
import runpy
import signal
import threading
import time
from pathlib import Path


def leave_with(parent: int) -> None:
    """A killed launcher cannot end its workers. (PR_SET_PDEATHSIG follows the thread that started us: too early.)"""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    # Ctrl-C reaches every process of the terminal; the launcher decides when a handler ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=leave_with, args=(os.getppid(),), daemon=True).start()
    # `runtime_client` is the compiled half of awslambdaric, and the half that is missing where it was not built.
    if importlib.util.find_spec("runtime_client") and os.environ.get("READDO_RUNTIME_LOOP") != "1":
        runpy.run_module("awslambdaric", run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(str(Path(__file__).with_name("runtime_loop.py")), run_name="__main__")
