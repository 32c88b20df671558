"""Edit loop: open the editor, send the text, and reopen the editor if the API rejects the text.

The user's text is never lost.
"""

import difflib
import sys
from contextlib import suppress
from pathlib import Path

from terminal import api
from terminal.api import ApiResponse
from terminal.artifact_editor import header_lines, subject
from terminal.artifact_editor.editor import Draft
from terminal.artifact_editor.form import UnreadableForm
from terminal.artifact_editor.subject import Subject
from terminal.failures import REFUSED, USAGE, CommandFailure, missing, usage
from terminal.session import Session
from terminal.text import clean
from terminal.words import short


class Edit:
    def __init__(self, session: Session, item_id: str, kind: str, *, as_json: bool) -> None:
        self.session, self.item_id, self.kind, self.as_json = session, item_id, kind, as_json
        self.what = f"{short(item_id)} {kind}"
        self.draft = Draft(f"{kind}-{short(item_id)}.{'json' if as_json else 'md'}")

    def load(self) -> Subject:
        response = self.session.api.get(api.item(self.item_id))
        loaded = subject.of(response, self.kind, as_json=self.as_json)
        if loaded is None:
            status = response.data["item"]["status"]
            raise missing(f"This item has no {self.kind} yet: it is {status}.", f"readdo show {short(self.item_id)}")
        return loaded

    def by_hand(self) -> ApiResponse | None:
        """Edit in the user's editor; `None` if nothing was changed."""
        _require_terminal(self.session, self.what)
        original = self.load()
        first_text = header_lines.put(original.text, self.what, subject.help_of(self.kind, as_json=self.as_json))
        last = first_text
        while True:
            text = self.draft.edited(self.session, last)
            if text == last and text != first_text:
                raise self._not_sent("You did not correct the text, so it was not sent again.", text, USAGE)
            problems = self._try(original, header_lines.drop(text))
            if not isinstance(problems, list):
                self.draft.forget()
                return problems
            help_lines = subject.help_of(self.kind, as_json=self.as_json)
            last = header_lines.put(header_lines.drop(text), self.what, help_lines, problems)

    def from_text(self, text: str) -> ApiResponse | None:
        problems = self._try(self.load(), header_lines.drop(text))
        if isinstance(problems, list):
            raise CommandFailure("The text is not valid.", *problems, exit_code=USAGE, code="VALIDATION_ERROR")
        self.draft.forget()
        return problems

    def _try(self, original: Subject, text: str) -> ApiResponse | list[str] | None:
        """Send the text. Return the response, a list of problems to correct, or `None` if nothing was changed."""
        try:
            content = original.read(text)
            if content == original.read(original.text):
                return None
            return original.send(self.session.api, content)
        except UnreadableForm as invalid:
            return [clean(problem) for problem in invalid.problems]
        except CommandFailure as failure:
            if failure.status == 400:
                return _problems(failure)
            if failure.status == 412:
                raise self._conflict(text) from None
            raise self._not_sent(failure.message, text, failure.exit_code, *failure.next_steps, cause=failure) from None

    def _conflict(self, text: str) -> CommandFailure:
        with suppress(CommandFailure):  # keeping the text matters more than showing the difference
            self._show_difference(self.load().text, text)
        return self._not_sent(
            f"The {self.kind} was changed while you edited. The difference is above: current (-), yours (+).",
            text,
            REFUSED,
        )

    def _not_sent(
        self, message: str, text: str, code: int, *more: str, cause: CommandFailure | None = None
    ) -> CommandFailure:
        path = self.draft.keep(text)
        steps = (
            f"Your text is saved: {path}",
            f"Edit that file, then send it: readdo edit {self.what} --from {path}",
        )
        failure = CommandFailure(
            message, *more, *steps, exit_code=code, code="NOT_SENT", status=cause.status if cause else 0
        )
        if cause:
            failure.error = {**cause.error, "kept": path}
        return failure

    def _show_difference(self, current: str, yours: str) -> None:
        colours = {"+": "green", "-": "red"}
        lines = difflib.unified_diff(current.split("\n"), yours.split("\n"), "current", "yours", lineterm="", n=1)
        for line in () if self.session.json else lines:
            self.session.notes.paragraph(line, colours.get(line[:1], "dim"))


def _require_terminal(session: Session, what: str) -> None:
    """Fail unless an editor can run: it needs stdin, and stdout or stderr, on a terminal."""
    live = session.outside.live
    if not live(sys.stdin) or not (live(sys.stdout) or live(sys.stderr)):
        raise usage("There is no terminal for an editor.", f"Pass the text: readdo edit {what} --from FILE|-")


def _problems(failure: CommandFailure) -> list[str]:
    fields = failure.details.get("fields")
    if isinstance(fields, list) and fields:
        return [clean(f"{field.get('field', '')} {field.get('message', '')}".strip()) for field in fields]
    return [failure.message]


def text_of(source: str) -> str:
    from terminal import sources  # noqa: PLC0415 - only for --from

    empty = ", so nothing was changed"
    return sources.of_stdin(empty) if source == "-" else sources.of_file(Path(source), empty)
