"""Expand a schedule. The function of our own worker reads the page: it has the libraries for it."""

from typing import Any

from readdo.collect.field_checks import is_web_address
from readdo.invocations import call_function
from readdo.web.errors import invalid


def expand_schedule(schedule_url: str) -> dict[str, Any]:
    if not is_web_address(schedule_url):
        problem = "must be an address that begins with http:// or https://"
        raise invalid(f"schedule_url {problem}.", {"schedule_url": problem})
    answer = call_function("COLLECT_WORK_ARN", {"schedule_url": schedule_url})
    problem = "It could not be read now. Try again later." if answer is None else str(answer.get("problem", ""))
    if answer is None or problem:
        raise invalid(f"The schedule was not read. {problem}", {"schedule_url": problem})
    return {"document_list": answer["document_list"]}
