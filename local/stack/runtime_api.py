"""Protect the Lambda Runtime API from other users of this machine.

The emulator serves it without authentication, on one port per function process: any user could poll events, which
contain tokens. Each process gets a token for its own port in its environment.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import Any

_SECRET = secrets.token_bytes(32)
HEADER, VARIABLE = "X-Runtime-Token", "READDO_RUNTIME_TOKEN"


def token_of(port: int) -> str:
    return hmac.new(_SECRET, str(port).encode(), hashlib.sha256).hexdigest()


def require_token(lambda_runtime: Any, lambda_svc: Any) -> None:
    build_handler, build_environment = (
        lambda_runtime.ProvidedWorker._build_handler_class,
        lambda_svc._provided_worker_env,
    )

    def build_closed_handler(worker: Any, generation: int, pending: Any) -> Any:
        class ClosedHandler(build_handler(worker, generation, pending)):  # type: ignore[misc]  # a class of the emulator
            def parse_request(self) -> bool:
                if not super().parse_request():
                    return False
                token = self.headers.get(HEADER, "").encode("latin-1", "replace")
                if hmac.compare_digest(token, token_of(self.server.server_address[1]).encode()):
                    return True
                self.send_error(403)
                return False

        return ClosedHandler

    def environment_with_token(config: Mapping[str, Any], code_dir: str, port: int) -> dict[str, str]:
        return {**build_environment(config, code_dir, port), VARIABLE: token_of(port)}

    lambda_runtime.ProvidedWorker._build_handler_class = build_closed_handler
    lambda_svc._provided_worker_env = environment_with_token
