"""Request models of webhooks."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from readdo.net import target
from readdo.web.request_body import Body

Event = Literal[
    "CAPTURED",
    "QUEUED",
    "PROCESSING",
    "READY",
    "FAILED_EXTRACTION",
    "FAILED_AI",
    "FAILED_EXPORT",
    "SHIPPED",
    "ARCHIVED",
    "DELETED",
    "FAILED_*",
    "JOB_QUEUED",
    "JOB_RUNNING",
    "JOB_PAUSED",
    "JOB_DONE",
    "JOB_ERROR",
    "JOB_CANCELLED",
    "*",
]


def _check_receiver(value: str) -> str:
    if problem := target.find_problem(value, loopback=target.loopback_allowed()):
        raise ValueError(problem)
    return value


Receiver = Annotated[
    str,
    Field(max_length=target.URL_MAX, description="The receiver: an https URL on the public internet."),
    AfterValidator(_check_receiver),
]
Events = Annotated[
    list[Event],
    Field(
        min_length=1,
        max_length=18,
        description="States that trigger a delivery; DELETED; `FAILED_*` for all failures; `JOB_…` for proof jobs; "
        "`*` for everything.",
    ),
]


class NewWebhook(Body):
    url: Receiver
    events: Events = ["*"]


class WebhookPatch(Body):
    """Missing fields stay as they are."""

    url: Receiver = ""
    events: Events = ["*"]
    paused: Annotated[bool, Field(description="true: pause deliveries; false: resume them.")] = False

    @model_validator(mode="after")
    def _check_not_empty(self) -> "WebhookPatch":
        if not self.model_fields_set:
            raise ValueError(f"Send at least one of {', '.join(type(self).model_fields)}.")
        return self
