"""The stage as it is opened: a world whose every call is watched, a model, a site, and our own time."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace
from typing import Any

import boto3
from fault_calls import watched
from fault_site import site
from fault_stage import Stage
from moto.stepfunctions.parser.asl.component.common.retry import retrier_decl
from moto.stepfunctions.parser.asl.component.state.exec.state_task import lambda_eval_utils

from flow.scripted_model import good
from readdo import clock, files, runtime
from readdo.store import due
from support.model_server import Asked, Behaviour, model_server
from support.moto import moto_world

KEY_PARAMETER = "/readdo/model-key"


@contextmanager
def _instead(of: Any, name: str, with_: Any) -> Iterator[None]:
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

    def answer(asked: Asked) -> Any:
        return (script.pop() if script else good)(asked)

    with ExitStack() as held:
        made = held.enter_context(moto_world())
        model, page = held.enter_context(model_server(answer)), held.enter_context(site())
        found = Stage(made, model, page, visits, script)
        os.environ |= {
            "MODEL_NAME": "served-model",
            "MODEL_BASE_URL": model.url,
            "MODEL_KEY_PARAMETER": KEY_PARAMETER,
            "DAILY_TOKENS": "900000",
            "READDO_ALLOW_LOOPBACK": "1",
        }
        boto3.client("ssm").put_parameter(Name=KEY_PARAMETER, Value="sk-none-of-yours", Type="SecureString")
        held.enter_context(watched(found.through, visits))
        held.enter_context(_instead(files, "INLINE_BYTES", files.INLINE_BYTES))
        held.enter_context(_instead(clock, "now", found.now))
        # Which of the eight parts of what is due a sweep looks at first, and in which a row lies, is chance: here it
        # is not, so that a call has the same number whenever the same story is played.
        held.enter_context(_instead(due, "secrets", SimpleNamespace(randbelow=lambda _: 0)))
        held.enter_context(_instead(due, "due_shard", lambda _: "3"))
        # The workflow's waits before a retry are not what is tested.
        # As the template has it; moto's CloudFormation does not.
        versioned = {"Status": "Enabled"}
        runtime.client("s3").put_bucket_versioning(Bucket=found.bucket, VersioningConfiguration=versioned)
        rooms = boto3.client("lambda")  # one, not a new one for each state
        held.enter_context(_instead(lambda_eval_utils, "boto_client_for", lambda **_: rooms))
        held.enter_context(_instead(retrier_decl, "time", SimpleNamespace(sleep=lambda _: None)))
        yield found
