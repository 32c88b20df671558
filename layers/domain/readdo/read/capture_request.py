"""Validated request of a capture."""

from dataclasses import dataclass

from readdo.store import idempotency

CAPTURE_ID, CAPTURE_KEY = "capture", "capture-key"


@dataclass(frozen=True)
class CaptureRequest:
    intent_text: str
    url: str = ""
    content: str = ""
    title: str = ""
    domain: str = ""
    source_type: str = "web"
    profile: str = "engineer"
    language: str = ""
    process: bool = True
    on_duplicate: str = "join"
    capture_id: str = ""
    idempotency_key: str = ""
    tags: tuple[str, ...] = ()
    saved_at: str = ""  # in the product from which it is imported

    @property
    def key(self) -> tuple[str, str] | None:
        """A `capture_id` names the item, so its first body wins. An idempotency key requires an equal body."""
        if self.capture_id:
            return CAPTURE_ID, self.capture_id
        return (CAPTURE_KEY, self.idempotency_key) if self.idempotency_key else None

    @property
    def fingerprint(self) -> str:
        if self.capture_id:
            return CAPTURE_ID
        return idempotency.fingerprint(idempotency.fingerprint_of(self, but=("idempotency_key",)))
