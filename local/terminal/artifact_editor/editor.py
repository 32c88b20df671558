"""The user's own editor, on a file that nobody else can read."""

import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from functools import cached_property
from pathlib import Path

from terminal.failures import CommandFailure, usage
from terminal.session import Session

USUAL = ("nano", "vim", "vi")


class Draft:
    """The text on its way. It is kept, and the user told where, unless it was sent or is as it was."""

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def path(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="readdo-")) / self._name

    def edited(self, session: Session, text: str) -> str:
        command = _editor(session)
        self.keep(text)
        try:
            # An editor draws where the user looks, even if what we print goes elsewhere.
            code = _run([*command, str(self.path)], out=None if session.outside.live(sys.stdout) else 2)
        except OSError as error:
            self.forget()
            raise usage(f"The editor {command[0]!r} does not start: {error.strerror}.", "Set EDITOR anew.") from None
        after = self.path.read_text(encoding="utf-8", errors="replace")
        if code != 0:
            raise self._ended(code, changed=after != text)
        return after

    def keep(self, text: str) -> str:
        self.path.write_text(text, encoding="utf-8", errors="replace")
        return str(self.path)

    def forget(self) -> None:
        if "path" in self.__dict__:
            shutil.rmtree(self.path.parent, ignore_errors=True)
            del self.path

    def _ended(self, code: int, *, changed: bool) -> CommandFailure:
        message = f"The editor ended with {code}, so nothing was sent."
        if changed:
            return CommandFailure(message, f"Your text is kept: {self.path}")
        self.forget()
        return CommandFailure(message)


def _run(command: list[str], out: int | None) -> int:
    """Ctrl-C means something of its own in an editor: it must not end us. (Ignored, the editor would ignore it too.)"""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run(command, stdout=out, check=False).returncode  # noqa: S603 - the user's own choice
    finally:
        signal.signal(signal.SIGINT, before)


def _editor(session: Session) -> list[str]:
    environ = session.outside.environ
    named = environ.get("VISUAL") or environ.get("EDITOR") or next(filter(shutil.which, USUAL), "")
    if not named:
        raise usage("There is no editor.", "Set one: export EDITOR=nano", "Or give the text: --from FILE")
    return shlex.split(named)
