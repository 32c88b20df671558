"""The door: who comes in, what a browser keeps, and whose forms are taken."""

from urllib.parse import quote, urlencode

import pytest

from readdo.store import tokens
from support.reader import HOST, OURS, Reader
from support.world import World

INSIDE = ["/my", "/my/list/shipped", "/my/items/01M7RF086HGPBMRN1W7HRY1J7X", "/my/settings", "/my/capture?url=x"]


@pytest.mark.parametrize("path", INSIDE)
@pytest.mark.parametrize("secret", ["", "rdo_unknown", "0", "ключ"])
def test_without_a_token_every_page_leads_to_the_door_and_back(shared: World, path: str, secret: str) -> None:
    answer = Reader(shared, token=secret).ask("GET", path)
    assert answer.status == 303
    assert answer.headers["location"] == "/my/enter" + (f"?next={quote(path, safe='')}" if path != "/my" else "")
    assert not answer.text


def test_a_token_opens_and_the_browser_keeps_it_where_no_script_reads_it(shared: World) -> None:
    visitor = Reader(shared, token="")
    answer = visitor.send(visitor.look("/my/settings").form("/my/enter"), token=f" {shared.token}\n")
    assert answer.path == "/my/settings"
    fresh = Reader(shared, token="")
    (cookie,) = fresh.ask("POST", "/my/enter", urlencode({"token": shared.token}), **OURS).cookies
    parts = {part.strip() for part in cookie.split(";")[1:]}
    assert {"HttpOnly", "Secure", "SameSite=Strict", "Path=/my"} <= parts


HOME = "http://127.0.0.1:4600/_aws/execute-api/5368577d"
COOKIES = [
    ("", "readdo.example", True),
    ("", "127.0.0.1:4600", True),  # on AWS nothing that a request says of itself takes the flag away
    (HOME, "127.0.0.1:4600", False),
    (HOME, "localhost:4600", False),
    (HOME, "evil.example", True),
    (HOME, "[", True),
    (HOME, "127.0.0.1.evil.example:4600", True),
    ("http://readdo.example", "127.0.0.1:4600", True),
    ("https://127.0.0.1:4600", "127.0.0.1:4600", True),
]


@pytest.mark.parametrize(("public", "host", "secure"), COOKIES)
def test_a_cookie_is_secure_but_on_ones_own_machine(
    shared: World, monkeypatch: pytest.MonkeyPatch, public: str, host: str, secure: bool
) -> None:
    """Safari keeps no Secure cookie of a plain loopback address, and nobody else is on the way there."""
    monkeypatch.setenv("READDO_PUBLIC_URL", public)
    sent = {"origin": f"http://{host}", "host": host}
    visitor = Reader(shared)
    for path, form in (("/my/enter", {"token": shared.token}), ("/my/settings", {"theme": "dark"}), ("/my/leave", {})):
        (cookie,) = visitor.ask("POST", path, urlencode(form), **sent).cookies
        assert ("Secure" in cookie) == secure, path
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        visitor.cookies["readdo"] = shared.token


def test_a_wrong_token_is_told_and_nothing_is_kept(shared: World) -> None:
    visitor = Reader(shared, token="")
    answer = visitor.send(visitor.look("/my/enter").form("/my/enter"), token="rdo_wrong")
    assert (answer.status, answer.cookies) == (401, [])
    assert "unknown" in answer.words('[role="alert"]')


@pytest.mark.parametrize(
    "to", ["https://evil.example/", "//evil.example", "/my/../x\n", "/mynot", "/my/\\evil", "javascript:x"]
)
def test_after_entering_nobody_is_sent_elsewhere(shared: World, to: str) -> None:
    answer = Reader(shared, token="").ask("POST", "/my/enter", urlencode({"token": shared.token, "next": to}), **OURS)
    assert (answer.status, answer.headers["location"]) == (303, "/my")


def test_a_link_with_a_token_enters_if_the_reader_opened_it(shared: World) -> None:
    answer = Reader(shared, token="").ask("GET", f"/my/enter?token={shared.token}", sec_fetch_site="none")
    assert (answer.status, answer.headers["location"], len(answer.cookies)) == (303, "/my", 1)


def test_another_sites_link_with_a_token_must_be_confirmed(shared: World) -> None:
    visitor = Reader(shared, token="")
    asked = visitor.ask("GET", f"/my/enter?token={shared.token}", sec_fetch_site="cross-site")
    assert (asked.status, asked.cookies) == (200, [])
    assert visitor.send(asked.form("/my/enter")).path == "/my"


def test_from_another_site_a_page_looks_once_more_since_the_cookie_stayed_behind(shared: World) -> None:
    answer = Reader(shared, token="").ask("GET", "/my/capture?url=a&title=b", sec_fetch_site="cross-site")
    (again,) = answer.tree.cssselect('meta[http-equiv="refresh"]')
    assert again.get("content") == "0; url=/my/capture?url=a&title=b"
    settled = Reader(shared, token="").ask("GET", "/my/capture?url=a", sec_fetch_site="same-origin")
    assert settled.status == 303


FOREIGN = [
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


@pytest.mark.parametrize("headers", FOREIGN)
def test_a_form_of_another_site_does_nothing(shared: World, headers: dict[str, str]) -> None:
    item_id = shared.capture(process=False)
    before = shared.row(item_id)
    for path, body in ((f"/my/items/{item_id}/do/archive", ""), (f"/my/items/{item_id}/do/delete", "")):
        assert Reader(shared).ask("POST", path, body, **headers).status == 403
    assert Reader(shared, token="").ask("POST", "/my/enter", f"token={shared.token}", **headers).cookies == []
    assert shared.row(item_id) == before


def test_a_lesser_token_sees_and_does_nothing_more(shared: World) -> None:
    item_id = shared.capture(process=False)
    looks_only = Reader(shared, token=tokens.issue(shared.table, shared.owner, "looks", ("read",)))
    assert looks_only.item(item_id).status == 200
    form = Reader(shared).item(item_id).form("/do/archive")
    assert looks_only.send(form).status == 403
    assert shared.item(item_id)["status"] == "CAPTURED"
    assert "/revoke" not in looks_only.look("/my/settings").text


def test_another_owners_item_is_not_there(shared: World) -> None:
    item_id = shared.capture(process=False)
    stranger = Reader(shared, token=tokens.issue(shared.table, "you", "stranger"))
    assert stranger.item(item_id).status == 404
    for action in ("archive", "delete", "process"):
        assert stranger.send(Reader(shared).item(item_id).form(f"/do/{action}")).status == 404
    assert shared.item(item_id)["status"] == "CAPTURED"


def test_who_leaves_is_out(shared: World) -> None:
    visitor = Reader(shared)
    visitor.send(visitor.look("/my/settings").form("/my/leave"))
    assert visitor.cookies["readdo"] == ""
    assert visitor.ask("GET", "/my").status == 303
