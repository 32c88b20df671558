"""The report: JSON for programs, text for a terminal, HTML for a person."""

from .as_html import page
from .as_json import as_json
from .as_text import as_text, short
from .run import Run

__all__ = ["Run", "render"]


def render(run: Run, form: str) -> str:
    return {"html": page, "json": as_json, "text": as_text, "short": short}[form](run)
