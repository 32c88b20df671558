"""Everything out: as one zip, or as notes in which a reader's own words are theirs."""

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from .conftest import Person, error_of
from .product import Product
from .server import DROP, Fault, Server
from .wire import Reply

ID, OTHER = "01KA4Z8Q2M6V3T9R5W7X1Y0BCD", "01KA4ZC5H8N2P4S6T8V0W2X4Y6"


def note(status: str = "READY", said: str = "a summary", item: str = ID) -> bytes:
    front = f'---\nreaddo: "{item}"\ntitle: "Leases"\nstatus: "{status}"\ntags: ["queue"]\n---\n'
    return f"{front}<!-- readdo:begin {item} -->\n# Leases\n{said}\n<!-- readdo:end -->\n".encode()


def serves(product: Product, notes: dict[str, bytes], waits: int = 0, **more: Any) -> bytes:
    """A backup that is under way for so many looks; what its zip holds."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as made:
        made.writestr("items.jsonl", "{}\n")
        for name, body in notes.items():
            made.writestr(f"notes/{name}", body)
    body = packed.getvalue()
    told: dict[str, Any] = {"id": ID, "created_at": "2026-11-19T10:00:00.000Z", "items": 3}
    done = {"status": "DONE", "bytes": len(body), "sha256": hashlib.sha256(body).hexdigest(), **more}
    looks = iter(range(waits))

    def stands(*_: Any) -> Reply:
        running = next(looks, None) is not None
        return Reply(202 if running else 200, {"backup": told | ({"status": "RUNNING"} if running else done)})

    product.blobs["backup.zip"] = body
    product.more = [
        ("GET", "/export-all", stands),
        ("GET", f"/backups/{ID}", stands),
        ("GET", f"/backups/{ID}/file", lambda _: Reply(302, {}, {"Location": f"{product.home}/blob/backup.zip"})),
    ]
    return body


def test_the_zip_comes_here_under_its_date_when_it_is_made(person: Person, product: Product, server: Server) -> None:
    body = serves(product, {}, waits=3)
    result = person.run("backup")
    assert (result.exit_code, result.stdout) == (0, "readdo-backup-2026-11-19.zip\n")
    assert Path("readdo-backup-2026-11-19.zip").read_bytes() == body
    assert "3 items so far" in result.stderr
    assert len(server.calls("GET", "/export-all")) == 1
    assert [asked.headers.get("Authorization") for asked in server.calls("GET", "/blob/")] == [None]
    assert sorted(path.name for path in Path().iterdir()) == ["readdo-backup-2026-11-19.zip"]


def test_a_name_and_a_fresh_one_can_be_asked_for(person: Person, product: Product, server: Server) -> None:
    body = serves(product, {})
    assert person.run("backup", "kept/all.zip", "--fresh").exit_code == 0
    assert Path("kept/all.zip").read_bytes() == body
    assert server.calls("GET", "/export-all")[0].query == {"fresh": ["true"]}


def test_nothing_is_written_over_a_file_that_is_there(person: Person, product: Product) -> None:
    serves(product, {})
    Path("all.zip").write_bytes(b"mine")
    result = person.run("backup", "all.zip")
    assert result.exit_code != 0
    assert "nothing is written over it" in result.stderr
    assert Path("all.zip").read_bytes() == b"mine"


@pytest.mark.parametrize("wrong", [b"other bytes", b""])
def test_a_file_that_did_not_come_whole_is_not_kept(person: Person, product: Product, wrong: bytes) -> None:
    serves(product, {})
    product.blobs["backup.zip"] = wrong
    result = person.run("backup", "--json")
    assert error_of(result)["code"] == "CHECKSUM"
    assert list(Path().iterdir()) == []


def test_a_connection_that_breaks_is_tried_again_with_another_link(
    person: Person, product: Product, server: Server
) -> None:
    body = serves(product, {})
    server.faults.append(Fault(DROP, path="/blob/"))
    assert person.run("backup", "all.zip").exit_code == 0
    assert Path("all.zip").read_bytes() == body
    assert len(server.calls("GET", "/file")) == 2


def test_one_that_fails_says_why_and_what_to_do(person: Person, product: Product) -> None:
    serves(product, {}, status="FAILED", failure={"error_code": "BACKUP_FAILED", "message": "The backup broke off."})
    result = person.run("backup", "--json")
    assert error_of(result)["code"] == "BACKUP_FAILED"
    assert "broke off" in error_of(result)["message"]


def test_file_and_folder_are_one_too_many(person: Person, product: Product) -> None:
    serves(product, {})
    assert person.run("backup", "a.zip", "--into", "vault").exit_code == 2


def into(person: Person, product: Product, notes: dict[str, bytes]) -> Any:
    serves(product, notes)
    return person.run("backup", "--into", "vault")


NAME = f"Leases {ID[-10:]}.md"


def test_notes_come_into_the_folder(person: Person, product: Product) -> None:
    result = into(person, product, {NAME: note(), f"租约 {OTHER[-10:]}.md": note(item=OTHER)})
    assert (result.exit_code, result.stdout) == (0, "vault\n")
    assert "2 new" in result.stderr
    assert Path("vault", NAME).read_bytes() == note()


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_a_readers_own_words_stay_byte_for_byte(person: Person, product: Product, newline: bytes) -> None:
    into(person, product, {NAME: note()})
    path = Path("vault", NAME)
    mine = path.read_bytes().replace(b'tags: ["queue"]', b"tags:\n  - mine\n  - queue\naliases: [L]")
    mine = (
        mine.replace(b"<!-- readdo:begin", b"My own words, \xff\xfe  \n\n<!-- readdo:begin") + b"\n## Mine\n\n\t- a \n"
    )
    path.write_bytes(mine.replace(b"\n", newline))
    result = into(person, product, {NAME: note("SHIPPED", "another summary")})
    assert "1 written anew" in result.stderr
    wanted = mine.replace(b"a summary", b"another summary").replace(b'"READY"', b'"SHIPPED"').replace(b"\n", newline)
    assert path.read_bytes() == wanted
    assert "1 unchanged" in into(person, product, {NAME: note("SHIPPED", "another summary")}).stderr


def test_a_title_that_changes_makes_no_second_note(person: Person, product: Product) -> None:
    into(person, product, {NAME: note()})
    into(person, product, {f"Another title {ID[-10:]}.md": note(said="more")})
    assert [path.name for path in Path("vault").iterdir()] == [NAME]
    Path("vault", NAME).rename(Path("vault", f"My name for it {ID[-10:]}.md"))
    into(person, product, {NAME: note(said="most")})
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
def test_a_note_whose_marks_are_not_as_they_were_is_left_alone(person: Person, product: Product, mine: bytes) -> None:
    into(person, product, {NAME: note()})
    Path("vault", NAME).write_bytes(mine)
    result = into(person, product, {NAME: note(said="more")})
    assert Path("vault", NAME).read_bytes() == mine
    assert "1 left alone" in result.stderr
    assert NAME in result.stderr.replace("\n", " ")


@pytest.mark.parametrize("said", ["../out", "a/b", "c:d", "x\\y", ""])
def test_a_name_that_leads_out_of_the_folder_is_not_written(person: Person, product: Product, said: str) -> None:
    result = into(person, product, {f"{said} {ID[-10:]}.md" if said else "a.md": note()})
    assert "1 left alone" in result.stderr
    assert sorted(path.name for path in Path().rglob("*")) == ["vault"]


def test_no_link_is_followed_out_of_the_folder(person: Person, product: Product) -> None:
    Path("vault").mkdir()
    Path("elsewhere.md").write_bytes(note())
    Path("vault", NAME).symlink_to(Path("elsewhere.md").resolve())
    assert "1 left alone" in into(person, product, {NAME: note(said="more")}).stderr
    assert Path("elsewhere.md").read_bytes() == note()


def test_what_was_done_is_told_to_a_program_too(person: Person, product: Product) -> None:
    serves(product, {NAME: note()})
    found = json.loads(person.run("backup", "--into", "vault", "--json").stdout)
    assert found["notes"] == {"new": 1}
    assert found["backup"]["status"] == "DONE"
