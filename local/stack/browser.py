"""The page, opened in the reader's browser where there is a display; READDO_OPEN=0 leaves that to the reader."""

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
    """Found before the environment is scrubbed, of which a browser needs all."""

    opener: str
    environment: Mapping[str, str]

    @classmethod
    def find(cls, environ: Mapping[str, str]) -> "Browser | None":
        if environ.get("READDO_OPEN") == "0":
            return None
        seen = sys.platform == "darwin" or any(environ.get(name) for name in _DISPLAYS)
        opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open") if seen else None
        return cls(opener, dict(environ)) if opener else None

    def show(self, file: Path) -> None:
        """A file that leads to the page: other users of this machine see every process's arguments.

        The browser's output is dropped, and nobody waits for it to end.
        """
        subprocess.Popen(  # noqa: S603 - the system's own opener, and a file of ours
            [self.opener, str(file)],
            env=dict(self.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd=os.sep,
        )
