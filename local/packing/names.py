"""Which folder a resource of the template is built from, and what kind of package it becomes."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What Lambda runs, as template.yaml says it too.
RUNTIME = (3, 13)
RUNTIME_NAME = "python3.13"
# Lambda's Python 3.13 lives on Amazon Linux 2023, whose glibc is 2.34: wheels for 2.28 and older run there.
LAMBDA = "aarch64-manylinux_2_28"


class BuildError(Exception):
    """What went wrong, with what, and what to do: it is printed as it is."""


@dataclass(frozen=True)
class Package:
    name: str
    source: Path
    # Below the package's own folder, and where Lambda unpacks that: code of layers lies in /opt/python.
    below: str
    seen_at: str

    @property
    def requirements(self) -> Path:
        return self.source / "requirements.txt"


def package(name: str) -> Package:
    """BaseDepsLayer → layers/base_deps; HttpApi → functions/http_api; the schemas alone lie elsewhere."""
    if name == "SchemasLayer":
        found = Package(name, ROOT / "schemas", "schemas", "/opt/schemas")
    elif name == "FontLayer":
        found = Package(name, ROOT / "layers/font", "fonts", "/opt/fonts")
    elif name.endswith("Layer"):
        found = Package(name, ROOT / "layers" / room(name.removesuffix("Layer")), "python", "/opt/python")
    else:
        found = Package(name, ROOT / "functions" / room(name), "", "/var/task")
    if not found.source.is_dir():
        there = found.source.relative_to(ROOT)
        raise BuildError(f"{name} is built from {there}, and there is no such folder: make it, or rename {name}.")
    return found


def room(logical_id: str) -> str:
    """RecordFailure → record_failure: one name for folder, module, resource and state."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in logical_id).lstrip("_")
