"""Guards by name, and a test run without one of them."""

from dataclasses import dataclass
from typing import Any

from guards import guard_hook
from guards.guard_runs import RunRecorder


@dataclass(frozen=True)
class Guard:
    name: str
    used_by: tuple[str, ...]  # the names of its users in the recorder


def every() -> list[Guard]:
    """Return all guards. This imports the product."""
    from guards import guard_tables  # noqa: PLC0415 - as it says

    in_code = [Guard(name, (name,)) for name in guard_hook.names()]
    in_tables = [
        Guard(name, tuple(guard_tables.trigger_name(machine.name, trigger) for trigger in triggers))
        for machine in guard_tables.all_machines()
        for name, triggers in guard_tables.names(machine)
    ]
    return in_tables + in_code


def run_without(name: str, order: dict[str, int]) -> dict[str, Any]:
    """Run the tests in this order until the first failure."""
    if name.startswith("table "):
        from guards import guard_tables  # noqa: PLC0415 - it imports the engine, which a hook would have to see first

        guard_tables.remove_guard(name)
        if table_error := guard_tables.refusal():
            return {"code": 1, "red": [f"(none can begin: {table_error})"]}
    else:
        guard_hook.remove_guard(name)
    plugin = RunRecorder(order)
    files = list(dict.fromkeys(test.partition("::")[0] for test in order))
    code = plugin.run("-x", *files)
    return {"code": code, "red": plugin.red}
