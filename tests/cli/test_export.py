"""Exports: asked for once, waited for, fetched without our token, checked, and saved over nothing."""

import json
from pathlib import Path

import pytest

from .conftest import Person, error_of
from .product import Product
from .samples import EN, ZH, failure
from .server import DROP, Fault, Server
from .wire import Reply, refusal

LOST = {"failure": failure("export", message="The picture could not be drawn.", error_code="EXPORT_RENDER_FAILED")}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_files_come_here_and_their_paths_come_out(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    product.waits = 3
    result = person.run("export", EN, "--to", "out")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["out/card.png", "out/card.md", "out/caption.txt"]
    assert Path("out/card.png").read_bytes() == f"png of {EN}".encode()
    assert product.items[EN]["status"] == "SHIPPED"
    assert len(server.calls("GET", f"/items/{EN}/exports/")) == 3
    assert len(person.waited) == 3


def test_the_wish_reaches_the_server(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    options = ["--theme", "dark", "--layout", "square", "-f", "png,html", "--format", "json", "--key", "mine"]
    person.run("export", EN, *options)
    [asked] = server.writes
    assert asked.body == {
        "export_key": "mine",
        "formats": ["png", "html", "json"],
        "options": {"theme": "DARK", "layout": "CARD_1x1_V1"},
        "card_version": 1,
    }


def test_the_same_wish_has_the_same_key_and_another_another(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    for options in ([], [], ["-f", "md,caption,png"], ["--theme", "dark"], ["-f", "png"]):
        person.run("export", EN, *options)
    same, again, otherwise, dark, few = (asked.body["export_key"] for asked in server.writes)
    assert same == again == otherwise
    assert len({same, dark, few}) == 3


def test_with_the_key_of_a_finished_export_its_files_are_fetched_as_they_are(
    person: Person, product: Product, server: Server
) -> None:
    product.add(EN)
    person.run("export", EN, "--key", "first", "-f", "html")
    result = person.run("export", EN, "--key", "first", "--to", "again")
    assert result.stdout.splitlines() == ["again/card.html"]
    assert len(server.writes) == 1


def test_our_token_goes_to_the_api_and_not_to_where_the_files_lie(
    person: Person, product: Product, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = Path("netrc")
    netrc.write_text("machine 127.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("NO_PROXY", "*")
    product.home = server.url.replace("127.0.0.1", "127.1")  # this machine too, but one for which netrc counts
    product.add(EN)
    person.run("export", EN)
    blobs = server.calls("GET", "/blob/")
    assert len(blobs) == 3
    assert [asked.headers.get("Authorization") for asked in blobs] == [None] * 3
    assert {asked.query["signed"][0] for asked in blobs} == {"yes"}
    links = server.calls("GET", "/exports/")
    assert all(asked.headers["Authorization"].startswith("Bearer ") for asked in links)


def test_nothing_is_overwritten_and_the_same_bytes_are_not_saved_twice(person: Person, product: Product) -> None:
    product.add(EN)
    Path("card.png").write_text("my own picture")
    assert person.run("export", EN, "-f", "png").stdout == "card (2).png\n"
    assert person.run("export", EN, "-f", "png").stdout == "card (2).png\n"
    assert Path("card.png").read_text() == "my own picture"
    product.blobs["card.png"] = b"another"
    product.exports.clear()
    assert person.run("export", EN, "-f", "png").stdout == "card (3).png\n"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ('inline; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="/etc/cron.d/evil"', "evil"),
        ('attachment; filename="..\\\\..\\\\boot.ini"', "boot.ini"),
        ("attachment; filename*=UTF-8''..%2F..%2Fevil.png", "evil.png"),
        ("inline; filename=\"card.png\"; filename*=UTF-8''%E5%9B%B4%E6%A0%8F.png", "围栏.png"),
        ('inline; filename=".bashrc"', "bashrc"),
        ('inline; filename=".."', "card.png"),
        ('inline; filename="CON.png"', "card.png"),
        ("inline; filename*=UTF-8''a%1b%5D0%3Bx%07b%e2%80%aegnp.exe", "abgnp.exe"),
        ('inline; filename="what: is * this?.png"', "what_ is _ this_.png"),
        (f'inline; filename="{"n" * 300}.png"', "n" * 116 + ".png"),
        ("inline; filename=plain.png", "plain.png"),
        ("inline; filename=", "card.png"),
        ("", "card.png"),
    ],
)
def test_a_name_from_outside_is_a_name_and_never_a_path(
    person: Person, product: Product, tmp_path: Path, said: str, name: str
) -> None:
    product.add(EN)
    product.said["card.png"] = said
    result = person.run("export", EN, "-f", "png", "--to", "out")
    assert result.exit_code == 0, result.stderr
    assert names(tmp_path / "out") == [name]
    assert names(tmp_path) == ["out"]


def test_a_link_that_is_put_where_the_file_goes_is_not_followed(person: Person, product: Product) -> None:
    product.add(EN)
    Path("card.png").symlink_to("elsewhere")
    assert person.run("export", EN, "-f", "png").stdout == "card (2).png\n"
    assert not Path("elsewhere").exists()


@pytest.mark.parametrize("body", [b"other bytes of it", b"x" * 100_000, b""])
def test_bytes_that_are_not_what_was_promised_are_not_saved(
    person: Person, product: Product, server: Server, tmp_path: Path, body: bytes
) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(200, body), "GET", "/blob/", times=9)]
    result = person.run("export", EN, "-f", "png", "--to", "out")
    assert result.exit_code == 1
    assert "checksum" in result.stderr
    assert names(tmp_path / "out") == [] if (tmp_path / "out").exists() else True


def test_a_link_that_has_died_is_asked_for_anew(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(DROP, "GET", "/blob/"), Fault(Reply(503), "GET", "/blob/")]
    assert person.run("export", EN, "-f", "png").exit_code == 0
    assert len(server.calls("GET", "/exports/")) == 3


def test_a_link_that_stays_dead_ends_it(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(403), "GET", "/blob/")]
    result = person.run("export", EN, "-f", "png")
    assert (result.exit_code, "status 403" in result.stderr) == (5, True)


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://example.com/x", "javascript:alert(1)"])
def test_only_the_web_is_fetched_from(person: Person, product: Product, server: Server, place: str) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(302, None, {"Location": place}), "GET", "/exports/")]
    result = person.run("export", EN, "-f", "png")
    assert result.exit_code == 1
    assert "no safe place" in result.stderr


def test_a_failed_export_brings_what_was_made_and_says_how_to_go_on(reader: Person, product: Product) -> None:
    product.add(ZH)
    product.fails = {**LOST, "made": ["md", "caption"]}
    result = reader.run("export", ZH)
    assert result.exit_code == 1
    assert "The picture could not be drawn." in result.stderr
    assert "What was made is here: md, caption." in result.stderr
    assert "readdo retry 9NQBGH --export" in result.stderr
    assert Path("card.md").exists()
    assert Path("caption.txt").exists()


@pytest.mark.parametrize("option", [[], ["--export"]])
def test_retry_asks_for_the_failed_export_under_its_own_key_and_wish(
    person: Person, product: Product, server: Server, option: list[str]
) -> None:
    product.add(EN)
    product.fails = {**LOST, "made": ["html"]}
    person.run("export", EN, "-f", "html,json", "--theme", "dark")
    result = person.run("retry", EN, *option)
    assert result.exit_code == 0, result.stderr
    first, second = server.writes
    assert first.body == second.body
    assert result.stdout.splitlines() == ["card.html", "card.json"]


def test_retry_of_an_export_that_another_client_asked_for_without_a_version(
    person: Person, product: Product, server: Server
) -> None:
    product.add(EN)
    body = {"export_key": "k", "formats": ["md"], "options": {"theme": "LIGHT", "layout": "CARD_4x5_V1"}}
    product.exports["k"] = product._new_export(EN, body) | {"status": "FAILED"}
    assert person.run("retry", EN, "--export").exit_code == 0
    assert [asked.body.get("card_version") for asked in server.writes] == [1, None]


def test_retry_of_an_export_where_none_has_failed(person: Person, product: Product) -> None:
    product.add(EN)
    result = person.run("retry", EN, "--export")
    assert (result.exit_code, "readdo export B0MA8N" in result.stderr) == (4, True)


def test_a_wish_that_cannot_be_is_refused_here(person: Person, server: Server) -> None:
    result = person.run("export", EN, "-f", "docx")
    assert (result.exit_code, server.asked) == (2, [])
    assert "'docx' is none of png, md" in result.stderr


def test_an_item_that_cannot_be_exported_says_what_it_can(person: Person, product: Product) -> None:
    product.add(EN, "FAILED_AI", failure=failure("card"))
    result = person.run("export", EN)
    assert result.exit_code == 4
    assert "readdo retry B0MA8N" in result.stderr


def test_json_is_the_export_and_the_files_come_all_the_same(person: Person, product: Product) -> None:
    product.add(EN)
    result = person.run("export", EN, "--json")
    answer = json.loads(result.stdout)
    assert answer["export"]["status"] == "DONE"
    assert (result.stderr, Path("card.png").exists()) == ("", True)
    product.fails = {**LOST, "made": []}
    failed = person.run("export", EN, "--theme", "dark", "--json")
    assert json.loads(failed.stdout)["export"]["status"] == "FAILED"
    assert (failed.exit_code, error_of(failed)["code"]) == (1, "EXPORT_RENDER_FAILED")


def test_a_location_that_leads_elsewhere_is_not_followed(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    away = {"item": product.items[EN], "export": {"status": "RUNNING", "payload": {"export_key": "k", "files": []}}}
    product.exports["k"] = product._new_export(EN, {"export_key": "k", "formats": ["md"]})
    server.faults = [Fault(Reply(202, away, {"Location": "https://evil.example/items"}), "POST", "/export")]
    assert person.run("export", EN, "--key", "k").exit_code == 0
    assert server.calls("GET", f"/items/{EN}/exports/k")


def test_another_wish_under_a_known_key_is_refused(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(refusal(422, "IDEMPOTENCY_KEY_REUSED", "The key was used."), "POST", "/export")]
    assert person.run("export", EN, "--key", "k").exit_code == 4


def test_with_a_key_what_is_not_said_is_as_the_export_has_it(person: Person, product: Product, server: Server) -> None:
    product.add(EN)
    person.run("export", EN, "--key", "k", "-f", "html,md", "--theme", "dark", "--layout", "square")
    result = person.run("export", EN, "--key", "k", "--theme", "dark", "--to", "again")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == ["again/card.html", "again/card.md"]
    first, second = server.writes
    assert first.body == second.body


@pytest.mark.parametrize("options", [["-f", "png"], ["--theme", "light"], ["--layout", "4x5"]])
def test_options_that_do_not_fit_the_keys_export_are_refused_in_words(
    person: Person, product: Product, options: list[str]
) -> None:
    product.add(EN)
    person.run("export", EN, "--key", "k", "-f", "html,md", "--theme", "dark", "--layout", "square")
    result = person.run("export", EN, "--key", "k", *options)
    assert (result.exit_code, result.stdout) == (4, "")
    assert "There is an export k already, and it is another: html, md, dark, square." in result.stderr
    assert "readdo export B0MA8N --key k" in result.stderr
    assert error_of(person.run("export", EN, "--key", "k", *options, "--json"))["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_a_key_that_makes_a_new_export_says_so(person: Person, product: Product) -> None:
    product.add(EN)
    assert "new export k" in person.run("export", EN, "--key", "k").stderr
    assert "new export" not in person.run("export", EN, "--key", "k").stderr


def test_an_export_that_ships_says_where_the_item_is_now(person: Person, product: Product) -> None:
    product.add(EN)
    words = "Shipped: it is in `readdo list --status shipped` now."
    assert words in person.run("export", EN).stderr
    assert words not in person.run("export", EN, "--theme", "dark").stderr, "it was shipped before"
