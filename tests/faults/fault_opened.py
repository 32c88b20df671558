"""Open the stage: a world whose calls are intercepted, a model, a site and a simulated clock."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import boto3
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils

from faults.fault_calls import watched
from faults.fault_site import site
from faults.fault_stage import Stage
from flow.scripted_model import scripted_answer
from readdo import clock, files, runtime
from readdo.store import due, keys
from support.model_server import Behaviour, ModelRequest, model_server
from support.moto import moto_world

KEY_PARAMETER = "/readdo/model-key"


@contextmanager
def _replace(of: Any, name: str, with_: Any) -> Iterator[None]:
    before = getattr(of, name)
    setattr(of, name, with_)
    try:
        yield
    finally:
        setattr(of, name, before)


@contextmanager
def stage() -> Iterator[Stage]:
    visits: Counter[str] = Counter()
    script: list[Behaviour] = []

    def answer(request: ModelRequest) -> Any:
        return (script.pop() if script else scripted_answer)(request)

    with ExitStack() as stack:
        world = stack.enter_context(moto_world())
        model, web_site = stack.enter_context(model_server(answer)), stack.enter_context(site())
        opened = Stage(world, model, web_site, visits, script)
        os.environ |= {
            "MODEL_NAME": "served-model",
            "MODEL_BASE_URL": model.url,
            "MODEL_KEY_PARAMETER": KEY_PARAMETER,
            "DAILY_TOKENS": "900000",
            "READDO_ALLOW_LOOPBACK": "1",
        }
        boto3.client("ssm").put_parameter(Name=KEY_PARAMETER, Value="sk-none-of-yours", Type="SecureString")
        stack.enter_context(watched(opened.through, visits))
        stack.enter_context(_replace(files, "INLINE_BYTES", files.INLINE_BYTES))
        stack.enter_context(_replace(clock, "now", opened.now))
        # A sweep starts at a random shard of the eight, and a row lies in a random shard. Both are fixed here, so that
        # a call has the same number in each run of a scenario.
        stack.enter_context(_replace(due, "secrets", SimpleNamespace(randbelow=lambda _: 0)))
        stack.enter_context(_replace(keys, "due_shard", lambda _: "3"))
        # Set by the template, but not by moto's CloudFormation.
        versioned = {"Status": "Enabled"}
        runtime.client("s3").put_bucket_versioning(Bucket=opened.bucket, VersioningConfiguration=versioned)
        rooms = boto3.client("lambda")  # one client, not a new one for each state
        stack.enter_context(_replace(lambda_eval_utils, "boto_client_for", lambda **_: rooms))
        stack.enter_context(_replace(retrier_decl, "time", SimpleNamespace(sleep=lambda _: None)))
        yield opened
