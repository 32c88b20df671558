"""`make smoke` against the real local stack."""

import os
import subprocess
import sys

from browser.conftest import ROOT
from browser.visitor import Site


def test_smoke_passes_on_the_local_stack_and_leaves_nothing(site: Site) -> None:
    before = {item["id"] for item in site.ask("GET", "/items?limit=100")["items"]}
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "local"), "READDO_URL": site.url, "READDO_TOKEN": site.token}
    done = subprocess.run(
        [sys.executable, "-m", "smoke"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    marks = [line.split()[:2] for line in done.stdout.splitlines() if line.startswith("  ")]
    assert marks == [
        ["✓", "doctor"],
        ["-", "preflight"],
        ["✓", "item"],
        ["✓", "import"],
        ["✓", "backup"],
        ["-", "upgrade"],
        ["-", "burst"],
    ]
    assert "25 items deleted." in done.stdout
    assert {item["id"] for item in site.ask("GET", "/items?limit=100")["items"]} <= before
