"""OpenAPI links: values of a response that are parameters of another call."""

from typing import Any

from readdo.api.registry import CALLS
from readdo.web.call_spec import Call

_ITEM = "$response.body#/item/id"
_IMPORT = "$response.body#/import/id"
_KEY = "$response.body#/export/payload/export_key"


def of_answer(call: Call, status: int) -> dict[str, Any]:
    if call.name == "capture":
        return {other.name: _to(other, {"id": _ITEM}) for other in CALLS if _needs_only_the_item(other)}
    if call.name == "exportItem" and call.answers[status]:
        (get_export,) = (other for other in CALLS if other.name == "getExport")
        return {get_export.name: _to(get_export, {"id": _ITEM, "export_key": _KEY})}
    if call.name == "importFile":
        return {other.name: _to(other, {"import_id": _IMPORT}) for other in CALLS if "{import_id}" in other.path}
    if call.name == "makeToken":
        (revoke,) = (other for other in CALLS if other.name == "revokeToken")
        return {revoke.name: _to(revoke, {"token_id": "$response.body#/token/id"})}
    return {}


def _needs_only_the_item(call: Call) -> bool:
    return call.path.startswith("/items/{id}") and call.path.count("{") == 1


def _to(call: Call, parameters: dict[str, str]) -> dict[str, Any]:
    return {"operationId": call.name, "parameters": parameters, "description": call.does}
