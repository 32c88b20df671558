"""Tokens, model keys and user texts never appear in a log."""

import importlib
import json
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest

from access.canaries import (
    HAN,
    IN_LINK,
    INTENT,
    KEY,
    LINK,
    MARKED,
    TEXTS,
    WORD,
    collect_logs,
    encodings_of,
    find_leaks,
    stored_data,
    workflow_data,
)
from access.fake_network import PUBLIC, fake_network, page_response, redirect_response
from readdo import files
from readdo.engine import extractive, settings
from readdo.lifecycle.write import Write
from readdo.net import address
from readdo.net.address import resolve
from readdo.store import keys
from readdo.transfer import transfer_keys
from support.import_helpers import get_import, start_import
from support.model_server import ModelRequest, Reply, cut, hangs_up, html, model_server, reply, text_response
from support.notion_requests import answered_by
from support.notion_server import NotionServer, refusal
from support.notion_world import PARAMETER, mirrored
from support.world import World
from support.world import world as new_world

Scenario = Callable[[], Any]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with new_world() as module_world:
        yield module_world


@pytest.fixture
def run_without_leaks(world: World, capfd: pytest.CaptureFixture[str]) -> Callable[[Scenario], str]:
    """Run a scenario, return the log, and fail if it holds a secret or a user's text."""

    def run(scenario: Scenario) -> str:
        with collect_logs("DEBUG") as lines:
            scenario()
            world.settle()
        out, err = capfd.readouterr()
        text = "\n".join([*lines, out, err])
        assert find_leaks(text, world.token, KEY, *TEXTS) == set(), text[:3000]
        assert find_leaks(workflow_data(world), world.token, KEY, *TEXTS) == set()
        assert find_leaks(stored_data(world), world.token, KEY) == set()
        return text

    return run


def capture_canary(world: World, **more: Any) -> str:
    fields = {"on_duplicate": "new", "intent_text": INTENT, "title": f"On the {WORD}", "content": MARKED, "url": LINK}
    return world.capture(**{**fields, **more})


def test_find_leaks_finds_every_encoding() -> None:
    """Proves that the search finds every encoding, so that an empty result means no leak."""
    for secret in (KEY, *TEXTS):
        assert all(find_leaks(f"said {form} aloud", secret) for form in encodings_of(secret))
        assert not find_leaks("nothing at all of it, nor https://diary.example/", secret)


def test_successful_processing_leaks_nothing(world: World, run_without_leaks: Any) -> None:
    def scenario() -> None:
        item = capture_canary(world)
        assert world.settled(item)["status"] == "READY"
        assert world.api("POST", f"/items/{item}/export", {"export_key": WORD, "formats": ["md", "html"]}).status == 202
        assert world.settled(item)["status"] == "SHIPPED"
        assert world.api("GET", f"/exports/{item}/{WORD}/card.md").status == 302
        world.api("GET", f"/items?q={WORD}")
        world.api("PATCH", f"/items/{item}", {"title": HAN}, if_match="*")
        secret = world.api("POST", "/tokens", {"name": WORD}).json["token"]["secret"]
        world.api("GET", "/items", token=secret)
        world.heartbeat()

    assert "StepTime" in run_without_leaks(scenario)


def test_import_leaks_nothing(world: World, run_without_leaks: Any) -> None:
    files = {
        f"{WORD}.csv": f"url,title,note,tags\n{LINK},{HAN},{INTENT},{WORD}\njavascript:{IN_LINK},{WORD},,\n",
        f"{HAN}.json": json.dumps([{"url": f"{LINK}&of={HAN}", "content": MARKED, "tags": [HAN]}]),
        f"{IN_LINK}.zip": f"PK\x03\x04{WORD}{HAN}",
    }

    def scenario() -> None:
        statuses = []
        for name, text in files.items():
            import_id = start_import(world, text, name, intent_text=INTENT, process=False)
            world.settle()
            statuses.append(get_import(world, import_id)["status"])
        assert statuses == ["DONE", "DONE", "FAILED"]

    run_without_leaks(scenario)


def test_backup_and_restore_leak_nothing(world: World, run_without_leaks: Any) -> None:
    def scenario() -> None:
        item = capture_canary(world)
        assert world.settled(item)["status"] == "READY"
        assert world.api("GET", "/export-all?fresh=true").status == 202
        world.settle()
        done = world.api("GET", "/backups").json["backups"][0]
        row = world.table.get(transfer_keys.backup(world.owner, done["id"])) or {}
        for body in (files.get(row["file"]["at"]), f"PK\x03\x04{WORD}{HAN}".encode()):
            offer = world.api("POST", "/restore", {"size": len(body), "sha256": files.sha256(body)})
            restore = offer.json["restore"]["id"]
            files.put_once(f"restores/{world.owner}/{restore}.zip", body, "application/zip")
            assert world.api("POST", f"/restores/{restore}/start").status == 202
            world.settle()
        statuses = [entry["status"] for entry in world.api("GET", "/restores").json["restores"]]
        assert sorted(statuses) == ["DONE", "FAILED"]

    run_without_leaks(scenario)


def test_mirror_leaks_nothing(world: World, run_without_leaks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    notion = NotionServer({WORD: {"type": "title", "title": {}}}, token=KEY)
    answered_by(notion, monkeypatch)

    def scenario() -> None:
        with mirrored(world, notion, monkeypatch) as mirror:
            boto3.client("ssm").put_parameter(Name=PARAMETER, Value=KEY, Type="SecureString", Overwrite=True)
            world.api("POST", "/tasks", {"intent": "write", "title": HAN, "tags": [WORD], "project": IN_LINK})
            world.heartbeat()
            for refused in (None, refusal(400, "validation_error", f"{WORD} {HAN}"), refusal(401, "unauthorized", KEY)):
                notion.tricks = [lambda *_, error=refused: error]
                mirror.turn()
                mirror.wait()
            assert mirror.told["code"] == "TOKEN_UNKNOWN"
        assert notion.pages

    run_without_leaks(scenario)


def test_refused_calls_leak_nothing(world: World, run_without_leaks: Any) -> None:
    def scenario() -> None:
        world.api("GET", "/items", token=f"{world.token}{WORD}")
        world.api("POST", "/capture", raw=f'{{"intent_text": "{WORD}", {HAN}')
        world.api("POST", "/capture", {"intent_text": WORD, "url": f"https://me:{IN_LINK}@x.example/"})
        world.api("POST", f"/items/{WORD}/process", {"mode": HAN})
        world.api("GET", f"/items?cursor={WORD}&q={HAN}")
        world.api("PUT", "/items/x/artifacts/card", {WORD: HAN}, if_match="1")
        world.api("BREW", f"/{WORD}", token=KEY)

    run_without_leaks(scenario)


BODY = f"<html><head><title>{WORD}</title></head><body><article><p>{MARKED}</p></article></body></html>".encode()
SITE_ANSWERS = {
    "headers that nobody can read": page_response(BODY).replace(
        b"\r\n\r\n", f"\r\n {WORD}\r\n{HAN} no colon\r\n\r\n".encode(), 1
    ),
    "a page without a text": page_response(f"<html><title>{WORD}</title><body><i>{HAN}</i></body></html>".encode()),
    "half a page": page_response(BODY, Content_Length="99999"),
    "a broken pack": page_response(BODY, Content_Encoding="gzip"),
    "an unknown pack": page_response(BODY, Content_Encoding="br"),
    "another kind": page_response(BODY, Content_Type=f"image/png; name={WORD}"),
    "a refusal": page_response(BODY, status=f"403 {WORD}"),
    "nonsense": f"{WORD} {HAN}\r\n\r\n".encode(),
    "a way home": redirect_response(f"http://127.0.0.1/{IN_LINK}?{WORD}"),
    "a long way": redirect_response(f"https://another.example/{IN_LINK}?{WORD}"),
    "an unreadable way": redirect_response(f"http://[{WORD}/{IN_LINK}"),
    "not a PDF": page_response(b"%PDF-1.4\n" + BODY, Content_Type="application/pdf"),
    "dates and authors": page_response(
        BODY.replace(
            b"<head>",
            f'<head><meta name="date" content="{WORD} 99/99/20266"><script type="application/ld+json">'
            f'{{"author": "{HAN}", {WORD}</script>'.encode(),
        )
    ),
    "a page": page_response(BODY),
}


@pytest.mark.parametrize("name", SITE_ANSWERS)
def test_responses_of_sites_leak_nothing(
    world: World, run_without_leaks: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(address, "resolve", resolve)
    link = LINK.replace("https:", "http:")
    with fake_network({"diary.example": [[PUBLIC]]}) as watched:
        watched.answers[PUBLIC] = [SITE_ANSWERS[name]] * 3
        run_without_leaks(lambda: capture_canary(world, url=link, content=""))
        assert watched.connected
        assert WORD.encode() in watched.received()[0], "the link was asked for"


@pytest.fixture
def start_model(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., list[ModelRequest]]]:
    """A local model server that gets the key from the encrypted parameter."""
    boto3.client("ssm").put_parameter(Name="/readdo/model-key", Value=KEY, Type="SecureString", Overwrite=True)
    world.table.write(Write(keys.provider("openai"), "delete"))  # reset the pause after earlier errors of the provider
    settings._stored_key.cache_clear()
    opened: list[Any] = []

    def start(behaviour: Any, **more: str) -> list[ModelRequest]:
        opened.append(model_server(behaviour))
        server = opened[-1].__enter__()
        environment = {"ENGINE": "openai", "MODEL_NAME": "m", "MODEL_BASE_URL": server.url, "DAILY_TOKENS": "900000"}
        for name, value in {**environment, "MODEL_KEY_PARAMETER": "/readdo/model-key", **more}.items():
            monkeypatch.setenv(name, value)
        requests: list[ModelRequest] = server.requests
        return requests

    yield start
    world.settle()
    settings._stored_key.cache_clear()
    for context in opened:
        context.__exit__(None, None, None)


def echo_error(number: int) -> Callable[[ModelRequest], Reply]:
    """An error response that repeats the whole request, including the key."""

    def respond(request: ModelRequest) -> Reply:
        words = f"{request.headers.get('authorization')} {json.dumps(request.body, ensure_ascii=False)}"
        return reply({"error": {"message": words, "type": words[:90], "code": KEY, "param": HAN}}, number, X_Was=KEY)

    return respond


def echo_prompt(request: ModelRequest) -> Any:
    prompt = json.dumps(request.body, ensure_ascii=False)
    return text_response(f"You sent {request.headers.get('authorization')}: {prompt}")(request)


STATUSES = (301, 400, 401, 403, 404, 408, 413, 429, 500, 503)
MODELS: dict[str, Any] = {f"{number}": echo_error(number) for number in STATUSES}
MODELS |= {"prose": echo_prompt, "half": cut(echo_prompt), "a page": html(), "nothing": hangs_up()}


@pytest.mark.parametrize("name", MODELS)
def test_responses_of_models_leak_nothing(world: World, run_without_leaks: Any, start_model: Any, name: str) -> None:
    requests = start_model(MODELS[name])
    item_ids: list[str] = []
    run_without_leaks(lambda: item_ids.append(capture_canary(world)))
    assert requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert WORD in json.dumps(requests[0].body), "the text was sent"
    item = world.api("GET", f"/items/{item_ids[0]}").json["item"]
    assert item["status"] == "FAILED_AI"
    assert find_leaks(json.dumps(item["failure"], ensure_ascii=False), KEY, world.token, IN_LINK) == set()


def crash(*_: Any, **__: Any) -> Any:
    raise ValueError(f"{KEY} {INTENT} {LINK}", MARKED.encode()) from KeyError(MARKED)


CRASH_PLACES = {
    "the engine": (extractive, "summarize"),
    "the reader": ("readdo.extraction.article", "_from_text"),
    "the table": ("readdo.read.run_steps", "make"),
    "the words of a failure": ("readdo.read.step_failures", "to_failure"),
}


@pytest.mark.parametrize("place", CRASH_PLACES)
def test_exceptions_with_texts_leak_nothing(
    world: World, run_without_leaks: Any, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    target, name = CRASH_PLACES[place]
    module = importlib.import_module(target) if isinstance(target, str) else target
    if place == "the words of a failure":
        monkeypatch.setattr(extractive, "summarize", crash)
    monkeypatch.setattr(module, name, crash)
    text = run_without_leaks(lambda: capture_canary(world))
    assert "ValueError" in text, "the kind is told"


@pytest.mark.parametrize("place", ["read.views.item", "web.request_body.parse_object", "web.auth._look_up"])
def test_crashed_call_leaks_nothing(
    world: World, run_without_leaks: Any, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    module, _, name = f"readdo.{place}".rpartition(".")

    def scenario() -> None:
        monkeypatch.setattr(importlib.import_module(module), name, crash)
        answer = world.api("POST", "/capture", {"intent_text": INTENT, "content": MARKED, "process": False})
        assert (answer.status, find_leaks(answer.text, KEY, world.token, *TEXTS)) == (500, set())

    run_without_leaks(scenario)
