"""Print the figures as a table: coloured in a terminal, plain lines in a pipe."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from bench.figure import Figure

WIDTH = 132  # of a pipe, which has no width of its own
COLUMNS = ("measured", "floor", "ratio", "target")
VERDICTS = {True: "[green]met[/]", False: "[bold red]MISSED[/]", None: "[dim]no target[/]"}


def show(figures: Sequence[Figure], console: Console | None = None) -> None:
    console = console or Console(width=None if sys.stdout.isatty() else WIDTH)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("figure", overflow="fold")
    for name in COLUMNS:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for figure in figures:
        table.add_row(*cells(figure), VERDICTS[figure.met])
    console.print(table)
    for figure in figures:
        if figure.note:
            console.print(f"[dim]{figure.name}: {figure.note}.[/]", soft_wrap=True)


def cells(figure: Figure) -> tuple[str, ...]:
    times = " ×" if figure.floor is not None else f" {figure.unit}"
    target = "" if figure.target is None else f"{'=' if figure.equal else '≤'} {short(figure.target)}{times}"
    floor = "" if figure.floor is None else f"{short(figure.floor)} {figure.unit}"
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f} ×"
    return figure.name, f"{short(figure.value)} {figure.unit}", floor, ratio, target


def short(number: float) -> str:
    if number == int(number):
        return f"{number:,.0f}"
    return f"{number:,.0f}" if number >= 1000 else f"{number:.3g}"
