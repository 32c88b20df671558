"""Which pages of other origins may call the API from a browser: those that the setting names, and none by default."""

from collections.abc import Mapping

from readdo.runtime import setting

_METHODS = "GET, POST, PUT, PATCH, DELETE"
_ASK = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match"
_TOLD = "ETag, Location"
_REMEMBERED_SECONDS = "600"


def allowed(headers: Mapping[str, str]) -> dict[str, str]:
    """What an answer to this request carries. The token is a header and never a cookie, so credentials stay off."""
    origin = headers.get("origin", "")
    known = [name.strip().rstrip("/") for name in setting("CORS_ORIGINS", "").split(",") if name.strip()]
    if not origin or not known:
        return {}
    if "*" in known:
        return {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": _TOLD}
    if origin not in known:
        return {"Vary": "Origin"}
    return {"Access-Control-Allow-Origin": origin, "Access-Control-Expose-Headers": _TOLD, "Vary": "Origin"}


def is_preflight(method: str, headers: Mapping[str, str]) -> bool:
    return method == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers


def preflight(headers: Mapping[str, str]) -> dict[str, str]:
    """A browser's question before the call, which carries no token."""
    found = allowed(headers)
    if "Access-Control-Allow-Origin" not in found:
        return found
    found |= {"Access-Control-Allow-Methods": _METHODS, "Access-Control-Allow-Headers": _ASK}
    return found | {"Access-Control-Max-Age": _REMEMBERED_SECONDS}
