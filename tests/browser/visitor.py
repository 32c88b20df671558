"""Visit of a user in a browser window, with helpers and screenshots."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

SEEN = Path(__file__).parents[2] / ".local/screenshots"
PATIENCE = 90_000  # milliseconds, for a slow machine; a wait ends as soon as its condition holds
TEXT = {
    "en": "Leases keep two workers from doing the same job. A worker writes its name and an end time onto the row, and "
    "the write succeeds only if the row is still free. The step that people forget is the fencing token: every later "
    "write must carry the number of the lease. We compared three designs over 10,000 histories. Checking the status "
    "alone let 404 stale writes through. Start by listing every write, then add the condition to each.",
    "zh": "租约让两个工作进程不会同时处理同一个任务。进程把自己的名字和到期时间写到记录上，"
    "只有记录仍然空闲时写入才会成功。"
    "人们最容易忘记的是栅栏令牌：之后的每一次写入都必须带上租约的编号。我们用一万条历史比较了三种设计，"
    "只有检查编号的方案没有放过任何过期写入。第一步是列出所有写入，第二步是给每个写入加上条件。",
}
WINDOWS = {"phone": (390, 844), "tablet": (820, 1100), "wide": (1440, 900)}
WHY = {"en": "make our job queue safe", "zh": "让我们的任务队列不怕过期的进程"}


def until(found: Callable[[], Any], what: str) -> Any:
    """Call `found` until it returns a true value, and fail after PATIENCE."""
    deadline = time.monotonic() + PATIENCE / 1000
    while not (answer := found()):
        assert time.monotonic() < deadline, f"{what}: not within {PATIENCE / 1000:g} s"
    return answer


@dataclass(frozen=True)
class Site:
    url: str
    token: str

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Call the API."""
        headers = {"Authorization": f"Bearer {self.token}"}
        return requests.request(method, self.url + path, json=body, headers=headers, timeout=60).json()

    @contextmanager
    def visit(self, browser: Browser, **options: Any) -> Iterator[Page]:
        """Open a window; errors of scripts and of the content policy fail the test."""
        trouble: list[str] = []
        defaults = {"viewport": {"width": 1280, "height": 900}, "locale": "en-GB", "reduced_motion": "reduce"}
        window = browser.new_context(**{**defaults, **options})
        window.set_default_timeout(PATIENCE)
        page = window.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on(
            "console",
            lambda message: trouble.append(message.text) if "Content Security Policy" in message.text else None,
        )
        page.goto(f"{self.url}/my/enter?token={self.token}")
        yield page
        window.close()
        assert trouble == []


def picture(page: Page, name: str) -> None:
    page.screenshot(path=SEEN / f"{name}.png", full_page=True)


def capture(page: Page, source: str, why: str) -> None:
    page.fill("#source", source)
    page.fill("#intent_text", why)
    page.click("form.capture button.main")


def serious(page: Page) -> list[str]:
    violations = Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]}"
        for rule in violations
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]
