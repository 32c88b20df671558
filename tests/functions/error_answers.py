"""Check the form of error responses."""

from typing import Any

ANSWER_MAX = 6_000_000  # Lambda's limit for a response; the caller gets a 500 for a larger one


def assert_error(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert (answer.status, set(answer.json)) == (status, {"error"}), answer.text[:300]
    error = answer.json["error"]
    assert set(error) == {"code", "message", "details"}
    assert (error["code"], bool(error["message"])) == (code, True)
    assert len(answer.text.encode()) < ANSWER_MAX
    return dict(error)


def error_fields(error: dict[str, Any]) -> set[str]:
    return {field["field"] for field in error["details"].get("fields", [])}
