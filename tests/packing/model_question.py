"""Script for a function's own packages: both model providers try to reach a closed port."""

import os
import time

from readdo.engine.providers.bedrock import Bedrock
from readdo.engine.providers.openai_server import ModelSettings, OpenAIServer
from readdo.engine.providers.provider_protocol import Question
from readdo.errors import StepFailed

NOBODY = "http://127.0.0.1:9"
os.environ |= {"AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x", "AWS_DEFAULT_REGION": "eu-central-1"}
os.environ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"] = NOBODY
QUESTION = Question("score", "system", "user", {"type": "object", "properties": {}, "required": []}, 100)

for api in ("chat", "responses"):
    server = OpenAIServer(ModelSettings("a-model", f"{NOBODY}/v1", api, lambda: "key"))
    try:
        server.ask(QUESTION, time.monotonic() + 5)
    except StepFailed as failed:
        assert "cannot be reached" in failed.message, failed
    else:
        raise AssertionError("nobody answered")

try:
    Bedrock("a-model").ask(QUESTION, time.monotonic() + 5)
except StepFailed as failed:
    assert "cannot be reached" in failed.message, failed
else:
    raise AssertionError("nobody answered")
