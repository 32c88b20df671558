"""Write text: on a terminal coloured and wrapped, in a pipe plain with one line per paragraph."""

from collections.abc import Iterable, Sequence
from typing import IO

import click
from rich.text import Text

from terminal.text import clean, wrap

WIDEST, NARROWEST = 100, 40
Part = str | tuple[str, str]


class Screen:
    def __init__(self, file: IO[str], *, live: bool, columns: int, colour: bool) -> None:
        from rich.console import Console  # noqa: PLC0415 - not for --help

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
        self._has_output = False

    def line(self, *parts: Part) -> None:
        """Print exactly one line; the caller makes it fit."""
        self._put(_text(*parts))

    def blank(self) -> None:
        """Print an empty line, unless nothing was printed yet."""
        if self._has_output:
            self._put(Text())

    def heading(self, title: str, note: str = "") -> None:
        self.blank()
        self.line((title, "bold"), *([("  " + note, "dim")] if note else []))

    def heading_of(self, title: str, count: int, colour: str) -> None:
        self.line((title, f"bold {colour}"), (f" {count}", "dim"))

    def paragraph(self, text: str, style: str = "", first: Part = "") -> None:
        """Print wrapped text. Continuation lines are indented by the width of `first`."""
        mark = _text(first)
        under = " " * mark.cell_len
        for part in clean(text).split("\n"):
            width = None if self.columns is None else self.columns - mark.cell_len
            for line in wrap(part, width):
                self._put(mark.copy().append(line, style))
                mark = Text(under)

    def panel(self, lines: Sequence[Sequence[Part]], style: str) -> None:
        from rich.panel import Panel  # noqa: PLC0415 - the same

        text = Text("\n").join(_text(*parts) for parts in lines)
        self.console.print(Panel(text, border_style=style, width=self.columns, padding=(1, 2)))

    def table(self, rows: Sequence[Sequence[Part]], fixed: int) -> None:
        """Print aligned columns; columns after the first `fixed` ones are cut to fit the terminal."""
        from rich.table import Table  # noqa: PLC0415 - the same

        grid = Table.grid(padding=(0, 2), pad_edge=False)
        for number in range(max(map(len, rows), default=0)):
            grid.add_column(no_wrap=number < fixed)
        for row in rows:
            cells = [_text(part) for part in row]
            for cell in cells[fixed:]:
                cell.no_wrap, cell.overflow = True, "ellipsis"
            grid.add_row(*cells)
        if rows:
            self._has_output = True
            self.console.print(grid)

    def _put(self, text: Text) -> None:
        self._has_output = True
        text.rstrip()
        self.console.print(text, soft_wrap=True)


def print_tabs(rows: Iterable[Iterable[object]]) -> None:
    """Print tab-separated lines, for `cut -f` and `awk`; not through rich, which replaces tabs."""
    for row in rows:
        click.echo("\t".join(map(str, row)))


def meter(filled: int, columns: int, colour: str) -> tuple[tuple[str, str], tuple[str, str]]:
    return ("━" * filled, colour), ("━" * (columns - filled), "dim")


def _text(*parts: Part) -> Text:
    text_line = Text()
    for part in parts:
        text, style = part if isinstance(part, tuple) else (part, "")
        text_line.append(clean(text).replace("\n", " "), style)
    return text_line
