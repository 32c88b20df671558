"""Apply one action to several items with the batch call."""

from collections.abc import Mapping
from typing import Any

from terminal import api, item_moves
from terminal.failures import FAILED, MISSING, REFUSED, UNAUTHORISED, CommandFailure
from terminal.session import Session, put_json
from terminal.text import clean_json

AT_ONCE = 100
_EXIT = {"NOT_FOUND": MISSING, "FORBIDDEN": UNAUTHORISED, "UNAUTHENTICATED": UNAUTHORISED}
_REFUSED = ("STATE_CONFLICT", "PROCESSING_IN_PROGRESS", "VERSION_MISMATCH", "IDEMPOTENCY_KEY_REUSED")


def make(session: Session, ids: list[str], action: str, options: Mapping[str, Any]) -> int:
    """Apply the action to each item. The batch call takes no options, so options need one call per item."""
    results: list[dict[str, Any]] = []
    if options:
        results = [_post_one(session, item_id, action, options) for item_id in ids]
    else:
        for start in range(0, len(ids), AT_ONCE):
            results += _post_batch(session, ids[start : start + AT_ONCE], action)
    if session.json:
        put_json({"results": results})
    else:
        item_moves.tell_many(session, clean_json(results))
    return _common_exit_code([result for result in results if not result.get("ok")])


def _post_batch(session: Session, ids: list[str], action: str) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = session.api.post("/items/batch", {"ids": ids, "action": action}).raw["results"]
    return results


def _post_one(session: Session, item_id: str, action: str, options: Mapping[str, Any]) -> dict[str, Any]:
    try:
        response = session.api.post(api.item(item_id, action), options)
    except CommandFailure as failure:
        if failure.exit_code not in (MISSING, REFUSED):
            raise
        return {"id": item_id, "ok": False, "error": failure.error}
    return {"id": item_id, "ok": True, **response.raw}


def _common_exit_code(failed: list[dict[str, Any]]) -> int:
    """Return the exit code that all failures share, or FAILED if they differ."""
    codes = {_exit_code_of((result.get("error") or {}).get("code", "")) for result in failed}
    return 0 if not codes else codes.pop() if len(codes) == 1 else FAILED


def _exit_code_of(code: str) -> int:
    refused = code in _REFUSED or code.endswith("_NOT_ALLOWED")
    return _EXIT.get(code, REFUSED if refused else FAILED)
