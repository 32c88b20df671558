"""What an error's answer must be, whatever was sent."""

from typing import Any

ANSWER_MAX = 6_000_000  # Lambda's limit for an answer; what is larger reaches the caller as a 500


def told(answer: Any, status: int, code: str) -> dict[str, Any]:
    assert (answer.status, set(answer.json)) == (status, {"error"}), answer.text[:300]
    error = answer.json["error"]
    assert set(error) == {"code", "message", "details"}
    assert (error["code"], bool(error["message"])) == (code, True)
    assert len(answer.text.encode()) < ANSWER_MAX
    return dict(error)


def fields(error: dict[str, Any]) -> set[str]:
    return {field["field"] for field in error["details"].get("fields", [])}
