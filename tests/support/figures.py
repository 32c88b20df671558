"""CPU seconds and the largest process of a test run."""

import json
import os
import resource
import sys
import tempfile
from pathlib import Path

from support.tiers import ROOT, TIER

COMMITTED = ROOT / "figures.json"
WRITTEN = ROOT.parent / ".venv" / f"figures-{TIER}.txt"
_PER_MEGABYTE = 1024 * 1024 if sys.platform == "darwin" else 1024


def begin() -> None:
    os.environ["READDO_FIGURES"] = tempfile.mkdtemp(prefix="readdo-figures-")  # the pytest workers inherit it


def note(*, with_children: bool) -> None:
    """Write the resource use of this process.

    With `with_children` also that of the child processes that it has waited for.
    """
    scopes = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) if with_children else (resource.RUSAGE_SELF,)
    used = [resource.getrusage(scope) for scope in scopes]
    usage = {
        "cpu": sum(one.ru_utime + one.ru_stime for one in used),
        "largest_mb": max(one.ru_maxrss for one in used) / _PER_MEGABYTE,
    }
    Path(os.environ["READDO_FIGURES"], f"{os.getpid()}.json").write_text(json.dumps(usage), encoding="utf-8")


def summary() -> str:
    records = [
        json.loads(path.read_text(encoding="utf-8")) for path in Path(os.environ["READDO_FIGURES"]).glob("*.json")
    ]
    cpu, largest = sum(one["cpu"] for one in records), max(one["largest_mb"] for one in records)
    before = json.loads(COMMITTED.read_text(encoding="utf-8")).get(TIER, {})
    committed = f" (committed: {before['cpu']} s, {before['largest_mb']} MB)" if before else ""
    summary = f"tier {TIER}: {cpu:.0f} CPU seconds, largest process {largest:.0f} MB{committed}"
    if WRITTEN.parent.exists():
        WRITTEN.write_text(summary + "\n", encoding="utf-8")
    return summary
