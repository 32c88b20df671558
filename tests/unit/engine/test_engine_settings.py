"""The source of the model's key, and the retryability of failures to read it."""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from readdo.engine import settings
from readdo.errors import StepFailed


@pytest.fixture(autouse=True)
def no_cached_key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MODEL_KEY_PARAMETER", "/readdo/model-key")
    settings._stored_key.cache_clear()
    yield
    settings._stored_key.cache_clear()


def refused(code: str, status: int) -> ClientError:
    answer: Any = {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, "GetParameter")


@pytest.mark.parametrize(
    ("error", "retryable"),
    [
        (refused("ThrottlingException", 400), True),
        (refused("InternalServerError", 500), True),
        (EndpointConnectionError(endpoint_url="https://ssm"), True),
        (refused("ParameterNotFound", 400), False),
        (refused("AccessDeniedException", 400), False),
    ],
)
def test_failure_to_read_the_key_is_retryable_only_if_a_retry_may_help(
    monkeypatch: pytest.MonkeyPatch, error: Exception, retryable: bool
) -> None:
    def fail(**_: Any) -> Any:
        raise error

    monkeypatch.setattr(settings, "client", lambda _: SimpleNamespace(get_parameter=fail))
    with pytest.raises(StepFailed) as failed:
        settings._key()
    assert failed.value.retryable is retryable
    assert ("make key" in str(failed.value)) is not retryable
