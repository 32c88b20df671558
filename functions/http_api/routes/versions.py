"""Versions of what a run made: a user's own, the system's again, and any of the old ones."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.read import item_edits
from readdo.store import artifacts, keys
from readdo.web.body_validation import parse_payload
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from routes.item_actions import carry_out
from routes.request_context import RequestContext, empty, living_item, reply

router = APIGatewayHttpRouter()


@router.put("/items/<given>/artifacts/<kind>")
def put_artifact(given: str, kind: str) -> Response[str]:
    asked = RequestContext(router)
    payload = parse_payload(asked.text)
    build = item_edits.edit(asked.table, _editable(kind), payload, asked.if_match(of_item=False))
    request = {"type": kind, "payload": payload}
    return reply(201, carry_out(asked, given, "edit", request, build, key=asked.key()))


@router.delete("/items/<given>/artifacts/<kind>/user")
def delete_user_versions(given: str, kind: str) -> Response[str]:
    asked = RequestContext(router)
    carry_out(asked, given, "unedit", {"type": kind}, item_edits.unedit(_editable(kind)), key=asked.key())
    return empty()


@router.get("/items/<given>/artifacts/<kind>/<number>")
def get_version(given: str, kind: str, number: str) -> Response[str]:
    asked = RequestContext(router)
    item = living_item(asked.table, keys.item(asked.owner, item_id(given)))
    known = kind in artifacts.KINDS and number.isascii() and number.isdigit() and len(number) < 10
    found = artifacts.of_version(asked.table, asked.owner, item["id"], kind, int(number)) if known else None
    if found is None:
        raise not_found("version")
    return reply(200, {"artifact": found})


def _editable(kind: str) -> str:
    if kind not in item_edits.EDITABLE:
        raise not_found(f"artifact to edit (there are {', '.join(item_edits.EDITABLE)})")
    return kind
