"""Open the page in the user's browser if there is a display; READDO_OPEN=0 turns this off."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")


@dataclass(frozen=True)
class Browser:
    """The browser command with the full environment, read before the environment is scrubbed."""

    opener: str
    environment: Mapping[str, str]

    @classmethod
    def find(cls, environ: Mapping[str, str]) -> "Browser | None":
        if environ.get("READDO_OPEN") == "0":
            return None
        has_display = sys.platform == "darwin" or any(environ.get(name) for name in _DISPLAYS)
        opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open") if has_display else None
        return cls(opener, dict(environ)) if opener else None

    def show(self, file: Path) -> None:
        """Open a file that redirects to the page, in the background.

        The address with the token is not an argument: other users of this machine can see process arguments.
        """
        subprocess.Popen(  # noqa: S603 - the system's opener with our own file
            [self.opener, str(file)],
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=os.sep,
        )
