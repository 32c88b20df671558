"""Model of a few items in plain Python: the state that the API has acknowledged."""

from dataclasses import dataclass, field
from typing import Any

from unit.lifecycle.expected import ITEM

# Values of the requests.
PAGES = ("", "https://example.org/leases", "https://example.org/栅栏令牌")
INTENTS = ("make our job queue safe", "让我们的任务队列不怕过期的进程", "read it 👍🏽 \u202eagain")
NAMES = ("", "", "0b8f2c1e-6f0d-4c3a-9d57-5b1f7f4f2a10", "1c9f2c1e-6f0d-4c3a-9d57-5b1f7f4f2a10", "key-a", "key-b")
KEYS = ("", "", "once", "twice")
MOVES = ("process", "retry", "regenerate", "keep", "ship", "archive", "unarchive", "delete")
STATES: tuple[str, ...] = ("CAPTURED", "QUEUED", "PROCESSING", "READY", "FAILED_EXTRACTION", "FAILED_AI")
STATES += ("FAILED_EXPORT", "SHIPPED", "ARCHIVED")
ENDS = ((), ("publish",), ("publish",), ("fail for good",), ("extract", "fail for good"))
KINDS = ("summary", "todos", "card")
BUTTONS = {
    "process": ("process",),
    "retry": ("retry",),
    "regenerate": ("regenerate",),
    "keep": ("keep",),
    "export": ("export",),
    "ship": ("ship",),
    "archive": ("archive", "archive_failure"),
    "unarchive": ("unarchive", "unarchive_anew"),
    "patch": ("patch",),
    "edit": ("edit",),
    "accept": ("accept",),
    "unedit": ("unedit",),
    "delete": ("delete",),
}
_MODES = {"process": "PROCESS", "retry": "RETRY", "regenerate": "REGENERATE"}
_RESET_RECLAIMS = ("process", "retry", "regenerate", "keep", "ship", "unarchive", "unarchive_anew")


@dataclass
class Export:
    formats: tuple[str, ...]
    served: str
    status: str = "RUNNING"


@dataclass
class Item:
    """Item in the state that the API must show."""

    id: str
    fields: dict[str, Any]
    status: str = "CAPTURED"
    intents: list[str] = field(default_factory=list)
    saves: int = 1
    has_text: bool = True
    version: int = 1
    served: str = ""
    reclaims: int = 0
    extracted: bool = False
    numbers: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    of_system: dict[str, int] = field(default_factory=dict)
    edited: dict[str, int] = field(default_factory=dict)
    exports: dict[str, Export] = field(default_factory=dict)
    tasks: dict[tuple[int, int], str] = field(default_factory=dict)

    def may(self, trigger: str) -> bool:
        needs = {"keep": self.served, "unarchive": self.served, "unedit": self.edited}
        return self.status in ITEM[trigger] and bool(needs.get(trigger, True))

    def listed(self) -> set[str]:
        return {button for button, triggers in BUTTONS.items() if any(map(self.may, triggers))}

    def pull(self, trigger: str) -> None:
        target = ITEM[trigger][self.status]
        self.status = self.status if target == "stays" else target
        if trigger in _RESET_RECLAIMS:
            self.reclaims = 0
        if self.status == "QUEUED":
            self.extracted = False

    def press(self, button: str) -> bool:
        """Apply the button's first possible trigger and return whether there was one."""
        for trigger in BUTTONS[button]:
            if self.may(trigger):
                self.pull(trigger)
                return True
        return False

    def shown_version(self, kind: str) -> int:
        return self.edited.get(kind) or self.of_system.get(kind, 0)

    def edit(self, kind: str) -> int:
        self.numbers[kind] += 1
        self.edited[kind] = self.numbers[kind]
        return self.numbers[kind]

    def publish(self, run_id: str) -> None:
        for kind in KINDS:
            self.numbers[kind] += 1
        self.of_system = dict(self.numbers)
        self.served = run_id
        self.pull("publish")
        self.reclaims = 0

    def join(self, intent: str, *, has_text: bool) -> None:
        self.saves += 1
        self.intents += [] if intent in self.intents else [intent]
        self.add_text(offered=has_text)

    def add_text(self, *, offered: bool) -> None:
        self.has_text = self.has_text or (offered and self.may("attach_text"))

    def request_export(self, key: str, formats: tuple[str, ...]) -> int:
        """Apply an export request and return the expected status."""
        existing = self.exports.get(key)
        if existing and existing.formats != formats:
            return 422
        if existing and existing.status != "FAILED":
            return {"RUNNING": 202, "DONE": 200}[existing.status]
        if not self.may("export") or (existing and existing.served != self.served):
            return 409
        self.exports[key] = Export(formats, self.served)
        return 202

    def export_ended(self, key: str, *, well: bool) -> None:
        self.exports[key].status = "DONE" if well else "FAILED"
        trigger = "export_done" if well else "export_again_failed" if self.status == "SHIPPED" else "export_failed"
        if self.exports[key].served == self.served and self.may(trigger):
            self.pull(trigger)
            self.reclaims = 0 if well else self.reclaims


def body_of(button: str) -> dict[str, Any] | None:
    return {"mode": _MODES[button]} if button in _MODES else None
