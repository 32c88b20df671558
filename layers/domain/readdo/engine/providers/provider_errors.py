"""Table of all provider errors: error code, message, and whether a retry may help."""

from collections.abc import Mapping
from dataclasses import dataclass

from readdo import errors
from readdo.engine.providers.provider_protocol import Completion
from readdo.messages import clip, message

WHO_MAX = 90
_SERVER_TEXT_MAX = 4000
_DEBUG_MAX = 200


@dataclass(frozen=True)
class Fault:
    code: str
    retryable: bool  # a later run may succeed
    outage: bool  # counts as a failure in the breaker
    soon: bool  # retried within the same step
    message_key: str


# fmt: off
FAULTS: Mapping[str, Fault] = {
    #                    code                 retryable outage soon
    "slow":        Fault("AI_TIMEOUT",        True,  True,  False, "provider.timeout"),
    "no_time":     Fault("AI_TIMEOUT",        True,  False, False, "provider.no_time_left"),
    "late":        Fault("AI_TIMEOUT",        True,  True,  False, "provider.http_408"),
    "unreachable": Fault("AI_PROVIDER_ERROR", True,  True,  False, "provider.unreachable"),
    "insecure":    Fault("AI_PROVIDER_ERROR", False, False, False, "provider.bad_certificate"),
    "address":     Fault("AI_PROVIDER_ERROR", False, False, False, "provider.bad_address"),
    "missing":     Fault("AI_PROVIDER_ERROR", False, False, False, "provider.library_missing"),
    "busy":        Fault("AI_RATE_LIMITED",   True,  True,  True,  "provider.rate_limited"),
    "quota":       Fault("AI_RATE_LIMITED",   False, False, False, "provider.quota_used_up"),
    "broken":      Fault("AI_PROVIDER_ERROR", True,  True,  True,  "provider.server_error"),
    "garbled":     Fault("AI_PROVIDER_ERROR", True,  True,  False, "provider.not_an_answer"),
    "refused":     Fault("AI_PROVIDER_ERROR", False, False, False, "provider.request_rejected"),
    "key":         Fault("AI_PROVIDER_ERROR", False, False, False, "provider.key_rejected"),
    "unpaid":      Fault("AI_PROVIDER_ERROR", False, False, False, "provider.payment_required"),
    "forbidden":   Fault("AI_PROVIDER_ERROR", False, False, False, "provider.no_access"),
    "absent":      Fault("AI_PROVIDER_ERROR", False, False, False, "provider.not_found"),
    "large":       Fault("AI_PROVIDER_ERROR", False, False, False, "provider.text_too_long"),
    "moved":       Fault("AI_PROVIDER_ERROR", False, False, False, "provider.redirected"),
    "filtered":    Fault("AI_PROVIDER_ERROR", False, False, False, "provider.content_filter"),
    "declined":    Fault("AI_SCHEMA_INVALID", False, False, False, "provider.declined"),
    "empty":       Fault("AI_PARSE_ERROR",    True,  False, False, "provider.empty_answer"),
    "cut":         Fault("AI_PARSE_ERROR",    True,  False, False, "provider.answer_cut_off"),
    "not_json":    Fault("AI_PARSE_ERROR",    True,  False, False, "provider.wrong_format"),
    "wrong_form":  Fault("AI_SCHEMA_INVALID", True,  False, False, "provider.rules_broken"),
}
# fmt: on

_NOT_SENT = {"no_time", "missing", "address"}
_BY_STATUS = {
    401: "key",
    402: "unpaid",
    403: "forbidden",
    404: "absent",
    408: "late",
    409: "broken",
    413: "large",
    424: "broken",  # Bedrock's word for a model that failed
    429: "busy",
}


class StepFailed(errors.StepFailed):
    """A StepFailed with details for use within the step. The workflow needs the same class name."""

    kind: str = ""
    soon: bool = False
    outage: bool = False
    server_text: str = ""  # the server's message in lower case; never shown or logged, as it may quote the text
    retry_after: float | None = None  # seconds, from the Retry-After header
    answers: tuple[Completion, ...] = ()  # responses received before the failure, which cost money


def failed(
    kind: str,
    who: str,
    *,
    debug: str = "",
    server_text: str = "",
    retry_after: float | None = None,
    answers: tuple[Completion, ...] = (),
) -> StepFailed:
    fault = FAULTS[kind]
    words = message(fault.message_key, who=clip(who, WHO_MAX))
    debug += f", it named {retry_after:.0f} s" if retry_after else ""
    failure = StepFailed(fault.code, words, retryable=fault.retryable, debug=f"{kind}: {debug}"[:_DEBUG_MAX])
    failure.kind, failure.soon, failure.outage = kind, fault.soon, fault.outage
    failure.server_text, failure.retry_after, failure.answers = (
        server_text[:_SERVER_TEXT_MAX].lower(),
        retry_after,
        answers,
    )
    return failure


def kind_of(status: int) -> str:
    """The fault for an HTTP status."""
    if status >= 500:
        return "broken"
    if 300 <= status < 400:
        return "moved"
    return _BY_STATUS.get(status, "refused") if status >= 400 else "garbled"


def is_outage(failure: errors.StepFailed) -> bool:
    """True if the provider is down, false if the request, the response or the account is the cause."""
    return isinstance(failure, StepFailed) and failure.outage


def was_sent(failure: errors.StepFailed) -> bool:
    """True if the request may have reached the provider. Earlier failures do not count in the breaker."""
    return isinstance(failure, StepFailed) and failure.kind not in _NOT_SENT
