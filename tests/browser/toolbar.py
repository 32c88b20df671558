"""The extension in a real Chromium: its button pressed on a tab, and the popup that comes, spoken with over the wire.

Playwright lists no popups, so the browser's own protocol opens it and asks it. A program cannot answer the browser's
question whether the extension may speak with an address; so the copy that is loaded has been given the one.
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
from visitor import PATIENCE, SEEN, until

FOLDER = Path(__file__).parents[2] / "local/extension"
GRANTED = "http://127.0.0.1/*"
_WAIT = """new Promise((done) => {
  const look = () => { const found = (() => %s)(); found ? done(found) : setTimeout(look, 30); };
  look();
})"""


class Popup:
    """One that is open, until it closes itself or the next one comes."""

    def __init__(self, wire: CDPSession, target: str) -> None:
        self.wire, self.target, self.numbers = wire, target, count(1)
        self.answers: dict[int, Any] = {}
        wire.on("Target.receivedMessageFromTarget", self._hear)
        self.session = wire.send("Target.attachToTarget", {"targetId": target, "flatten": False})["sessionId"]

    def _hear(self, told: dict[str, Any]) -> None:
        if told["sessionId"] == self.session and "id" in (answer := json.loads(told["message"])):
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
        # The question lets what has come in be heard.
        until(lambda: self.wire.send("Browser.getVersion") and number in self.answers, f"an answer to {method}")
        answer: dict[str, Any] = self.answers.pop(number)
        return answer

    def ask(self, script: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, condition: str) -> Any:
        return self.ask(_WAIT % condition)

    def seen(self, name: str) -> str:
        """The words of a part, once it is there to be read."""
        part = f'document.getElementById("{name}")'
        return str(self.until(f"{part} && {part}.offsetParent && {part}.innerText.trim()"))

    def write(self, words: str) -> None:
        """Into whatever has the focus, as a keyboard does."""
        self.until("document.hasFocus() && document.activeElement !== document.body")
        self.call("Input.insertText", text=words)

    def enter(self) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter", windowsVirtualKeyCode=13)

    def picture(self, name: str) -> None:
        # Chromium refuses until the popup has drawn its first frame.
        made = until(self._screenshot, "a screenshot")
        (SEEN / f"extension-{name}.png").write_bytes(b64decode(made["data"]))


class Toolbar:
    def __init__(self, context: BrowserContext, folder: Path) -> None:
        assert context.browser is not None
        self.context, self.wire = context, context.browser.new_browser_cdp_session()
        self.id = self.wire.send("Extensions.loadUnpacked", {"path": str(folder)})["id"]
        self.page: Page = context.pages[0]

    def options(self) -> Page:
        return self.opened("options.html")

    def opened(self, name: str, before: str = "") -> Page:
        """A page of the extension in a tab; `before` runs ahead of its own scripts."""
        page = self.context.new_page()
        if before:
            page.add_init_script(before)
        page.goto(f"chrome-extension://{self.id}/{name}")
        return page

    def press(self) -> Popup:
        """On the tab that stands in front."""
        self.page.bring_to_front()
        known = {one["targetId"] for one in self._popups()}
        tabs = self.wire.send("Target.getTargets", {"filter": [{"type": "tab"}]})["targetInfos"]
        here = next(tab["targetId"] for tab in tabs if tab["url"] == self.page.url)
        self.wire.send("Extensions.triggerAction", {"id": self.id, "targetId": here})
        new = until(lambda: [one for one in self._popups() if one["targetId"] not in known], "a popup")
        return Popup(self.wire, new[0]["targetId"])

    def close(self, popup: Popup) -> None:
        self.wire.send("Target.closeTarget", {"targetId": popup.target})
        until(lambda: all(one["targetId"] != popup.target for one in self._popups()), "the popup's end")

    def _popups(self) -> list[dict[str, Any]]:
        found = self.wire.send("Target.getTargets")["targetInfos"]
        return [one for one in found if one["url"].endswith("/popup.html")]


@contextmanager
def toolbar(driver: Playwright, program: str, place: Path, args: list[str], **how: Any) -> Iterator[Toolbar]:
    folder = place / "extension"
    shutil.copytree(FOLDER, folder)
    told = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**told, "host_permissions": [GRANTED]}), encoding="utf-8")
    context = driver.chromium.launch_persistent_context(
        str(place / "profile"),
        executable_path=program or None,
        ignore_default_args=["--disable-extensions"],
        args=[*args, "--enable-unsafe-extension-debugging"],
        **how,
    )
    context.set_default_timeout(PATIENCE)
    yield Toolbar(context, folder)
    context.close()
