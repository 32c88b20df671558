"""A token, a model's key and what a user wrote: on no way through the product are they heard in a log."""

import importlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from canaries import HAN, IN_LINK, INTENT, KEY, LINK, MARKED, TEXTS, WORD, carried, forms, heard, kept, listening
from intercepted import PUBLIC, moved, net, page

from readdo import files
from readdo.engine import extractive, settings
from readdo.lifecycle.write import Write
from readdo.net import address
from readdo.net.address import resolve
from readdo.store import keys
from support.import_helpers import begin, look
from support.model_server import ModelRequest, Reply, cut, hangs_up, html, model_server, reply, says
from support.notion_requests import answered_by
from support.notion_server import NotionServer, refusal
from support.notion_world import PARAMETER, mirrored
from support.world import World, world

Story = Callable[[], Any]


@pytest.fixture(scope="module")
def shared() -> Iterator[World]:
    with world() as found:
        yield found


@pytest.fixture
def quiet(shared: World, capfd: pytest.CaptureFixture[str]) -> Callable[[Story], str]:
    """Runs a story and says what was heard; nothing of it may be of a user or a secret."""

    def run(story: Story) -> str:
        with listening("DEBUG") as lines:
            story()
            shared.settle()
        out, err = capfd.readouterr()
        text = "\n".join([*lines, out, err])
        assert heard(text, shared.token, KEY, *TEXTS) == set(), text[:3000]
        assert heard(carried(shared), shared.token, KEY, *TEXTS) == set()
        assert heard(kept(shared), shared.token, KEY) == set()
        return text

    return run


def captured(made: World, **more: Any) -> str:
    return made.capture(
        **{
            "on_duplicate": "new",
            "intent_text": INTENT,
            "title": f"On the {WORD}",
            "content": MARKED,
            "url": LINK,
            **more,
        }
    )


def test_every_form_is_found_where_it_is() -> None:
    """Against an ear that hears nothing."""
    for secret in (KEY, *TEXTS):
        assert all(heard(f"said {form} aloud", secret) for form in forms(secret))
        assert not heard("nothing at all of it, nor https://diary.example/", secret)


def test_all_that_goes_well(shared: World, quiet: Any) -> None:
    def story() -> None:
        item = captured(shared)
        assert shared.settled(item)["status"] == "READY"
        assert (
            shared.api("POST", f"/items/{item}/export", {"export_key": WORD, "formats": ["md", "html"]}).status == 202
        )
        assert shared.settled(item)["status"] == "SHIPPED"
        assert shared.api("GET", f"/exports/{item}/{WORD}/card.md").status == 302
        shared.api("GET", f"/items?q={WORD}")
        shared.api("PATCH", f"/items/{item}", {"title": HAN}, if_match="*")
        secret = shared.api("POST", "/tokens", {"name": WORD}).json["token"]["secret"]
        shared.api("GET", "/items", token=secret)
        shared.heartbeat()

    assert "StepTime" in quiet(story)


def test_all_that_is_brought_in(shared: World, quiet: Any) -> None:
    files = {
        f"{WORD}.csv": f"url,title,note,tags\n{LINK},{HAN},{INTENT},{WORD}\njavascript:{IN_LINK},{WORD},,\n",
        f"{HAN}.json": json.dumps([{"url": f"{LINK}&of={HAN}", "content": MARKED, "tags": [HAN]}]),
        f"{IN_LINK}.zip": f"PK\x03\x04{WORD}{HAN}",
    }

    def story() -> None:
        ends = []
        for name, text in files.items():
            began = begin(shared, text, name, intent_text=INTENT, process=False)
            shared.settle()
            ends.append(look(shared, began)["status"])
        assert ends == ["DONE", "DONE", "FAILED"]

    quiet(story)


def test_all_that_is_taken_out_and_brought_back(shared: World, quiet: Any) -> None:
    def story() -> None:
        item = captured(shared)
        assert shared.settled(item)["status"] == "READY"
        assert shared.api("GET", "/export-all?fresh=true").status == 202
        shared.settle()
        done = shared.api("GET", "/backups").json["backups"][0]
        row = shared.table.get(keys.backup(shared.owner, done["id"])) or {}
        for body in (files.get(row["file"]["at"]), f"PK\x03\x04{WORD}{HAN}".encode()):
            offer = shared.api("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)})
            restore = offer.json["restore"]["id"]
            files.put_once(f"restores/{shared.owner}/{restore}.zip", body, "application/zip")
            assert shared.api("POST", f"/restores/{restore}/start").status == 202
            shared.settle()
        ends = [found["status"] for found in shared.api("GET", "/restores").json["restores"]]
        assert sorted(ends) == ["DONE", "FAILED"]

    quiet(story)


def test_all_that_is_shown_in_notion(shared: World, quiet: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    notion = NotionServer({WORD: {"type": "title", "title": {}}}, token=KEY)
    answered_by(notion, monkeypatch)

    def story() -> None:
        with mirrored(shared, notion, monkeypatch) as to:
            boto3.client("ssm").put_parameter(Name=PARAMETER, Value=KEY, Type="SecureString", Overwrite=True)
            shared.api("POST", "/tasks", {"intent": "write", "title": HAN, "tags": [WORD], "project": IN_LINK})
            shared.heartbeat()
            for refused in (None, refusal(400, "validation_error", f"{WORD} {HAN}"), refusal(401, "unauthorized", KEY)):
                notion.tricks = [lambda *_, told=refused: told]
                to.turn()
                to.wait()
            assert to.told["code"] == "TOKEN_UNKNOWN"
        assert notion.pages

    quiet(story)


def test_all_that_is_refused(shared: World, quiet: Any) -> None:
    def story() -> None:
        shared.api("GET", "/items", token=f"{shared.token}{WORD}")
        shared.api("POST", "/capture", raw=f'{{"intent_text": "{WORD}", {HAN}')
        shared.api("POST", "/capture", {"intent_text": WORD, "url": f"https://me:{IN_LINK}@x.example/"})
        shared.api("POST", f"/items/{WORD}/process", {"mode": HAN})
        shared.api("GET", f"/items?cursor={WORD}&q={HAN}")
        shared.api("PUT", "/items/x/artifacts/card", {WORD: HAN}, if_match="1")
        shared.api("BREW", f"/{WORD}", token=KEY)

    quiet(story)


BODY = f"<html><head><title>{WORD}</title></head><body><article><p>{MARKED}</p></article></body></html>".encode()
ANSWERS = {
    "headers that nobody can read": page(BODY).replace(
        b"\r\n\r\n", f"\r\n {WORD}\r\n{HAN} no colon\r\n\r\n".encode(), 1
    ),
    "a page without a text": page(f"<html><title>{WORD}</title><body><i>{HAN}</i></body></html>".encode()),
    "half a page": page(BODY, Content_Length="99999"),
    "a broken pack": page(BODY, Content_Encoding="gzip"),
    "an unknown pack": page(BODY, Content_Encoding="br"),
    "another kind": page(BODY, Content_Type=f"image/png; name={WORD}"),
    "a refusal": page(BODY, status=f"403 {WORD}"),
    "nonsense": f"{WORD} {HAN}\r\n\r\n".encode(),
    "a way home": moved(f"http://127.0.0.1/{IN_LINK}?{WORD}"),
    "a long way": moved(f"https://another.example/{IN_LINK}?{WORD}"),
    "an unreadable way": moved(f"http://[{WORD}/{IN_LINK}"),
    "not a PDF": page(b"%PDF-1.4\n" + BODY, Content_Type="application/pdf"),
    "dates and authors": page(
        BODY.replace(
            b"<head>",
            f'<head><meta name="date" content="{WORD} 99/99/20266"><script type="application/ld+json">'
            f'{{"author": "{HAN}", {WORD}</script>'.encode(),
        )
    ),
    "a page": page(BODY),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_whatever_a_site_answers(shared: World, quiet: Any, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(address, "resolve", resolve)
    link = LINK.replace("https:", "http:")
    with net({"diary.example": [[PUBLIC]]}) as watched:
        watched.answers[PUBLIC] = [ANSWERS[name]] * 3
        quiet(lambda: captured(shared, url=link, content=""))
        assert watched.connected
        assert WORD.encode() in watched.was_sent()[0], "the link was asked for"


@pytest.fixture
def with_key(shared: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[ModelRequest]]]:
    """A model at an address of this machine, asked with the key from where it is kept encrypted."""
    boto3.client("ssm").put_parameter(Name="/readdo/model-key", Value=KEY, Type="SecureString", Overwrite=True)
    shared.table.write(Write(keys.provider("openai"), "delete"))  # it is not left alone for what it answered before
    settings._kept.cache_clear()
    opened: list[Any] = []

    def start(behaviour: Any, **more: str) -> list[ModelRequest]:
        opened.append(model_server(behaviour))
        server = opened[-1].__enter__()
        told = {"ENGINE": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": server.url, "DAILY_TOKENS": "900000"}
        for name, value in {**told, "MODEL_KEY_PARAMETER": "/readdo/model-key", **more}.items():
            monkeypatch.setenv(name, value)
        requests: list[ModelRequest] = server.requests
        return requests

    yield start
    shared.settle()
    settings._kept.cache_clear()
    for context in opened:
        context.__exit__(None, None, None)


def echo(number: int) -> Callable[[ModelRequest], Reply]:
    """An error that repeats all that it was asked, its key as well."""

    def behave(asked: ModelRequest) -> Reply:
        words = f"{asked.headers.get('authorization')} {json.dumps(asked.body, ensure_ascii=False)}"
        return reply({"error": {"message": words, "type": words[:90], "code": KEY, "param": HAN}}, number, X_Was=KEY)

    return behave


def repeats(asked: ModelRequest) -> Any:
    return says(f"You sent {asked.headers.get('authorization')}: {json.dumps(asked.body, ensure_ascii=False)}")(asked)


MODELS: dict[str, Any] = {f"{number}": echo(number) for number in (301, 400, 401, 403, 404, 408, 413, 429, 500, 503)}
MODELS |= {"prose": repeats, "half": cut(repeats), "a page": html(), "nothing": hangs_up()}


@pytest.mark.parametrize("name", MODELS)
def test_whatever_a_model_answers(shared: World, quiet: Any, with_key: Any, name: str) -> None:
    asked = with_key(MODELS[name])
    found: list[str] = []
    quiet(lambda: found.append(captured(shared)))
    assert asked[0].headers["authorization"] == f"Bearer {KEY}"
    assert WORD in json.dumps(asked[0].body), "the text was sent"
    shown = shared.api("GET", f"/items/{found[0]}")
    assert shown.json["item"]["status"] == "FAILED_AI"
    assert heard(json.dumps(shown.json["item"]["failure"], ensure_ascii=False), KEY, shared.token, IN_LINK) == set()


def crash(*_: Any, **__: Any) -> Any:
    raise ValueError(f"{KEY} {INTENT} {LINK}", MARKED.encode()) from KeyError(MARKED)


PLACES = {
    "the engine": (extractive, "summarize"),
    "the reader": ("article", "_from_text"),
    "the table": ("readdo.read.steps", "make"),
    "the words of a failure": ("readdo.read.step_failures", "understood"),
}


@pytest.mark.parametrize("place", PLACES)
def test_whatever_breaks_with_a_text_in_its_words(
    shared: World, quiet: Any, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    where, name = PLACES[place]
    module = importlib.import_module(where) if isinstance(where, str) else where
    if place == "the words of a failure":
        monkeypatch.setattr(extractive, "summarize", crash)
    monkeypatch.setattr(module, name, crash)
    text = quiet(lambda: captured(shared))
    assert "ValueError" in text, "the kind is told"


@pytest.mark.parametrize(
    "place", ["readdo.read.views.item", "readdo.web.body_validation.parse_object", "readdo.web.auth._look_up"]
)
def test_a_call_that_breaks(shared: World, quiet: Any, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    module, _, name = place.rpartition(".")

    def story() -> None:
        monkeypatch.setattr(importlib.import_module(module), name, crash)
        answer = shared.api("POST", "/capture", {"intent_text": INTENT, "content": MARKED, "process": False})
        assert (answer.status, heard(answer.text, KEY, shared.token, *TEXTS)) == (500, set())

    quiet(story)
