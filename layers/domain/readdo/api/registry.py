"""The API of all desks: calls, request models and errors. A new desk adds its modules here."""

from readdo.account import endpoints as account_endpoints
from readdo.account import requests as account_requests
from readdo.collect import endpoints as collect_endpoints
from readdo.collect import errors as collect_errors
from readdo.collect import requests as collect_requests
from readdo.do import endpoints as do_endpoints
from readdo.do import errors as do_errors
from readdo.do import requests as do_requests
from readdo.integrations import endpoints as integrations_endpoints
from readdo.integrations import errors as integrations_errors
from readdo.integrations import requests as integrations_requests
from readdo.proof import endpoints as proof_endpoints
from readdo.proof import errors as proof_errors
from readdo.proof import requests as proof_requests
from readdo.read import endpoints as read_endpoints
from readdo.read import errors as read_errors
from readdo.read import requests as read_requests
from readdo.transfer import endpoints as transfer_endpoints
from readdo.transfer import errors as transfer_errors
from readdo.transfer import requests as transfer_requests
from readdo.web import errors, request_body
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
_REQUESTS = (
    request_body,
    read_requests,
    do_requests,
    proof_requests,
    collect_requests,
    transfer_requests,
    account_requests,
    integrations_requests,
)
REQUEST_MODELS: dict[str, type[Body] | type[AnyJson]] = {
    name: model
    for module in _REQUESTS
    for name, model in vars(module).items()
    if isinstance(model, type) and issubclass(model, Body | AnyJson)
}
REFUSALS = {
    **read_errors.REFUSALS,
    **do_errors.REFUSALS,
    **proof_errors.REFUSALS,
    **collect_errors.REFUSALS,
    **transfer_errors.REFUSALS,
    **integrations_errors.REFUSALS,
}


def to_api_error(error: Exception) -> ApiError | None:
    """The API error of an exception. None for an unexpected one."""
    return errors.to_api_error(error, REFUSALS)
