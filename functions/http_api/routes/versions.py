"""Routes for artifact versions: edit, restore the original, read an old version."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.read import artifacts, item_edits, item_keys
from readdo.web.errors import not_found
from readdo.web.path_params import item_id
from readdo.web.request_body import parse_payload
from routes.item_actions import carry_out
from routes.request_context import RequestContext, empty, living_item, reply

router = APIGatewayHttpRouter()


@router.put("/items/<raw_id>/artifacts/<kind>")
def put_artifact(raw_id: str, kind: str) -> Response[str]:
    context = RequestContext(router)
    payload = parse_payload(context.text)
    build = item_edits.edit(context.table, _editable(kind), payload, context.if_match(of_item=False))
    request = {"type": kind, "payload": payload}
    return reply(201, carry_out(context, raw_id, "edit", request, build, key=context.key()))


@router.delete("/items/<raw_id>/artifacts/<kind>/user")
def delete_user_versions(raw_id: str, kind: str) -> Response[str]:
    context = RequestContext(router)
    carry_out(context, raw_id, "unedit", {"type": kind}, item_edits.unedit(_editable(kind)), key=context.key())
    return empty()


@router.get("/items/<raw_id>/artifacts/<kind>/<number>")
def get_version(raw_id: str, kind: str, number: str) -> Response[str]:
    context = RequestContext(router)
    item = living_item(context.table, item_keys.item(context.owner, item_id(raw_id)))
    is_valid = kind in artifacts.KINDS and number.isascii() and number.isdigit() and len(number) < 10
    artifact = artifacts.of_version(context.table, context.owner, item["id"], kind, int(number)) if is_valid else None
    if artifact is None:
        raise not_found("version")
    return reply(200, {"artifact": artifact})


def _editable(kind: str) -> str:
    if kind not in item_edits.EDITABLE:
        raise not_found(f"artifact to edit (there are {', '.join(item_edits.EDITABLE)})")
    return kind
