"""Signing in and out, the session cookie, and forms from other sites."""

from urllib.parse import quote, urlencode

import pytest

from readdo.store import tokens
from support.reader import HOST, OURS, Reader
from support.world import World

PATHS = ["/my", "/my/list/shipped", "/my/items/01M7RF086HGPBMRN1W7HRY1J7X", "/my/settings", "/my/capture?url=x"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("secret", ["", "rdo_unknown", "0", "ключ"])
def test_page_without_a_token_redirects_to_sign_in_and_back(world: World, path: str, secret: str) -> None:
    answer = Reader(world, token=secret).ask("GET", path)
    assert answer.status == 303
    assert answer.headers["location"] == "/my/enter" + (f"?next={quote(path, safe='')}" if path != "/my" else "")
    assert not answer.text


def test_sign_in_sets_an_httponly_cookie(world: World) -> None:
    visitor = Reader(world, token="")
    answer = visitor.send(visitor.look("/my/settings").form("/my/enter"), token=f" {world.token}\n")
    assert answer.path == "/my/settings"
    fresh = Reader(world, token="")
    (cookie,) = fresh.ask("POST", "/my/enter", urlencode({"token": world.token}), **OURS).cookies
    parts = {part.strip() for part in cookie.split(";")[1:]}
    assert {"HttpOnly", "Secure", "SameSite=Strict", "Path=/my"} <= parts


LOCAL_URL = "http://127.0.0.1:4600/_aws/execute-api/5368577d"
COOKIES = [
    ("", "readdo.example", True),
    ("", "127.0.0.1:4600", True),  # on AWS no request header removes the flag
    (LOCAL_URL, "127.0.0.1:4600", False),
    (LOCAL_URL, "localhost:4600", False),
    (LOCAL_URL, "evil.example", True),
    (LOCAL_URL, "[", True),
    (LOCAL_URL, "127.0.0.1.evil.example:4600", True),
    ("http://readdo.example", "127.0.0.1:4600", True),
    ("https://127.0.0.1:4600", "127.0.0.1:4600", True),
]


@pytest.mark.parametrize(("public", "host", "secure"), COOKIES)
def test_cookie_is_secure_except_on_loopback(
    world: World, monkeypatch: pytest.MonkeyPatch, public: str, host: str, secure: bool
) -> None:
    """Safari drops a Secure cookie of a plain loopback address; the traffic there stays on the machine."""
    monkeypatch.setenv("READDO_PUBLIC_URL", public)
    headers = {"origin": f"http://{host}", "host": host}
    visitor = Reader(world)
    for path, form in (("/my/enter", {"token": world.token}), ("/my/settings", {"theme": "dark"}), ("/my/leave", {})):
        (cookie,) = visitor.ask("POST", path, urlencode(form), **headers).cookies
        assert ("Secure" in cookie) == secure, path
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        visitor.cookies["readdo"] = world.token


def test_wrong_token_shows_an_error_and_sets_no_cookie(world: World) -> None:
    visitor = Reader(world, token="")
    answer = visitor.send(visitor.look("/my/enter").form("/my/enter"), token="rdo_wrong")
    assert (answer.status, answer.cookies) == (401, [])
    assert "unknown" in answer.words('[role="alert"]')


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example", "/my/../x\n", "/mynot", "/my/\\evil", "javascript:x"]
)
def test_sign_in_redirects_only_to_own_pages(world: World, to: str) -> None:
    answer = Reader(world, token="").ask("POST", "/my/enter", urlencode({"token": world.token, "next": to}), **OURS)
    assert (answer.status, answer.headers["location"]) == (303, "/my")


def test_token_link_opened_by_the_user_signs_in(world: World) -> None:
    answer = Reader(world, token="").ask("GET", f"/my/enter?token={world.token}", sec_fetch_site="none")
    assert (answer.status, answer.headers["location"], len(answer.cookies)) == (303, "/my", 1)


def test_token_link_from_another_site_needs_a_confirmation(world: World) -> None:
    visitor = Reader(world, token="")
    page = visitor.ask("GET", f"/my/enter?token={world.token}", sec_fetch_site="cross-site")
    assert (page.status, page.cookies) == (200, [])
    assert visitor.send(page.form("/my/enter")).path == "/my"


def test_page_opened_from_another_site_refreshes_to_get_its_cookie(world: World) -> None:
    answer = Reader(world, token="").ask("GET", "/my/capture?url=a&title=b", sec_fetch_site="cross-site")
    (refresh,) = answer.tree.cssselect('meta[http-equiv="refresh"]')
    assert refresh.get("content") == "0; url=/my/capture?url=a&title=b"
    same_origin = Reader(world, token="").ask("GET", "/my/capture?url=a", sec_fetch_site="same-origin")
    assert same_origin.status == 303


FOREIGN_HEADERS = [
    {},
    {"origin": "null"},
    {"origin": "http://["},
    {"origin": "https://evil.example"},
    {"origin": f"https://{HOST}.evil.example"},
    {"origin": f"https://{HOST}@evil.example"},
    {"sec_fetch_site": "cross-site"},
    {"sec_fetch_site": "same-site"},
    {"origin": "https://evil.example", "sec_fetch_site": "same-origin"},
]


@pytest.mark.parametrize("headers", FOREIGN_HEADERS)
def test_form_of_another_site_is_rejected(world: World, headers: dict[str, str]) -> None:
    item_id = world.capture(process=False)
    before = world.row(item_id)
    for path, body in ((f"/my/items/{item_id}/do/archive", ""), (f"/my/items/{item_id}/do/delete", "")):
        assert Reader(world).ask("POST", path, body, **headers).status == 403
    assert Reader(world, token="").ask("POST", "/my/enter", f"token={world.token}", **headers).cookies == []
    assert world.row(item_id) == before


def test_read_token_can_only_read(world: World) -> None:
    item_id = world.capture(process=False)
    looks_only = Reader(world, token=tokens.issue(world.table, world.owner, "looks", ("read",)))
    assert looks_only.item(item_id).status == 200
    form = Reader(world).item(item_id).form("/do/archive")
    assert looks_only.send(form).status == 403
    assert world.item(item_id)["status"] == "CAPTURED"
    assert "/revoke" not in looks_only.look("/my/settings").text


def test_item_of_another_owner_is_not_found(world: World) -> None:
    item_id = world.capture(process=False)
    stranger = Reader(world, token=tokens.issue(world.table, "you", "stranger"))
    assert stranger.item(item_id).status == 404
    for action in ("archive", "delete", "process"):
        assert stranger.send(Reader(world).item(item_id).form(f"/do/{action}")).status == 404
    assert world.item(item_id)["status"] == "CAPTURED"


def test_sign_out_clears_the_cookie(world: World) -> None:
    visitor = Reader(world)
    visitor.send(visitor.look("/my/settings").form("/my/leave"))
    assert visitor.cookies["readdo"] == ""
    assert visitor.ask("GET", "/my").status == 303
