"""Packages as deployed, built for this machine; start a function from its packages only."""

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
    """Folder for each function and layer, as `sam build` creates them, and their Python."""

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
        scripts: Sequence[Path] = (),
        **environment: str,
    ) -> dict[str, Any]:
        """Start a new interpreter with the function's packages only.

        Returns the answer and the origin of the modules.
        """
        packages = [place for place in self.of(function) if place.name != without]
        # As on Lambda: the function's own folder first.
        paths = [str(place / "python" if (place / "python").is_dir() else place) for place in packages]
        request = {
            "paths": paths,
            "folders": [str(place) for place in packages],
            "own": [str(self.folder / function)],
            "module": template.function_name(function),
            "event": event,
            "scripts": [str(script) for script in scripts],
        }
        return self._run(request, {**self._environment(function), **environment})

    def _run(self, request: dict[str, Any], environment: dict[str, str]) -> dict[str, Any]:
        request_file, result_file = (self.folder / f"{os.urandom(8).hex()}.json" for _ in range(2))
        request_file.write_text(json.dumps(request), encoding="utf-8")
        program = Path(__file__).with_name("isolated.py")
        process = subprocess.run(  # noqa: S603 - our own program
            [self.python, "-I", "-S", "-B", program, request_file, result_file],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert result_file.exists(), process.stderr
        return dict(json.loads(result_file.read_text(encoding="utf-8")))

    def _environment(self, function: str) -> dict[str, str]:
        """Return Lambda's variables and the template's settings, and none of this machine's."""
        lambda_variables = {
            "AWS_REGION": REGION,
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_LAMBDA_FUNCTION_NAME": function,
            "LAMBDA_TASK_ROOT": str(self.folder / function),
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
        }
        settings = template.source()["Globals"]["Function"]["Environment"]["Variables"]
        settings |= template.functions()[function]["Properties"].get("Environment", {}).get("Variables", {})
        values = {**template.defaults(), **os.environ}
        return lambda_variables | {
            name: self._unpacked(function, value) if isinstance(value, str) else values.get(name, "nowhere")
            for name, value in settings.items()
        }

    def _unpacked(self, function: str, value: str) -> str:
        """Replace /opt/… and /var/task by the folders of layer and function on this machine."""
        value = value.replace("/var/task", str(self.folder / function))
        return str(next(self.folder.glob(f"*/{value.removeprefix('/opt/')}"), value) if "/opt/" in value else value)


def interpreter() -> tuple[str, Path]:
    """Return the Python of the built layers: 3.13 if installed, else the tests' own."""
    stamp = INSTALLED / INTERPRETER
    if not stamp.exists():
        pytest.fail(f"The layers for this machine are not built. Run `make {INSTALLED.parent.name}/.layers`.")
    version, _, python = stamp.read_text(encoding="utf-8").partition(" ")
    return version, Path(python)


def everything(folder: Path) -> Built:
    """Build our own code now. `make` has built the third-party layers, which need the network."""
    _, python = interpreter()
    for name in names():
        (folder / name).symlink_to(INSTALLED / name)
    resources = template.source()["Resources"]
    packaged = ("AWS::Serverless::Function", "AWS::Serverless::LayerVersion")
    for name in [n for n, r in resources.items() if r["Type"] in packaged and n not in names()]:
        build(package(name), folder / name, python, platform=None)
    return Built(folder, python)
