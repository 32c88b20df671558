"""Generate the tables of calls and errors in docs/api.md."""

from readdo.api.registry import CALLS
from readdo.web.call_spec import Call

from .error_table import ERRORS

START, END = "<!-- generated: calls -->", "<!-- /generated -->"


def block() -> str:
    return "\n".join([START, "", *_calls(), "", *_errors(), "", END])


def has_place(page: str) -> bool:
    return START in page


def put_into(page: str) -> str:
    """The page with an updated block."""
    before, _, rest = page.partition(START)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"{START} is never closed with {END}")
    return f"{before}{block()}{after}"


def _calls() -> list[str]:
    lines = ["| call | body | response | |", "|---|---|---|---|"]
    return [*lines, *(f"| `{c.method} {c.path}` | {_takes(c)} | {_answers(c)} | {c.does} |" for c in CALLS)]


def _takes(call: Call) -> str:
    return _code("" if call.takes == "Empty" else call.takes)


def _answers(call: Call) -> str:
    return ", ".join(f"{status} {_code(model)}".strip(" –") for status, model in call.answers.items())


def _code(name: str) -> str:
    return f"`{name}`" if name else "–"


def _errors() -> list[str]:
    lines = ["| status | code | when |", "|---|---|---|"]
    return lines + [f"| {m.status} | `{m.code}` | {m.when} |" for m in ERRORS]
