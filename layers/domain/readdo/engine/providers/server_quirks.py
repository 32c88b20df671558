"""Capabilities of a model's server, found by trial and remembered for the process.

If a server rejects the request format, the next simpler format is tried. The format that worked is remembered by
provider, address and model.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from readdo.engine.providers.provider_errors import StepFailed

T = TypeVar("T")
CAPS = ("max_completion_tokens", "max_tokens")


@dataclass(frozen=True)
class ServerQuirks:
    forms: tuple[str, ...]  # ways to send the schema, best first; the first is used
    caps: tuple[str, ...] = ()  # names of the output limit; the first is used

    @property
    def form(self) -> str:
        return self.forms[0]

    @property
    def cap(self) -> str:
        return self.caps[0]

    def simpler(self, refused: StepFailed, form_words: tuple[str, ...]) -> "ServerQuirks | None":
        """The next simpler format. None if the rejection has another cause."""
        if refused.kind != "refused":
            return None
        if len(self.caps) > 1 and any(cap in refused.server_text for cap in CAPS):
            return replace(self, caps=self.caps[1:])
        if len(self.forms) > 1 and any(word in refused.server_text for word in form_words):
            return replace(self, forms=self.forms[1:])
        return None


_known: dict[tuple[str, str, str], ServerQuirks] = {}


def with_fallback_formats(
    place: tuple[str, str, str], first: ServerQuirks, form_words: tuple[str, ...], ask: Callable[[ServerQuirks], T]
) -> T:
    quirks = _known.get(place, first)
    while True:
        try:
            response = ask(quirks)
        except StepFailed as failure:
            simpler = quirks.simpler(failure, form_words)
            if simpler is None:
                if failure.answers:  # it responded, so it accepts the format
                    _known[place] = quirks
                raise
            quirks = simpler
        else:
            _known[place] = quirks
            return response


def forget() -> None:
    """Reset, for tests."""
    _known.clear()
