"""A backup brought back: sent without our token, waited for, and told what became of each."""

import hashlib
import json
from pathlib import Path
from typing import Any

from .conftest import Person, error_of
from .product import Product
from .server import Server
from .wire import Asked, Reply

ID = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD"
BODY = b"PK and more"


def serves(product: Product, waits: int = 0, **more: Any) -> list[Asked]:
    sent: list[Asked] = []
    counts = {"restored": 2, "known": 1, "refused": 0, "told": []}
    looks = iter(range(waits))

    def stands(*_: Any) -> Reply:
        running = next(looks, None) is not None
        told = {"id": ID, **counts, "status": "RUNNING" if running else "DONE", **({} if running else more)}
        return Reply(202 if running else 200, {"restore": told})

    def offer(asked: Asked) -> Reply:
        headers = {"Content-Type": "application/zip", "Content-Length": str(asked.body["size"])}
        upload = {"method": "PUT", "url": f"{product.home}/blob/up.zip?signed=yes", "headers": headers}
        return Reply(201, {"restore": {"id": ID, "status": "WAITING", **counts}, "upload": upload})

    def take(asked: Asked, _name: str) -> Reply:
        sent.append(asked)
        return Reply(200, {})

    product.more = [
        ("POST", "/restore", offer),
        ("PUT", "/blob/(.+)", take),
        ("POST", f"/restores/{ID}/start", stands),
        ("GET", f"/restores/{ID}", stands),
    ]
    return sent


def test_the_file_is_sent_and_its_end_told(person: Person, product: Product, server: Server) -> None:
    sent = serves(product, waits=2)
    Path("all.zip").write_bytes(BODY)
    result = person.run("restore", "all.zip")
    assert (result.exit_code, result.stdout) == (0, "2 brought back, 1 were there already, 0 were not.\n")
    assert [(asked.raw, asked.headers.get("Authorization")) for asked in sent] == [(BODY, None)]
    (said,) = server.calls("POST", "/restore")[:1]
    assert said.body == {"size": len(BODY), "sha256": hashlib.sha256(BODY).hexdigest()}


def test_what_was_not_brought_back_is_told_with_its_reason(person: Person, product: Product) -> None:
    told = [{"item": ID, "message": "It was not brought back: its text is missing."}]
    serves(product, refused=1, told=told)
    Path("all.zip").write_bytes(BODY)
    result = person.run("restore", "all.zip")
    assert result.exit_code != 0
    assert "its text is missing" in result.stderr.replace("\n", " ")


def test_a_file_that_is_no_backup_says_so(person: Person, product: Product) -> None:
    serves(product, status="FAILED", failure={"error_code": "RESTORE_FAILED", "message": "The file is no backup."})
    Path("all.zip").write_bytes(BODY)
    result = person.run("restore", "all.zip", "--json")
    assert error_of(result)["message"] == "The file is no backup."
    assert json.loads(result.stdout)["restore"]["status"] == "FAILED"


def test_an_empty_file_and_none_at_all_are_refused_here(person: Person, product: Product, server: Server) -> None:
    serves(product)
    Path("all.zip").write_bytes(b"")
    assert person.run("restore", "all.zip").exit_code != 0
    assert person.run("restore", "nowhere.zip").exit_code == 2
    assert server.asked == []
