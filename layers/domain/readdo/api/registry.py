"""The calls of the API. A new desk adds its modules here."""

from functools import cache
from importlib import import_module

from readdo.account import endpoints as account_endpoints
from readdo.collect import endpoints as collect_endpoints
from readdo.do import endpoints as do_endpoints
from readdo.integrations import endpoints as integrations_endpoints
from readdo.proof import endpoints as proof_endpoints
from readdo.read import endpoints as read_endpoints
from readdo.transfer import endpoints as transfer_endpoints
from readdo.web.errors import ApiError
from readdo.web.request_body import AnyJson, Body

CALLS = (
    *read_endpoints.CALLS,
    *do_endpoints.CALLS,
    *proof_endpoints.CALLS,
    *collect_endpoints.CALLS,
    *transfer_endpoints.CALLS,
    *account_endpoints.CALLS,
    *integrations_endpoints.CALLS,
)
# Modules with request models. They are imported for the API's description; a route imports its own.
_REQUESTS = (
    "web.request_body",
    "read.requests",
    "do.requests",
    "proof.requests",
    "collect.requests",
    "transfer.requests",
    "account.requests",
    "integrations.requests",
)


@cache
def request_models() -> dict[str, type[Body] | type[AnyJson]]:
    return {
        name: model
        for module in _REQUESTS
        for name, model in vars(import_module(f"readdo.{module}")).items()
        if isinstance(model, type) and issubclass(model, Body | AnyJson)
    }


def to_api_error(error: Exception) -> ApiError | None:
    """The API error of an exception. None for an unexpected one."""
    # Most processes never see an error, and the desks' exceptions import much of the domain.
    from readdo.api import refusals  # noqa: PLC0415

    return refusals.to_api_error(error)
