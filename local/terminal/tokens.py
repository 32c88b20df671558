"""Print tokens as a table."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import click

from terminal import time_format
from terminal.screen import Screen
from terminal.text import cut, pad

_ID, _NAME, _SCOPES = 12, 18, 17


def show(screen: Screen, tokens: Sequence[Mapping[str, Any]], now: datetime) -> None:
    for token in tokens:
        scopes = ",".join(token.get("scopes", []))
        ends = time_format.day(token.get("expires_at"))
        current = "in use" if token.get("current") else ""
        if screen.columns is None:
            click.echo("\t".join([str(token["id"]), str(token["name"]), scopes, str(token["expires_at"]), current]))
            continue
        at = time_format.read(token.get("expires_at"))
        soon = at is not None and (at - now).days < 14
        screen.line(
            (pad(cut(str(token["id"]), _ID), _ID + 2), "bold"),
            pad(cut(str(token["name"]), _NAME), _NAME + 2) + pad(cut(scopes, _SCOPES), _SCOPES + 2),
            (f"expires {ends}", "yellow" if soon else ""),
            ("  " + current, "green"),
        )
