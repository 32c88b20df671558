"""The Lambda Runtime API in one loop: fetch an event, call the handler, report the answer or the exception's class."""

import json
import os
import pkgutil
import time
import traceback
from http.client import HTTPConnection, HTTPMessage
from types import SimpleNamespace


def call(method: str, path: str, body: str | None = None) -> tuple[bytes, HTTPMessage]:
    connection = HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])
    connection.request(method, f"/2018-06-01/runtime/{path}", body and body.encode())
    return (response := connection.getresponse()).read(), response.headers


def describe(error: Exception) -> str:
    frames = traceback.format_list(traceback.extract_tb(error.__traceback__)[1:])  # without this file's own
    print(f"[ERROR] {type(error).__name__}: {error}", *frames, sep="\n", flush=True)
    return json.dumps({"errorType": type(error).__name__, "errorMessage": str(error), "stackTrace": frames})


try:
    handler = pkgutil.resolve_name(":".join(os.environ["_HANDLER"].replace("/", ".").rsplit(".", 1)))
except Exception as error:
    call("POST", "init/error", describe(error))
    raise SystemExit(1) from None
context = SimpleNamespace(**{k[11:].lower(): v for k, v in os.environ.items() if k.startswith("AWS_LAMBDA_")})
context.memory_limit_in_mb = context.function_memory_size
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
