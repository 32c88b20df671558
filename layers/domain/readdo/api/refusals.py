"""The exceptions of all desks as errors of the API.

A new desk with exceptions of its own adds its module here.
"""

from readdo.collect import errors as collect_errors
from readdo.do import errors as do_errors
from readdo.integrations import errors as integrations_errors
from readdo.proof import errors as proof_errors
from readdo.read import errors as read_errors
from readdo.transfer import errors as transfer_errors
from readdo.web import errors
from readdo.web.errors import ApiError

REFUSALS = {
    **read_errors.REFUSALS,
    **do_errors.REFUSALS,
    **proof_errors.REFUSALS,
    **collect_errors.REFUSALS,
    **transfer_errors.REFUSALS,
    **integrations_errors.REFUSALS,
}


def to_api_error(error: Exception) -> ApiError | None:
    return errors.to_api_error(error, REFUSALS)
