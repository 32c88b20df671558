"""The text under edit: a private temporary file, the user's editor, and instructions at the top."""

import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from terminal.failures import CommandFailure, usage
from terminal.session import Session

_MARK = "# readdo edit"
USUAL = ("nano", "vim", "vi")


class Draft:
    """Temporary file with the edited text, kept for the user unless the text was sent or is unchanged."""

    def __init__(self, name: str) -> None:
        self._name = name

    @cached_property
    def path(self) -> Path:
        return Path(tempfile.mkdtemp(prefix="readdo-")) / self._name

    def edited(self, session: Session, text: str) -> str:
        command = _editor(session)
        self.keep(text)
        try:
            # If stdout is redirected, the editor draws on stderr, which is the terminal.
            code = _run([*command, str(self.path)], out=None if session.outside.live(sys.stdout) else 2)
        except OSError as error:
            self.forget()
            raise usage(f"The editor {command[0]!r} cannot start: {error.strerror}.", "Correct EDITOR.") from None
        after = self.path.read_text(encoding="utf-8", errors="replace")
        if code != 0:
            raise self._exit_failure(code, changed=after != text)
        return after

    def keep(self, text: str) -> str:
        self.path.write_text(text, encoding="utf-8", errors="replace")
        return str(self.path)

    def forget(self) -> None:
        if "path" in self.__dict__:
            shutil.rmtree(self.path.parent, ignore_errors=True)
            del self.path

    def _exit_failure(self, code: int, *, changed: bool) -> CommandFailure:
        message = f"The editor ended with exit code {code}, so nothing was sent."
        if changed:
            return CommandFailure(message, f"Your text is saved: {self.path}")
        self.forget()
        return CommandFailure(message)


def _run(command: list[str], out: int | None) -> int:
    """Run the editor with a handler that does nothing for Ctrl-C, which editors use themselves.

    SIG_IGN would not work: the editor would inherit it.
    """
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        return subprocess.run(command, stdout=out, check=False).returncode  # noqa: S603 - the user's own choice
    finally:
        signal.signal(signal.SIGINT, before)


def _editor(session: Session) -> list[str]:
    environ = session.outside.environ
    command = environ.get("VISUAL") or environ.get("EDITOR") or next(filter(shutil.which, USUAL), "")
    if not command:
        raise usage("No editor was found.", "Set one: export EDITOR=nano", "Or pass the text: --from FILE")
    return shlex.split(command)


def put_header(text: str, what: str, help_lines: Sequence[str], problems: Sequence[str] = ()) -> str:
    """Add the instruction lines. They end at the first empty line, so the text itself may begin with #."""
    lines = [f"{_MARK} {what}. Lines above the first empty line are not sent."]
    lines += [f"# {line}" for line in help_lines]
    lines += [f"# ✗ {problem}" for problem in problems]
    return "\n".join(lines) + "\n\n" + text.rstrip("\n") + "\n"


def drop_header(text: str) -> str:
    """Remove the instruction lines, if any; a text from a file has none."""
    text = text.replace("\r\n", "\n").removeprefix("\ufeff")
    if not text.startswith(_MARK):
        return text.strip("\n")
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "\n".join(lines[first:]).strip("\n")
