"""Hostile texts are shown as text; malformed addresses and forms get an error message."""

import re
from urllib.parse import parse_qs, quote

import pytest
from screens import multipart_form
from screens.page_request import PageRequest

from readdo.web import request_body
from readdo.web.errors import ApiError
from support.page_items import captured_item, ready_item
from support.reader import OURS, Reader
from support.world import World

HOSTILE_TEXTS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }}",
    "javascript:alert(1)",
    "'><svg/onload=x>",
]


@pytest.mark.parametrize("text", HOSTILE_TEXTS)
def test_hostile_text_is_escaped(world: World, reader: Reader, text: str) -> None:
    item_id = captured_item(world, title=text, intent_text=f"why {text}", domain=text[:60])
    for path in ("/my", f"/my/items/{item_id}", f"/my/items/{item_id}?edit=words", f"/my?q={quote(text)}"):
        page = reader.look(path)
        assert page.status == 200
        assert not page.tree.cssselect("main script, main img, main svg, [onerror], [onload]")
        assert "49" not in page.words("main h1")
        assert not [a for a in page.tree.cssselect("main a") if str(a.get("href")).lower().startswith("javascript:")]


def test_pages_have_no_inline_code_and_a_strict_policy(world: World, reader: Reader) -> None:
    item_id = ready_item(world, reader.language)
    for path in ("/my", f"/my/items/{item_id}", "/my/settings", "/my/enter", "/my/capture", "/my/nothing"):
        page = reader.look(path)
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert not page.tree.cssselect("style, [style], script:not([src]), [onclick], iframe, object")
        assert page.headers["referrer-policy"] == "same-origin"


def test_source_link_is_safe(world: World, english: Reader) -> None:
    item_id = captured_item(world, url="https://example.org/%3Cscript%3E?a=1&b=2", content="")
    link = english.item(item_id).tree.cssselect("a[data-source]")[0]
    assert (link.get("href"), link.get("rel")) == ("https://example.org/%3Cscript%3E?a=1&b=2", "noopener noreferrer")


@pytest.mark.parametrize(
    "escaped", ["%e5%AD%97", "%E5", "%E5%41%AD%97", "%26%E5%AD%97%3D%2B%25E5", "%", "%G0", "字%F0%9F%91%8D"]
)
def test_form_is_decoded_as_browsers_encode_it(escaped: str) -> None:
    form = f"{escaped}={escaped}&other=1"
    visit = PageRequest({"rawPath": "/my", "requestContext": {"http": {"method": "POST"}}, "body": form})
    assert visit.form == {name: values[-1] for name, values in parse_qs(form).items()}


ADDRESSES = [
    "/my/items/x",
    "/my/items/01M7RF086HGPBMRN1W7HRY1J7X",
    "/my/list/nothing",
    "/my/list/shipped?cursor=%00",
    "/my/list/shipped?cursor=aGVsbG8",
    "/my/items/01M7RF086HGPBMRN1W7HRY1J7X/versions/summary",
    "/my/static/0/../pages.py",
    "/my/static/0/nothing.css",
    "/my/files/a/b/c",
    "/my/nothing/at/all",
    "/my?" + "&".join(f"a{n}=1" for n in range(10_000)),
    "/my?q=" + "%F0%9F%91%8D" * 300,
    "/my?done=<script>&of=x",
    "/my/capture?url=%00&title=%ff&text=" + "a" * 5000,
]


@pytest.mark.parametrize("path", ADDRESSES)
def test_any_address_gets_a_page(reader: Reader, path: str) -> None:
    answer = reader.ask("GET", path)
    assert answer.status in (200, 400, 404)
    assert answer.words("main")
    assert "<script>&" not in answer.text


BODIES = {
    "empty": "",
    "no source": "source=",
    "many fields": "a=1&" * 200,
    "half an escape": "%",
    "nothing but NULs": "source=%00&intent_text=%00",
    "a long reason": "intent_text=" + "x" * 900,
    "a script": "source=javascript:alert(1)&intent_text=why+not",
    "a huge text": "intent_text=why+not&source=" + "字" * 400_001,
}


@pytest.mark.parametrize("path", ["/my/capture", "/my/settings", "/my/settings/tokens", "/my/items/x/do/archive"])
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_any_form_gets_a_page(reader: Reader, path: str, body: str) -> None:
    answer = reader.ask("POST", path, body, **OURS)
    assert answer.status in (303, 400, 404, 413)
    assert answer.status == 303 or answer.words("main")


@pytest.mark.parametrize("name", ["page.css", "page.js", "icon.svg"])
def test_asset_is_immutable_under_a_hashed_path(world: World, reader: Reader, name: str) -> None:
    (address,) = set(re.findall(rf"/my/static/[0-9a-f]{{10}}/{re.escape(name)}", reader.look("/my").text))
    answer = Reader(world, token="").ask("GET", address)
    assert (answer.status, "immutable" in answer.headers["cache-control"]) == (200, True)
    assert len(answer.text) > 200


def test_head_answers_like_get_without_a_body(reader: Reader) -> None:
    answer = reader.ask("HEAD", "/my")
    assert (answer.status, answer.text) == (200, "")


def test_hostile_tags_are_escaped(world: World, reader: Reader) -> None:
    page = reader.item(captured_item(world, tags=["<script>alert(1)</script>", "读书"]))
    assert page.tree.cssselect(".tags")[0].text_content().endswith("<script>alert(1)</script> · 读书")
    assert page.tree.cssselect(".tags script") == []


MULTIPART_HEADERS = {**OURS, "content-type": "multipart/form-data; boundary=b"}


def multipart_body(head: str, value: str = "x") -> str:
    return f"--b\r\n{head}\r\n\r\n{value}\r\n--b--\r\n"


def test_sign_in_rejects_multipart_and_large_forms_unparsed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A request without a valid token must not cause expensive work."""
    nobody = Reader(world, token="")
    monkeypatch.setattr(multipart_form, "parse", lambda *_: pytest.fail("parsed before anybody is known"))
    monkeypatch.setattr(request_body, "text_of", lambda *_: pytest.fail("decoded before anybody is known"))
    quadratic = multipart_body("Content-Disposition: " + "form-data;" * 12_000)
    assert nobody.ask("POST", "/my/enter", quadratic, **MULTIPART_HEADERS).status == 415
    assert nobody.ask("POST", "/my/imports", quadratic, **MULTIPART_HEADERS).status == 401
    assert nobody.ask("POST", "/my/enter", "token=" + "x" * 8192, **OURS).status == 413
    assert nobody.ask("POST", "/my/leave", "x" * 5_000_000, **OURS).status == 413
    assert nobody.ask("POST", "/my/capture", "x" * 5_000_000, **OURS).status == 401


@pytest.mark.parametrize("path", ["/my/capture", "/my/settings/tokens", "/my/imports/x/pause", "/my/backups"])
def test_multipart_is_refused_where_no_file_is_expected(reader: Reader, path: str) -> None:
    assert (
        reader.ask("POST", path, multipart_body('Content-Disposition: form-data; name="a"'), **MULTIPART_HEADERS).status
        == 415
    )


LONG_HEADS = {
    "repeated type": "Content-Disposition: " + "form-data;" * 20_000,
    "names without end": 'Content-Disposition: form-data; name="' + "a" * 200_000,
    "many parameters": "Content-Disposition: form-data" + "; x=y" * 50_000,
    "quotes": "Content-Disposition: form-data; " + '"' * 200_000,
    "backslashes": 'Content-Disposition: form-data; name="' + "\\" * 200_000,
    "blanks": "Content-Disposition: form-data;" + " " * 200_000 + "name=a",
    "many headers": "\r\n".join(f"X-{n}: 1" for n in range(20_000)),
}


@pytest.mark.parametrize("name", LONG_HEADS)
def test_long_head_of_a_part_is_refused_before_it_is_parsed(name: str) -> None:
    """Part headers have a size limit, so that no pattern gets more than 4 kB of a request."""
    event = {"body": multipart_body(LONG_HEADS[name]), "isBase64Encoded": False}
    with pytest.raises(ApiError):
        multipart_form.parse(event, MULTIPART_HEADERS)


def test_form_of_too_many_parts_is_refused() -> None:
    many = "".join(f'--b\r\nContent-Disposition: form-data; name="a{n}"\r\n\r\n1\r\n' for n in range(51)) + "--b--\r\n"
    with pytest.raises(ApiError):
        multipart_form.parse({"body": many, "isBase64Encoded": False}, MULTIPART_HEADERS)
