"""The extension in a real Chromium: press its button on a tab and control the popup by CDP.

Playwright does not list popups, so the browser's own protocol opens and controls them. A program cannot answer the
browser's permission prompt, so the loaded copy of the extension already has the permission for the local address.
"""

import json
import shutil
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright

from browser.visitor import PATIENCE, SEEN, until

FOLDER = Path(__file__).parents[2] / "local/extension"
GRANTED = "http://127.0.0.1/*"
_WAIT = """new Promise((done) => {
  const look = () => { const found = (() => %s)(); found ? done(found) : setTimeout(look, 30); };
  look();
})"""


class Popup:
    """Open popup, until it closes itself or the next one opens."""

    def __init__(self, wire: CDPSession, target: str) -> None:
        self.wire, self.target, self.numbers = wire, target, count(1)
        self.answers: dict[int, Any] = {}
        wire.on("Target.receivedMessageFromTarget", self._receive)
        self.session = wire.send("Target.attachToTarget", {"targetId": target, "flatten": False})["sessionId"]

    def _receive(self, event: dict[str, Any]) -> None:
        if event["sessionId"] == self.session and "id" in (answer := json.loads(event["message"])):
            self.answers[answer["id"]] = answer

    def call(self, method: str, **params: Any) -> Any:
        answer = self._exchange(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def _screenshot(self) -> Any:
        return self._exchange("Page.captureScreenshot", format="png").get("result")

    def _exchange(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self.numbers)
        message = json.dumps({"id": number, "method": method, "params": params})
        self.wire.send("Target.sendMessageToTarget", {"sessionId": self.session, "message": message})
        # The call lets Playwright process incoming events.
        until(lambda: self.wire.send("Browser.getVersion") and number in self.answers, f"an answer to {method}")
        answer: dict[str, Any] = self.answers.pop(number)
        return answer

    def ask(self, script: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, condition: str) -> Any:
        return self.ask(_WAIT % condition)

    def text_of(self, name: str) -> str:
        """Return the text of an element once it is visible."""
        part = f'document.getElementById("{name}")'
        return str(self.until(f"{part} && {part}.offsetParent && {part}.innerText.trim()"))

    def write(self, words: str) -> None:
        """Type into the focused element."""
        self.until("document.hasFocus() && document.activeElement !== document.body")
        self.call("Input.insertText", text=words)

    def enter(self) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13)

    def picture(self, name: str) -> None:
        # Chromium refuses until the popup has drawn its first frame.
        screenshot = until(self._screenshot, "a screenshot")
        (SEEN / f"extension-{name}.png").write_bytes(b64decode(screenshot["data"]))


class Toolbar:
    def __init__(self, context: BrowserContext, folder: Path) -> None:
        assert context.browser is not None
        self.context, self.wire = context, context.browser.new_browser_cdp_session()
        self.id = self.wire.send("Extensions.loadUnpacked", {"path": str(folder)})["id"]
        self.page: Page = context.pages[0]

    def options(self) -> Page:
        return self.open_page("options.html")

    def open_page(self, name: str, before: str = "") -> Page:
        """Open a page of the extension in a tab; `before` runs ahead of its own scripts."""
        page = self.context.new_page()
        if before:
            page.add_init_script(before)
        page.goto(f"chrome-extension://{self.id}/{name}")
        return page

    def press(self) -> Popup:
        """Press the extension's button on the front tab."""
        self.page.bring_to_front()
        open_targets = {one["targetId"] for one in self._popups()}
        tabs = self.wire.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
        here = next(tab["targetId"] for tab in tabs if tab["url"] == self.page.url)
        self.wire.send("Extensions.triggerAction", {"id": self.id, "targetId": here})
        new = until(lambda: [one for one in self._popups() if one["targetId"] not in open_targets], "a popup")
        return Popup(self.wire, new[0]["targetId"])

    def close(self, popup: Popup) -> None:
        self.wire.send("Target.closeTarget", {"targetId": popup.target})
        until(lambda: all(one["targetId"] != popup.target for one in self._popups()), "the popup's end")

    def _popups(self) -> list[dict[str, Any]]:
        targets = self.wire.send("Target.getTargets")["targetInfos"]
        return [one for one in targets if one["url"].endswith("/popup.html")]


@contextmanager
def toolbar(driver: Playwright, program: str, place: Path, args: list[str], **options: Any) -> Iterator[Toolbar]:
    folder = place / "extension"
    shutil.copytree(FOLDER, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, "host_permissions": [GRANTED]}), encoding="utf-8")
    context = driver.chromium.launch_persistent_context(
        str(place / "profile"),
        executable_path=program or None,
        ignore_default_args=["--disable-extensions"],
        args=[*args, "--enable-unsafe-extension-debugging"],
        **options,
    )
    context.set_default_timeout(PATIENCE)
    yield Toolbar(context, folder)
    context.close()
