"""The guards by name, and a run of the tests that ask for one of them without it."""

from dataclasses import dataclass
from typing import Any

from guards import guard_hook
from guards.guard_runs import Watched


@dataclass(frozen=True)
class Guard:
    name: str
    asked_by: tuple[str, ...]  # what the recorder calls whatever asks for it


def every() -> list[Guard]:
    """It imports the product."""
    from guards import guard_tables  # noqa: PLC0415 - as it says

    in_code = [Guard(name, (name,)) for name in guard_hook.names()]
    in_tables = [
        Guard(name, tuple(guard_tables.trigger_name(machine.name, trigger) for trigger in triggers))
        for machine in guard_tables.found()
        for name, triggers in guard_tables.names(machine)
    ]
    return in_tables + in_code


def run_without(name: str, order: dict[str, int]) -> dict[str, Any]:
    """The tests in this order, until the first that is red."""
    if name.startswith("table "):
        from guards import guard_tables  # noqa: PLC0415 - it imports the engine, which a hook would have to see first

        guard_tables.take_out(name)
        if refused := guard_tables.refusal():
            return {"code": 1, "red": [f"(none can begin: {refused})"]}
    else:
        guard_hook.take_out(name)
    watched = Watched(order)
    files = list(dict.fromkeys(test.partition("::")[0] for test in order))
    code = watched.run("-x", *files)
    return {"code": code, "red": watched.red}
