"""readdo restore: upload without the token, wait, and report each item that failed."""

import hashlib
import json
from pathlib import Path
from typing import Any

from .conftest import User, error_of
from .product import Product
from .server import Server
from .wire import Reply, Request

ID = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD"
BODY = b"PK and more"


def serve_restore(product: Product, waits: int = 0, **more: Any) -> list[Request]:
    uploads: list[Request] = []
    counts = {"restored": 2, "known": 1, "refused": 0, "told": []}
    looks = iter(range(waits))

    def respond(*_: Any) -> Reply:
        running = next(looks, None) is not None
        restore = {"id": ID, **counts, "status": "RUNNING" if running else "DONE", **({} if running else more)}
        return Reply(202 if running else 200, {"restore": restore})

    def offer(request: Request) -> Reply:
        headers = {"Content-Type": "application/zip", "Content-Length": str(request.body["size"])}
        upload = {"method": "PUT", "url": f"{product.home}/blob/up.zip?signed=yes", "headers": headers}
        return Reply(201, {"restore": {"id": ID, "status": "WAITING", **counts}, "upload": upload})

    def take(request: Request, _name: str) -> Reply:
        uploads.append(request)
        return Reply(200, {})

    product.more = [
        ("POST", "/restore", offer),
        ("PUT", "/blob/(.+)", take),
        ("POST", f"/restores/{ID}/start", respond),
        ("GET", f"/restores/{ID}", respond),
    ]
    return uploads


def test_restore_uploads_and_prints_the_result(user: User, product: Product, server: Server) -> None:
    uploads = serve_restore(product, waits=2)
    Path("all.zip").write_bytes(BODY)
    result = user.run("restore", "all.zip")
    assert (result.exit_code, result.stdout) == (0, "Restored 2, 1 already existed, 0 failed.\n")
    assert [(request.raw, request.headers.get("Authorization")) for request in uploads] == [(BODY, None)]
    (offer,) = server.calls("POST", "/restore")[:1]
    assert offer.body == {"size": len(BODY), "sha256": hashlib.sha256(BODY).hexdigest()}


def test_restore_prints_the_reason_of_each_failed_item(user: User, product: Product) -> None:
    messages = [{"item": ID, "message": "Not restored: its full text is missing."}]
    serve_restore(product, refused=1, told=messages)
    Path("all.zip").write_bytes(BODY)
    result = user.run("restore", "all.zip")
    assert result.exit_code != 0
    assert "its full text is missing" in result.stderr.replace("\n", " ")


def test_restore_prints_the_failure_of_an_invalid_file(user: User, product: Product) -> None:
    serve_restore(
        product, status="FAILED", failure={"error_code": "RESTORE_FAILED", "message": "The file is no backup."}
    )
    Path("all.zip").write_bytes(BODY)
    result = user.run("restore", "all.zip", "--json")
    assert error_of(result)["message"] == "The file is no backup."
    assert json.loads(result.stdout)["restore"]["status"] == "FAILED"


def test_empty_or_missing_backup_is_not_uploaded(user: User, product: Product, server: Server) -> None:
    serve_restore(product)
    Path("all.zip").write_bytes(b"")
    assert user.run("restore", "all.zip").exit_code != 0
    assert user.run("restore", "nowhere.zip").exit_code == 2
    assert server.requests == []
