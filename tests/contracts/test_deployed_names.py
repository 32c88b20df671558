"""Stored and deployed names, which outlive a release: names may be added, but not changed.

A changed logical id replaces a resource. A changed state or trigger leaves rows that no table knows. A changed metric
silences its alarm. conformance/stored_attributes.json lists the attributes of rows.
"""

import json
from pathlib import Path
from typing import Any

from conformance.guarded_cases import MACHINES
from readdo import errors, runtime
from readdo.api.registry import CALLS
from readdo.collect import collect_keys
from readdo.do import task_rows
from readdo.integrations import integration_keys
from readdo.integrations.webhooks import events
from readdo.lifecycle import run, state_machine, task
from readdo.proof import job_keys
from readdo.read import artifacts, item_keys
from readdo.render.files import FILE_NAMES
from readdo.store import keys
from readdo.transfer import transfer_keys
from support.template import ROOT, function_name, functions, source

KEYS = (keys, item_keys, task_rows, transfer_keys, integration_keys, job_keys, collect_keys)


def deployed() -> dict[str, Any]:
    template = source()
    environment = template["Globals"]["Function"]["Environment"]["Variables"]
    own = [r["Properties"].get("Environment", {}).get("Variables", {}) for r in functions().values()]
    return {
        "logical ids": {name: resource["Type"] for name, resource in sorted(template["Resources"].items())},
        "parameters": sorted(template["Parameters"]),
        "outputs": sorted(template["Outputs"]),
        "function folders": {name: function_name(name) for name in sorted(functions())},
        "environment variables": sorted({*environment, *(name for variables in own for name in variables)}),
        "workflow states": {path.stem: sorted(json.loads(path.read_text())["States"]) for path in _machines()},
        "metrics": sorted(v for k, v in vars(runtime).items() if _is_public(k) and isinstance(v, str)),
        "key prefixes": {k: v for module in KEYS for k, v in vars(module).items() if _is_key(k) and isinstance(v, str)},
        "indexes": sorted((keys.DUE_INDEX, keys.INBOX_INDEX, keys.QUEUE_INDEX)),
        "artifacts": sorted(artifacts.KINDS),
        "schemas": sorted(path.relative_to(ROOT / "schemas").as_posix() for path in (ROOT / "schemas").rglob("*.*")),
        "exported files": FILE_NAMES,
        "failure codes": sorted(errors.RETRYABLE),
        "events": sorted({*events.NAMES, events.TEST}),
        "calls": sorted(f"{call.method} {call.path}" for call in CALLS),
        "tables": {
            machine.name: sorted({f"{row.source} {row.trigger} {row.target}" for row in machine.rows})
            for machine in sorted(MACHINES, key=lambda machine: machine.name)
        },
    }


def _is_public(name: str) -> bool:
    return name.isupper() and not name.startswith("_")


def _is_key(name: str) -> bool:
    """False for the states of machines that a module of keys imports."""
    return name.isupper() and not any(name in vars(module) for module in (run, task, state_machine))


def _machines() -> list[Path]:
    return sorted((ROOT / "statemachine").glob("*.asl.json"))


def test_deployed_names_stay() -> None:
    committed = json.loads((Path(__file__).parent / "deployed_names.json").read_text("utf-8"))
    assert deployed() == committed
