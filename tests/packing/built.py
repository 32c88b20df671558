"""The packages as they go to AWS, built for this machine, and a function started from them alone."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from packing.build import build
from packing.host import INTERPRETER, names
from packing.names import package
from support import template

REGION = "eu-central-1"
INSTALLED = Path(sys.prefix) / "layers"


@dataclass(frozen=True)
class Built:
    """A folder for each function and layer, as `sam build` leaves them, and the Python that they are for."""

    folder: Path
    python: Path

    def of(self, function: str) -> list[Path]:
        layers = [layer["Ref"] for layer in template.functions()[function]["Properties"]["Layers"]]
        return [self.folder / function, *(self.folder / layer for layer in layers)]

    def start(
        self,
        function: str,
        event: dict[str, Any] | None = None,
        *,
        without: str = "",
        scripts: Sequence[str] = (),
        **environment: str,
    ) -> dict[str, Any]:
        """A new interpreter that sees the function's packages only: what it answered, and where its modules lie."""
        packages = [place for place in self.of(function) if place.name != without]
        # As on Lambda: the function's own folder first.
        paths = [str(place / "python" if (place / "python").is_dir() else place) for place in packages]
        asked = {
            "paths": paths,
            "folders": [str(place) for place in packages],
            "own": [str(self.folder / function), str(self.folder / "DomainLayer")],
            "module": template.room(function),
            "event": event,
            "scripts": [str(Path(__file__).with_name(name)) for name in scripts],
        }
        return self._run(asked, {**self._environment(function), **environment})

    def _run(self, asked: dict[str, Any], environment: dict[str, str]) -> dict[str, Any]:
        given, told = (self.folder / f"{os.urandom(8).hex()}.json" for _ in range(2))
        given.write_text(json.dumps(asked), encoding="utf-8")
        program = Path(__file__).with_name("isolated.py")
        done = subprocess.run(  # noqa: S603 - our own program
            [self.python, "-I", "-S", "-B", program, given, told],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert told.exists(), done.stderr
        return dict(json.loads(told.read_text(encoding="utf-8")))

    def _environment(self, function: str) -> dict[str, str]:
        """What Lambda gives, the template's settings, and nothing of this machine's."""
        given = {
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_LAMBDA_FUNCTION_NAME": function,
            "LAMBDA_TASK_ROOT": str(self.folder / function),
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
        }
        asked = template.source()["Globals"]["Function"]["Environment"]["Variables"]
        asked |= template.functions()[function]["Properties"].get("Environment", {}).get("Variables", {})
        known = {**template.defaults(), **os.environ}
        return given | {
            name: self._unpacked(value) if isinstance(value, str) else known.get(name, "nowhere")
            for name, value in asked.items()
        }

    def _unpacked(self, value: str) -> str:
        """/opt/fonts → where this machine has the layer with that folder."""
        return str(next(self.folder.glob(f"*/{value.removeprefix('/opt/')}"), value) if "/opt/" in value else value)


def interpreter() -> tuple[str, Path]:
    """Which Python the layers were built for: 3.13, if there is one here, else the tests' own."""
    stamp = INSTALLED / INTERPRETER
    if not stamp.exists():
        pytest.fail(f"The layers for this machine are not built. Run `make {INSTALLED.parent.name}/.layers`.")
    version, _, python = stamp.read_text(encoding="utf-8").partition(" ")
    return version, Path(python)


def everything(folder: Path) -> Built:
    """The third-party layers were built by `make`, which needs the network; our own code is built here and now."""
    _, python = interpreter()
    for name in names():
        (folder / name).symlink_to(INSTALLED / name)
    resources = template.source()["Resources"]
    packaged = ("AWS::Serverless::Function", "AWS::Serverless::LayerVersion")
    for name in [n for n, r in resources.items() if r["Type"] in packaged and n not in names()]:
        build(package(name), folder / name, python, platform=None)
    return Built(folder, python)
