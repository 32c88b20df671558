"""The same move for several items: one item by its own call, more of them by the call for many."""

from collections.abc import Mapping
from typing import Any

from terminal import api, item_moves
from terminal.failures import FAILED, MISSING, REFUSED, UNAUTHORISED, CommandFailure
from terminal.session import Session, put_json
from terminal.text import cleaned

AT_ONCE = 100
_EXIT = {"NOT_FOUND": MISSING, "FORBIDDEN": UNAUTHORISED, "UNAUTHENTICATED": UNAUTHORISED}
_REFUSED = ("STATE_CONFLICT", "PROCESSING_IN_PROGRESS", "VERSION_MISMATCH", "IDEMPOTENCY_KEY_REUSED")


def make(session: Session, ids: list[str], action: str, options: Mapping[str, Any]) -> int:
    """A wish beside the action (a reason, say) goes with each item's own call: the call for many takes none."""
    results: list[dict[str, Any]] = []
    if options:
        results = [_by_itself(session, item_id, action, options) for item_id in ids]
    else:
        for start in range(0, len(ids), AT_ONCE):
            results += _at_once(session, ids[start : start + AT_ONCE], action)
    if session.json:
        put_json({"results": results})
    else:
        item_moves.tell_many(session, cleaned(results))
    return _code([result for result in results if not result.get("ok")])


def _at_once(session: Session, ids: list[str], action: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = session.api.post("/items/batch", {"ids": ids, "action": action}).raw["results"]
    return found


def _by_itself(session: Session, item_id: str, action: str, options: Mapping[str, Any]) -> dict[str, Any]:
    try:
        answer = session.api.post(api.item(item_id, action), options)
    except CommandFailure as failure:
        if failure.exit_code not in (MISSING, REFUSED):
            raise
        return {"id": item_id, "ok": False, "error": failure.error}
    return {"id": item_id, "ok": True, **answer.raw}


def _code(failed: list[dict[str, Any]]) -> int:
    """What all that failed have in common; else just that something failed."""
    codes = {_one((result.get("error") or {}).get("code", "")) for result in failed}
    return 0 if not codes else codes.pop() if len(codes) == 1 else FAILED


def _one(code: str) -> int:
    refused = code in _REFUSED or code.endswith("_NOT_ALLOWED")
    return _EXIT.get(code, REFUSED if refused else FAILED)
