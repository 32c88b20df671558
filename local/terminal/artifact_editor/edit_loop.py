"""Edit, send, and if it is refused edit again: whatever happens, the user's words are not lost."""

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
        found = self.session.api.get(api.item(self.item_id))
        loaded = subject.of(found, self.kind, as_json=self.as_json)
        if loaded is None:
            status = found.data["item"]["status"]
            raise missing(f"This item has no {self.kind} yet: it is {status}.", f"readdo show {short(self.item_id)}")
        return loaded

    def by_hand(self) -> ApiResponse | None:
        """`None` if nothing was changed."""
        _ask_for_a_terminal(self.session, self.what)
        seen = self.load()
        shown = header_lines.put(seen.text, self.what, subject.help_of(self.kind, as_json=self.as_json))
        last = shown
        while True:
            text = self.draft.edited(self.session, last)
            if text == last and text != shown:
                raise self._kept("It is still as it was refused, so it was not sent again.", text, USAGE)
            problems = self._try(seen, header_lines.drop(text))
            if not isinstance(problems, list):
                self.draft.forget()
                return problems
            help_lines = subject.help_of(self.kind, as_json=self.as_json)
            last = header_lines.put(header_lines.drop(text), self.what, help_lines, problems)

    def from_text(self, text: str) -> ApiResponse | None:
        problems = self._try(self.load(), header_lines.drop(text))
        if isinstance(problems, list):
            raise CommandFailure(
                "The text cannot be taken as it is.", *problems, exit_code=USAGE, code="VALIDATION_ERROR"
            )
        self.draft.forget()
        return problems

    def _try(self, seen: Subject, text: str) -> ApiResponse | list[str] | None:
        """The answer, or what must be mended first."""
        try:
            given = seen.read(text)
            if given == seen.read(seen.text):
                return None
            return seen.send(self.session.api, given)
        except UnreadableForm as lost:
            return [clean(problem) for problem in lost.problems]
        except CommandFailure as refused:
            if refused.status == 400:
                return _problems(refused)
            if refused.status == 412:
                raise self._changed_meanwhile(text) from None
            raise self._kept(refused.message, text, refused.exit_code, *refused.next_steps, cause=refused) from None

    def _changed_meanwhile(self, text: str) -> CommandFailure:
        with suppress(CommandFailure):  # without the difference, if it must be: what counts is that the text is kept
            self._show_difference(self.load().text, text)
        return self._kept(
            f"The {self.kind} was changed by somebody else while you edited. Above: what is there now (-), yours (+).",
            text,
            REFUSED,
        )

    def _kept(
        self, message: str, text: str, code: int, *more: str, cause: CommandFailure | None = None
    ) -> CommandFailure:
        path = self.draft.keep(text)
        steps = (
            f"Your text is kept: {path}",
            f"Change it there as you like, then send it: readdo edit {self.what} --from {path}",
        )
        failure = CommandFailure(
            message, *more, *steps, exit_code=code, code="NOT_SENT", status=cause.status if cause else 0
        )
        if cause:
            failure.error = {**cause.error, "kept": path}
        return failure

    def _show_difference(self, there: str, yours: str) -> None:
        colours = {"+": "green", "-": "red"}
        lines = difflib.unified_diff(there.split("\n"), yours.split("\n"), "there now", "yours", lineterm="", n=1)
        for line in () if self.session.json else lines:
            self.session.notes.paragraph(line, colours.get(line[:1], "dim"))


def _ask_for_a_terminal(session: Session, what: str) -> None:
    """An editor reads from a keyboard, and draws on stdout or, if that goes elsewhere, on stderr."""
    live = session.outside.live
    if not live(sys.stdin) or not (live(sys.stdout) or live(sys.stderr)):
        raise usage("There is no terminal for an editor.", f"Give the text: readdo edit {what} --from FILE|-")


def _problems(refused: CommandFailure) -> list[str]:
    fields = refused.details.get("fields")
    if isinstance(fields, list) and fields:
        return [clean(f"{field.get('field', '')} {field.get('message', '')}".strip()) for field in fields]
    return [refused.message]


def text_of(source: str) -> str:
    from terminal import sources  # noqa: PLC0415 - only for who gives a text

    empty = ": nothing is changed"
    return sources.of_stdin(empty) if source == "-" else sources.of_file(Path(source), empty)
