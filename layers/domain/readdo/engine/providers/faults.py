"""Everything that can go wrong with a model, as one table: which code it has, and what is done about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from readdo import errors
from readdo.engine.providers.provider_protocol import Completion

WHO_MAX = 90
_SAID_MAX = 4000
_DEBUG_MAX = 200


@dataclass(frozen=True)
class Fault:
    code: str
    retryable: bool  # a later run may fare better
    outage: bool  # it tells on the provider's health
    soon: bool  # worth another try within the same step
    words: str


# fmt: off
FAULTS: Mapping[str, Fault] = {
    #                    code                 retryable outage soon
    "slow":        Fault("AI_TIMEOUT",        True,  True,  False, "{who} did not answer in time. If it stays slow, choose a faster model."),  # noqa: E501
    "no_time":     Fault("AI_TIMEOUT",        True,  False, False, "There was no time left to ask {who}. Try again; if it happens often, choose a faster model."),  # noqa: E501
    "late":        Fault("AI_TIMEOUT",        True,  True,  False, "{who} gave up because the request took too long (HTTP 408). Try again later."),  # noqa: E501
    "unreachable": Fault("AI_PROVIDER_ERROR", True,  True,  False, "{who} cannot be reached. Check that it runs and that the model's address is right."),  # noqa: E501
    "insecure":    Fault("AI_PROVIDER_ERROR", False, False, False, "The connection to {who} is not secure: its certificate is not right. Check the model's address."),  # noqa: E501
    "address":     Fault("AI_PROVIDER_ERROR", False, False, False, "The address of {who} cannot be read. It must begin with http:// or https://."),  # noqa: E501
    "missing":     Fault("AI_PROVIDER_ERROR", False, False, False, "The library that talks to {who} is not installed here. Deploy again with the ai layer."),  # noqa: E501
    "busy":        Fault("AI_RATE_LIMITED",   True,  True,  True,  "{who} is asked too often just now (HTTP 429). It is asked again later."),  # noqa: E501
    "quota":       Fault("AI_RATE_LIMITED",   False, False, False, "The account's quota for {who} is used up. Check its plan and billing, then retry."),  # noqa: E501
    "broken":      Fault("AI_PROVIDER_ERROR", True,  True,  True,  "{who} has a fault of its own. Try again later."),
    "garbled":     Fault("AI_PROVIDER_ERROR", True,  True,  False, "{who} sent something that is no answer. Check that the model's address is that of an API; if it is, try again later."),  # noqa: E501
    "refused":     Fault("AI_PROVIDER_ERROR", False, False, False, "{who} does not accept the request. Check the model's settings, or choose another model."),  # noqa: E501
    "key":         Fault("AI_PROVIDER_ERROR", False, False, False, "{who} does not accept the key, or none is set. Set the right key, then retry."),  # noqa: E501
    "unpaid":      Fault("AI_PROVIDER_ERROR", False, False, False, "{who} asks for payment (HTTP 402). Check the account's credit, then retry."),  # noqa: E501
    "forbidden":   Fault("AI_PROVIDER_ERROR", False, False, False, "{who} may not be used with these rights. Ask for access to the model, or choose another."),  # noqa: E501
    "absent":      Fault("AI_PROVIDER_ERROR", False, False, False, "{who} is not there (HTTP 404). Check the model's name and address."),  # noqa: E501
    "large":       Fault("AI_PROVIDER_ERROR", False, False, False, "The text is too long for {who}. Choose a model that takes more, or paste a shorter text."),  # noqa: E501
    "moved":       Fault("AI_PROVIDER_ERROR", False, False, False, "{who} sends on to another address, where the key is not sent. Set the model's address to the new one."),  # noqa: E501
    "filtered":    Fault("AI_PROVIDER_ERROR", False, False, False, "The content filter of {who} stopped the answer. Choose another model for this item."),  # noqa: E501
    "declined":    Fault("AI_SCHEMA_INVALID", False, False, False, "{who} declined to answer about this text. Choose another model for this item."),  # noqa: E501
    "empty":       Fault("AI_PARSE_ERROR",    True,  False, False, "{who} answered nothing. Try again."),
    "cut":         Fault("AI_PARSE_ERROR",    True,  False, False, "The answer of {who} was cut off, even with more room. Try again, or choose another model."),  # noqa: E501
    "not_json":    Fault("AI_PARSE_ERROR",    True,  False, False, "The answer of {who} was not in the form that was asked for, twice. Try again, or choose another model."),  # noqa: E501
    "wrong_form":  Fault("AI_SCHEMA_INVALID", True,  False, False, "The answer of {who} broke the rules for this step, twice. Try again, or choose another model."),  # noqa: E501
}
# fmt: on

_BEFORE_IT_WAS_ASKED = {"no_time", "missing", "address"}
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
    """Of the same name on purpose: the workflow knows an error by it. What is added here lives within the step."""

    kind: str = ""
    soon: bool = False
    outage: bool = False
    said: str = ""  # the server's own words, in lower case: for us to look at, never to show (they may quote the text)
    retry_after: float | None = None  # seconds, if the server named a time
    answers: tuple[Completion, ...] = ()  # what was answered and must be paid for all the same


def failed(
    kind: str,
    who: str,
    *,
    debug: str = "",
    said: str = "",
    retry_after: float | None = None,
    answers: tuple[Completion, ...] = (),
) -> StepFailed:
    fault = FAULTS[kind]
    words = fault.words.format(who=who[:WHO_MAX])
    debug += f", it named {retry_after:.0f} s" if retry_after else ""
    made = StepFailed(fault.code, words, retryable=fault.retryable, debug=f"{kind}: {debug}"[:_DEBUG_MAX])
    made.kind, made.soon, made.outage = kind, fault.soon, fault.outage
    made.said, made.retry_after, made.answers = said[:_SAID_MAX].lower(), retry_after, answers
    return made


def kind_of(status: int) -> str:
    """By the number alone."""
    if status >= 500:
        return "broken"
    if 300 <= status < 400:
        return "moved"
    return _BY_STATUS.get(status, "refused") if status >= 400 else "garbled"


def is_outage(failure: errors.StepFailed) -> bool:
    """Whether it speaks of the provider's health, and not of our request, its answer or the account."""
    return isinstance(failure, StepFailed) and failure.outage


def was_asked(failure: errors.StepFailed) -> bool:
    """Whether the provider had a chance to answer: what failed on our side before that says nothing of its health."""
    return isinstance(failure, StepFailed) and failure.kind not in _BEFORE_IT_WAS_ASKED
