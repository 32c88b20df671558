"""readdo backup: one zip, or notes that keep the user's own text."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from .conftest import User, error_of
from .product import Product
from .server import DROP, Fault, Server
from .wire import Reply

ID, OTHER = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD", "01KA4ZC5H8N2P4S6T8V0W2X4Y6"


def note(status: str = "READY", text: str = "a summary", item: str = ID) -> bytes:
    front = f'---\nreaddo: "{item}"\ntitle: "Leases"\nstatus: "{status}"\ntags: ["queue"]\n---\n'
    return f"{front}<!-- readdo:begin {item} -->\n# Leases\n{text}\n<!-- readdo:end -->\n".encode()


def serve_backup(product: Product, notes: dict[str, bytes], waits: int = 0, **more: Any) -> bytes:
    """Serve a backup that is running for `waits` looks; return its zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("items.jsonl", "{}\n")
        for name, body in notes.items():
            archive.writestr(name if name.startswith("documents/") else f"notes/{name}", body)
    body = buffer.getvalue()
    backup: dict[str, Any] = {"id": ID, "created_at": "2026-11-19T10:00:00.000Z", "items": 3}
    done = {"status": "DONE", "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest(), **more}
    looks = iter(range(waits))

    def respond(*_: Any) -> Reply:
        running = next(looks, None) is not None
        return Reply(202 if running else 200, {"backup": backup | ({"status": "RUNNING"} if running else done)})

    product.blobs["backup.zip"] = body
    product.more = [
        ("GET", "/export-all", respond),
        ("GET", f"/backups/{ID}", respond),
        ("GET", f"/backups/{ID}/file", lambda _: Reply(302, {}, {"Location": f"{product.home}/blob/backup.zip"})),
    ]
    return body


def test_backup_saves_the_zip_under_its_date(user: User, product: Product, server: Server) -> None:
    body = serve_backup(product, {}, waits=3)
    result = user.run("backup")
    assert (result.exit_code, result.stdout) == (0, "readdo-backup-2026-11-19.zip\n")
    assert Path("readdo-backup-2026-11-19.zip").read_bytes() == body
    assert "3 items so far" in result.stderr
    assert len(server.calls("GET", "/export-all")) == 1
    assert [request.headers.get("Authorization") for request in server.calls("GET", "/blob/")] == [None]
    assert sorted(path.name for path in Path().iterdir()) == ["readdo-backup-2026-11-19.zip"]


def test_backup_accepts_a_file_name_and_fresh(user: User, product: Product, server: Server) -> None:
    body = serve_backup(product, {})
    assert user.run("backup", "kept/all.zip", "--fresh").exit_code == 0
    assert Path("kept/all.zip").read_bytes() == body
    assert server.calls("GET", "/export-all")[0].query == {"fresh": ["true"]}


def test_backup_overwrites_no_file(user: User, product: Product) -> None:
    serve_backup(product, {})
    Path("all.zip").write_bytes(b"mine")
    result = user.run("backup", "all.zip")
    assert result.exit_code != 0
    assert "already exists" in result.stderr
    assert Path("all.zip").read_bytes() == b"mine"


@pytest.mark.parametrize("wrong", [b"other bytes", b""])
def test_backup_discards_a_file_with_a_wrong_checksum(user: User, product: Product, wrong: bytes) -> None:
    serve_backup(product, {})
    product.blobs["backup.zip"] = wrong
    result = user.run("backup", "--json")
    assert error_of(result)["code"] == "CHECKSUM"
    assert list(Path().iterdir()) == []


def test_dropped_download_is_retried_with_a_new_link(user: User, product: Product, server: Server) -> None:
    body = serve_backup(product, {})
    server.faults.append(Fault(DROP, path="/blob/"))
    assert user.run("backup", "all.zip").exit_code == 0
    assert Path("all.zip").read_bytes() == body
    assert len(server.calls("GET", "/file")) == 2


def test_failed_backup_prints_its_message(user: User, product: Product) -> None:
    serve_backup(
        product, {}, status="FAILED", failure={"error_code": "BACKUP_FAILED", "message": "The backup stopped."}
    )
    result = user.run("backup", "--json")
    assert error_of(result)["code"] == "BACKUP_FAILED"
    assert "backup stopped" in error_of(result)["message"]


def test_backup_rejects_both_file_and_into(user: User, product: Product) -> None:
    serve_backup(product, {})
    assert user.run("backup", "a.zip", "--into", "vault").exit_code == 2


def backup_into_vault(user: User, product: Product, notes: dict[str, bytes]) -> Any:
    serve_backup(product, notes)
    return user.run("backup", "--into", "vault")


NAME = f"Leases {ID[-10:]}.md"


def test_notes_are_written_into_the_folder(user: User, product: Product) -> None:
    result = backup_into_vault(user, product, {NAME: note(), f"租约 {OTHER[-10:]}.md": note(item=OTHER)})
    assert (result.exit_code, result.stdout) == (0, "vault\n")
    assert "2 new" in result.stderr
    assert Path("vault", NAME).read_bytes() == note()


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_notes_keep_the_users_own_text_unchanged(user: User, product: Product, newline: bytes) -> None:
    backup_into_vault(user, product, {NAME: note()})
    path = Path("vault", NAME)
    mine = path.read_bytes().replace(b'tags: ["queue"]', b"tags:\n  - mine\n  - queue\naliases: [L]")
    mine = (
        mine.replace(b"<!-- readdo:begin", b"My own words, \xff\xfe  \n\n<!-- readdo:begin") + b"\n## Mine\n\n\t- a \n"
    )
    path.write_bytes(mine.replace(b"\n", newline))
    result = backup_into_vault(user, product, {NAME: note("SHIPPED", "another summary")})
    assert "1 updated" in result.stderr
    expected = mine.replace(b"a summary", b"another summary").replace(b'"READY"', b'"SHIPPED"').replace(b"\n", newline)
    assert path.read_bytes() == expected
    assert "1 unchanged" in backup_into_vault(user, product, {NAME: note("SHIPPED", "another summary")}).stderr


def test_changed_title_creates_no_second_note(user: User, product: Product) -> None:
    backup_into_vault(user, product, {NAME: note()})
    backup_into_vault(user, product, {f"Another title {ID[-10:]}.md": note(text="more")})
    assert [path.name for path in Path("vault").iterdir()] == [NAME]
    Path("vault", NAME).rename(Path("vault", f"My name for it {ID[-10:]}.md"))
    backup_into_vault(user, product, {NAME: note(text="most")})
    assert [path.name for path in Path("vault").iterdir()] == [f"My name for it {ID[-10:]}.md"]
    assert b"most" in Path("vault", f"My name for it {ID[-10:]}.md").read_bytes()


@pytest.mark.parametrize(
    "mine",
    [
        b"only mine",
        note() + note(),
        note().replace(b"<!-- readdo:end -->", b""),
        note(item=OTHER),
        b"<!-- readdo:begin " + ID.encode() + b" -->" + note(),
    ],
    ids=["no marks", "two blocks", "no end", "another's block", "a begin too many"],
)
def test_note_with_damaged_marks_is_left_unchanged(user: User, product: Product, mine: bytes) -> None:
    backup_into_vault(user, product, {NAME: note()})
    Path("vault", NAME).write_bytes(mine)
    result = backup_into_vault(user, product, {NAME: note(text="more")})
    assert Path("vault", NAME).read_bytes() == mine
    assert "1 skipped" in result.stderr
    assert NAME in result.stderr.replace("\n", " ")


@pytest.mark.parametrize("prefix", ["../out", "a/b", "c:d", "x\\y", ""])
def test_note_outside_the_folder_is_not_written(user: User, product: Product, prefix: str) -> None:
    result = backup_into_vault(user, product, {f"{prefix} {ID[-10:]}.md" if prefix else "a.md": note()})
    assert "1 skipped" in result.stderr
    assert sorted(path.name for path in Path().rglob("*")) == ["vault"]


def test_symbolic_link_in_the_folder_is_not_followed(user: User, product: Product) -> None:
    Path("vault").mkdir()
    Path("elsewhere.md").write_bytes(note())
    Path("vault", NAME).symlink_to(Path("elsewhere.md").resolve())
    assert "1 skipped" in backup_into_vault(user, product, {NAME: note(text="more")}).stderr
    assert Path("elsewhere.md").read_bytes() == note()


def test_backup_json_counts_the_notes(user: User, product: Product) -> None:
    serve_backup(product, {NAME: note()})
    answer = json.loads(user.run("backup", "--into", "vault", "--json").stdout)
    assert answer["notes"] == {"new": 1}
    assert answer["backup"]["status"] == "DONE"


DOCUMENT = "---\ntitle: 讲座\n---\n# 讲座\n\n{text}\n"


def backup_document(user: User, product: Product, text: str, path: str = "讲座/a b.md") -> Any:
    return backup_into_vault(user, product, {f"documents/{path}": DOCUMENT.format(text=text).encode()})


def test_documents_are_written_by_path_and_keep_your_text(user: User, product: Product) -> None:
    assert "1 new" in backup_document(user, product, "first").stderr
    file = Path("vault/documents/讲座/a b.md")
    assert file.read_text().startswith("---\ntitle: 讲座\n---\n<!-- readdo:begin ")
    file.write_text(file.read_text() + "\nmy own thoughts\n")
    assert "1 unchanged" in backup_document(user, product, "first").stderr
    assert "1 updated" in backup_document(user, product, "second").stderr
    assert "second" in file.read_text()
    assert "first" not in file.read_text()
    assert file.read_text().endswith("my own thoughts\n")


def test_document_whose_marks_are_gone_is_not_changed(user: User, product: Product) -> None:
    backup_document(user, product, "first")
    file = Path("vault/documents/讲座/a b.md")
    file.write_text("mine")
    assert "1 skipped" in backup_document(user, product, "second").stderr
    assert file.read_text() == "mine"


@pytest.mark.parametrize("path", ["../a.md", "x/../../a.md", "/a.md", "a.txt", "C:/a.md", "x//a.md"])
def test_document_outside_the_folder_is_not_written(user: User, product: Product, path: str) -> None:
    assert "1 skipped" in backup_document(user, product, "first", path).stderr
    assert list(Path().rglob("*.md")) == []
