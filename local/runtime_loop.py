"""Runtime loop of one Lambda function: fetch an event, call the handler, report the result.

Started by the bootstrap of stack/bundle.py with `-P`, so that a handler cannot import the stack's modules. AWS's own
runtime client cannot send the token that protects the Runtime API, and has no wheel for macOS.
"""

import json
import os
import pkgutil
import signal
import threading
import time
import traceback
from http.client import HTTPConnection, HTTPMessage
from types import SimpleNamespace
from typing import Any

# Removed from the environment, so that child processes of a handler do not inherit it.
TOKEN = os.environ.pop("READDO_RUNTIME_TOKEN", "")


def call(method: str, path: str, body: str | None = None) -> tuple[bytes, HTTPMessage]:
    connection = HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
    headers = {"X-Runtime-Token": TOKEN}
    connection.request(method, f"/2018-06-01/runtime/{path}", body and body.encode(), headers)
    return (response := connection.getresponse()).read(), response.headers


def describe(error: BaseException) -> str:
    frames = traceback.format_list(traceback.extract_tb(error.__traceback__)[1:])  # without the frame of this file
    print(f"[ERROR] {type(error).__name__}: {error}", *frames, sep="\n", flush=True)
    return json.dumps({"errorType": type(error).__name__, "errorMessage": str(error), "stackTrace": frames})


def make_context() -> Any:
    context = SimpleNamespace(**{k[11:].lower(): v for k, v in os.environ.items() if k.startswith("AWS_LAMBDA_")})
    context.memory_limit_in_mb = context.function_memory_size
    return context


def run() -> None:
    try:
        handler = pkgutil.resolve_name(":".join(os.environ["_HANDLER"].replace("/", ".").rsplit(".", 1)))
    except Exception as error:
        call("POST", "init/error", describe(error))
        raise SystemExit(1) from None
    context = make_context()
    while True:
        event, head = call("GET", "invocation/next")
        context.aws_request_id, deadline = head["Lambda-Runtime-Aws-Request-Id"], head["Lambda-Runtime-Deadline-Ms"]
        context.invoked_function_arn = head["Lambda-Runtime-Invoked-Function-Arn"]
        context.get_remaining_time_in_millis = lambda end=int(deadline): max(0, end - int(time.time() * 1000))
        try:
            outcome, body = "response", json.dumps(handler(json.loads(event), context))
        except Exception as error:
            outcome, body = "error", describe(error)
        call("POST", f"invocation/{context.aws_request_id}/{outcome}", body)


def leave_with(parent: int) -> None:
    """Exit when the launcher is killed.

    Not with PR_SET_PDEATHSIG: the signal follows the thread that started this process, which ends earlier.
    """
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


if __name__ == "__main__":
    # Ctrl-C reaches every process of the terminal, but the launcher decides when a handler ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=leave_with, args=(os.getppid(),), daemon=True).start()
    run()
