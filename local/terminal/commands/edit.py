"""`readdo edit`: edit an item's fields and artifacts in an editor; the user's text is never lost."""

import difflib
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from terminal import api, names, sources, words
from terminal.api import ApiResponse
from terminal.artifact_editor import subject
from terminal.artifact_editor.draft import Draft, drop_header, put_header
from terminal.artifact_editor.form import UnreadableForm
from terminal.artifact_editor.subject import ARTIFACTS, FIELDS, Subject
from terminal.command import item_argument, verb
from terminal.failures import REFUSED, USAGE, CommandFailure, missing, usage
from terminal.session import Session, put_json
from terminal.text import clean
from terminal.words import short

_NEXT = {"READY": "regenerate", "ARCHIVED": "regenerate", "CAPTURED": "process"}


@verb("edit")
@item_argument
@click.argument("what", type=click.Choice((*FIELDS, *ARTIFACTS)), required=False)
@click.option("--as-json", is_flag=True, help="Edit all fields as JSON, with evidence.")
@click.option("--from", "source", metavar="FILE|-", help="Send this text without an editor.")
@click.option("--undo", is_flag=True, help="Restore the original of this part, or of all parts you edited.")
@click.pass_obj
def edit(session: Session, name: str, what: str | None, as_json: bool, source: str | None, undo: bool) -> int:
    """Edit an item in your editor ($VISUAL or $EDITOR).

    Opens the summary, or the part you name: intent, title, language, profile, content, todos, card. Unchanged text is
    not sent. If your text is rejected, it is kept in a file.
    """
    if what and what not in ARTIFACTS and (as_json or undo):
        raise click.UsageError(f"--as-json and --undo work only for {', '.join(ARTIFACTS)}.")
    item_id = names.find(session.api, name)
    if undo:
        return _undo(session, item_id, what)
    kind = what or "summary"
    editing = Edit(session, item_id, kind, as_json=as_json)
    response = editing.from_text(_text_of(source)) if source else editing.by_hand()
    if response is None:
        session.note("No changes, so nothing was sent.")
        if session.json:
            put_json(None)
        return 0
    session.tell(response, lambda data: _print_saved(session, data, kind))
    return 0


def _undo(session: Session, item_id: str, wanted_kind: str | None) -> int:
    """Restore the original of one artifact, or of all that the user edited."""
    edited = session.api.get(api.item(item_id)).data["item"].get("edited") or []
    kinds = [kind for kind in ARTIFACTS if kind in edited and wanted_kind in (None, kind)]
    for kind in kinds:
        session.api.delete(api.item(item_id, "artifacts", kind, "user"))
    if session.json:
        put_json(None)
    elif kinds:
        only = f" --only {kinds[0]}" if len(kinds) == 1 else ""
        session.note(f"Restored the original {_join_words(kinds)}: readdo show {short(item_id)}{only}")
    else:
        session.note(f"You have not edited {f'the {wanted_kind}' if wanted_kind else 'this item'}.")
    return 0


def _join_words(kinds: list[str]) -> str:
    return " and ".join(part for part in (", ".join(kinds[:-1]), kinds[-1]) if part)


def _print_saved(session: Session, data: dict[str, Any], what: str) -> None:
    item = data["item"]
    name = short(item["id"])
    if what in ARTIFACTS:
        version = (data.get("artifact") or {}).get("version", "")
        session.screen.paragraph(f"Saved your {what}, version {version}.")
        session.note(f"Show it: readdo show {name} --only {what}")
        session.note(f"Restore original: readdo edit {name} {what} --undo")
        return
    session.screen.paragraph(f"Saved the {what}.")
    if next_run := _next_run(item):
        session.note(f"Used from the next run{next_run}")


def _next_run(item: dict[str, Any]) -> str:
    """Return how to start the next run; empty while the item is processing."""
    if item["status"] == "SHIPPED":
        return f": {words.regenerate_shipped_command(item['id'])}"
    command = "retry" if words.failed(item) else _NEXT.get(item["status"], "")
    return f": readdo {command} {short(item['id'])}" if command else ""


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
        first_text = put_header(original.text, self.what, subject.help_of(self.kind, as_json=self.as_json))
        last = first_text
        while True:
            text = self.draft.edited(self.session, last)
            if text == last and text != first_text:
                raise self._not_sent("You did not correct the text, so it was not sent again.", text, USAGE)
            problems = self._try(original, drop_header(text))
            if not isinstance(problems, list):
                self.draft.forget()
                return problems
            help_lines = subject.help_of(self.kind, as_json=self.as_json)
            last = put_header(drop_header(text), self.what, help_lines, problems)

    def from_text(self, text: str) -> ApiResponse | None:
        problems = self._try(self.load(), drop_header(text))
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


def _text_of(source: str) -> str:
    empty = ", so nothing was changed"
    return sources.of_stdin(empty) if source == "-" else sources.of_file(Path(source), empty)
