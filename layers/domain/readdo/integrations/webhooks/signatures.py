"""Secrets and signatures of deliveries. docs/api.md shows how a receiver verifies them."""

import hashlib
import hmac
import secrets

PREFIX = "rdw_"


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


def signature(secret: str, seconds: int, body: bytes) -> str:
    signed = hmac.new(secret.encode(), b"%d." % seconds + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={signed}"
