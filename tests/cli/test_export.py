"""readdo export: request once, wait, download without the token, verify, and overwrite nothing."""

import json
from pathlib import Path

import pytest

from .conftest import User, error_of
from .product import Product
from .samples import EN, ZH, failure
from .server import DROP, Fault, Server
from .wire import Reply, refusal

RENDER_FAILURE = {
    "failure": failure("export", message="The picture could not be drawn.", error_code="EXPORT_RENDER_FAILED")
}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_export_saves_files_and_prints_their_paths(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    product.waits = 3
    result = user.run("export", EN, "--to", "out")
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["out/card.png", "out/card.md", "out/caption.txt"]
    assert Path("out/card.png").read_bytes() == f"png of {EN}".encode()
    assert product.items[EN]["status"] == "SHIPPED"
    assert len(server.calls("GET", f"/items/{EN}/exports/")) == 3
    assert len(user.waited) == 3


def test_export_sends_its_options(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    options = ["--theme", "dark", "--layout", "square", "-f", "png,html", "--format", "json", "--key", "mine"]
    user.run("export", EN, *options)
    [request] = server.writes
    assert request.body == {
        "export_key": "mine",
        "formats": ["png", "html", "json"],
        "options": {"theme": "DARK", "layout": "CARD_1x1_V1"},
        "card_version": 1,
    }


def test_export_key_follows_from_its_options(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    for options in ([], [], ["-f", "md,caption,png"], ["--theme", "dark"], ["-f", "png"]):
        user.run("export", EN, *options)
    same, again, otherwise, dark, few = (request.body["export_key"] for request in server.writes)
    assert same == again == otherwise
    assert len({same, dark, few}) == 3


def test_key_of_a_finished_export_downloads_its_files(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    user.run("export", EN, "--key", "first", "-f", "html")
    result = user.run("export", EN, "--key", "first", "--to", "again")
    assert result.stdout.splitlines() == ["again/card.html"]
    assert len(server.writes) == 1


def test_token_is_sent_to_the_api_and_not_to_the_bucket(
    user: User, product: Product, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = Path("netrc")
    netrc.write_text("machine 127.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("NO_PROXY", "*")
    product.home = server.url.replace("127.0.0.1", "127.1")  # also loopback, but netrc applies to it
    product.add(EN)
    user.run("export", EN)
    blobs = server.calls("GET", "/blob/")
    assert len(blobs) == 3
    assert [request.headers.get("Authorization") for request in blobs] == [None] * 3
    assert {request.query["signed"][0] for request in blobs} == {"yes"}
    links = server.calls("GET", "/exports/")
    assert all(request.headers["Authorization"].startswith("Bearer ") for request in links)


def test_export_overwrites_no_file_and_saves_no_duplicate(user: User, product: Product) -> None:
    product.add(EN)
    Path("card.png").write_text("my own picture")
    assert user.run("export", EN, "-f", "png").stdout == "card (2).png\n"
    assert user.run("export", EN, "-f", "png").stdout == "card (2).png\n"
    assert Path("card.png").read_text() == "my own picture"
    product.blobs["card.png"] = b"another"
    product.exports.clear()
    assert user.run("export", EN, "-f", "png").stdout == "card (3).png\n"


@pytest.mark.parametrize(
    ("disposition", "name"),
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
def test_file_name_of_the_server_never_leads_out_of_the_folder(
    user: User, product: Product, tmp_path: Path, disposition: str, name: str
) -> None:
    product.add(EN)
    product.dispositions["card.png"] = disposition
    result = user.run("export", EN, "-f", "png", "--to", "out")
    assert result.exit_code == 0, result.stderr
    assert names(tmp_path / "out") == [name]
    assert names(tmp_path) == ["out"]


def test_symbolic_link_at_the_target_is_not_followed(user: User, product: Product) -> None:
    product.add(EN)
    Path("card.png").symlink_to("elsewhere")
    assert user.run("export", EN, "-f", "png").stdout == "card (2).png\n"
    assert not Path("elsewhere").exists()


@pytest.mark.parametrize("body", [b"other bytes of it", b"x" * 100_000, b""])
def test_file_with_a_wrong_checksum_is_not_saved(
    user: User, product: Product, server: Server, tmp_path: Path, body: bytes
) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(200, body), "GET", "/blob/", times=9)]
    result = user.run("export", EN, "-f", "png", "--to", "out")
    assert result.exit_code == 1
    assert "checksum" in result.stderr
    assert names(tmp_path / "out") == [] if (tmp_path / "out").exists() else True


def test_failed_download_is_retried_with_a_new_link(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(DROP, "GET", "/blob/"), Fault(Reply(503), "GET", "/blob/")]
    assert user.run("export", EN, "-f", "png").exit_code == 0
    assert len(server.calls("GET", "/exports/")) == 3


def test_refused_download_fails_the_export(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(403), "GET", "/blob/")]
    result = user.run("export", EN, "-f", "png")
    assert (result.exit_code, "status 403" in result.stderr) == (5, True)


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://example.com/x", "javascript:alert(1)"])
def test_download_accepts_only_http_links(user: User, product: Product, server: Server, place: str) -> None:
    product.add(EN)
    server.faults = [Fault(Reply(302, None, {"Location": place}), "GET", "/exports/")]
    result = user.run("export", EN, "-f", "png")
    assert result.exit_code == 1
    assert "link is not safe" in result.stderr


def test_failed_export_saves_finished_files_and_prints_advice(live_user: User, product: Product) -> None:
    product.add(ZH)
    product.fails = {**RENDER_FAILURE, "made": ["md", "caption"]}
    result = live_user.run("export", ZH)
    assert result.exit_code == 1
    assert "The picture could not be drawn." in result.stderr
    assert "These files were created and downloaded: md, caption." in result.stderr
    assert "readdo retry 9NQBGH --export" in result.stderr
    assert Path("card.md").exists()
    assert Path("caption.txt").exists()


@pytest.mark.parametrize("option", [[], ["--export"]])
def test_retry_repeats_the_failed_export_with_its_key_and_options(
    user: User, product: Product, server: Server, option: list[str]
) -> None:
    product.add(EN)
    product.fails = {**RENDER_FAILURE, "made": ["html"]}
    user.run("export", EN, "-f", "html,json", "--theme", "dark")
    result = user.run("retry", EN, *option)
    assert result.exit_code == 0, result.stderr
    first, second = server.writes
    assert first.body == second.body
    assert result.stdout.splitlines() == ["card.html", "card.json"]


def test_retry_repeats_an_export_without_a_card_version(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    body = {"export_key": "k", "formats": ["md"], "options": {"theme": "LIGHT", "layout": "CARD_4x5_V1"}}
    product.exports["k"] = product._new_export(EN, body) | {"status": "FAILED"}
    assert user.run("retry", EN, "--export").exit_code == 0
    assert [request.body.get("card_version") for request in server.writes] == [1, None]


def test_retry_without_a_failed_export_is_refused(user: User, product: Product) -> None:
    product.add(EN)
    result = user.run("retry", EN, "--export")
    assert (result.exit_code, "readdo export B0MA8N" in result.stderr) == (4, True)


def test_unknown_format_is_rejected_without_a_request(user: User, server: Server) -> None:
    result = user.run("export", EN, "-f", "docx")
    assert (result.exit_code, server.requests) == (2, [])
    assert "'docx' is not one of png, md" in result.stderr


def test_refused_export_prints_the_available_commands(user: User, product: Product) -> None:
    product.add(EN, "FAILED_AI", failure=failure("card"))
    result = user.run("export", EN)
    assert result.exit_code == 4
    assert "readdo retry B0MA8N" in result.stderr


def test_export_json_prints_the_export_and_saves_files(user: User, product: Product) -> None:
    product.add(EN)
    result = user.run("export", EN, "--json")
    answer = json.loads(result.stdout)
    assert answer["export"]["status"] == "DONE"
    assert (result.stderr, Path("card.png").exists()) == ("", True)
    product.fails = {**RENDER_FAILURE, "made": []}
    failed = user.run("export", EN, "--theme", "dark", "--json")
    assert json.loads(failed.stdout)["export"]["status"] == "FAILED"
    assert (failed.exit_code, error_of(failed)["code"]) == (1, "EXPORT_RENDER_FAILED")


def test_location_of_another_server_is_not_followed(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    away = {"item": product.items[EN], "export": {"status": "RUNNING", "payload": {"export_key": "k", "files": []}}}
    product.exports["k"] = product._new_export(EN, {"export_key": "k", "formats": ["md"]})
    server.faults = [Fault(Reply(202, away, {"Location": "https://evil.example/items"}), "POST", "/export")]
    assert user.run("export", EN, "--key", "k").exit_code == 0
    assert server.calls("GET", f"/items/{EN}/exports/k")


def test_reused_key_sets_exit_code_4(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    server.faults = [Fault(refusal(422, "IDEMPOTENCY_KEY_REUSED", "The key was used."), "POST", "/export")]
    assert user.run("export", EN, "--key", "k").exit_code == 4


def test_key_supplies_the_missing_options(user: User, product: Product, server: Server) -> None:
    product.add(EN)
    user.run("export", EN, "--key", "k", "-f", "html,md", "--theme", "dark", "--layout", "square")
    result = user.run("export", EN, "--key", "k", "--theme", "dark", "--to", "again")
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == ["again/card.html", "again/card.md"]
    first, second = server.writes
    assert first.body == second.body


@pytest.mark.parametrize("options", [["-f", "png"], ["--theme", "light"], ["--layout", "4x5"]])
def test_options_that_differ_from_the_keys_export_are_refused(user: User, product: Product, options: list[str]) -> None:
    product.add(EN)
    user.run("export", EN, "--key", "k", "-f", "html,md", "--theme", "dark", "--layout", "square")
    result = user.run("export", EN, "--key", "k", *options)
    assert (result.exit_code, result.stdout) == (4, "")
    assert "The export k already exists with other options: html, md, dark, square." in result.stderr
    assert "readdo export B0MA8N --key k" in result.stderr
    assert error_of(user.run("export", EN, "--key", "k", *options, "--json"))["code"] == "IDEMPOTENCY_KEY_REUSED"


def test_new_key_is_reported_as_a_new_export(user: User, product: Product) -> None:
    product.add(EN)
    assert "new export k" in user.run("export", EN, "--key", "k").stderr
    assert "new export" not in user.run("export", EN, "--key", "k").stderr


def test_export_that_ships_prints_where_the_item_is_listed(user: User, product: Product) -> None:
    product.add(EN)
    words = "The item is now shipped: readdo list --status shipped"
    assert words in user.run("export", EN).stderr
    assert words not in user.run("export", EN, "--theme", "dark").stderr, "it was shipped before"
