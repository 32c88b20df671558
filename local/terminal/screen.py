"""What is shown. On a terminal: colours, and lines of its width. In a pipe: plain text, each paragraph one line."""

from typing import IO

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from terminal.text import clean
from terminal.wrap import wrap

WIDEST, NARROWEST = 100, 40
Part = str | tuple[str, str]


class Screen:
    def __init__(self, file: IO[str], *, live: bool, columns: int, colour: bool) -> None:
        self.live = live
        self.columns: int | None = max(NARROWEST, min(columns, WIDEST)) if live else None
        self.console = Console(
            file=file,
            force_terminal=live,
            color_system="auto" if live and colour else None,
            no_color=not colour,
            width=self.columns or 1000,
            highlight=False,
            markup=False,
            emoji=False,
        )
        self._begun = False

    def line(self, *parts: Part) -> None:
        """Exactly one line; whoever calls has seen to its width."""
        self._put(_text(*parts))

    def blank(self) -> None:
        """Between two things: before the first there is nothing to part."""
        if self._begun:
            self._put(Text())

    def heading(self, title: str, note: str = "") -> None:
        self.blank()
        self.line((title, "bold"), *([("  " + note, "dim")] if note else []))

    def heading_of(self, title: str, count: int, colour: str) -> None:
        self.line((title, f"bold {colour}"), (f" {count}", "dim"))

    def paragraph(self, text: str, style: str = "", first: Part = "") -> None:
        """Wrapped; the lines after the first begin below the text and not below its mark."""
        mark = _text(first)
        under = " " * mark.cell_len
        for part in clean(text).split("\n"):
            room = None if self.columns is None else self.columns - mark.cell_len
            for shown in wrap(part, room):
                self._put(mark.copy().append(shown, style))
                mark = Text(under)

    def panel(self, lines: list[Text], style: str) -> None:
        self.console.print(Panel(Text("\n").join(lines), border_style=style, width=self.columns, padding=(1, 2)))

    def _put(self, text: Text) -> None:
        self._begun = True
        text.rstrip()
        self.console.print(text, soft_wrap=True)


def _text(*parts: Part) -> Text:
    found = Text()
    for part in parts:
        text, style = part if isinstance(part, tuple) else (part, "")
        found.append(clean(text).replace("\n", " "), style)
    return found
