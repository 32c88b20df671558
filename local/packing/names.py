"""Map a resource of the template to its source folder and kind of package."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The Python version of Lambda, as in template.yaml.
RUNTIME = (3, 13)
RUNTIME_NAME = "python3.13"
# Lambda's Python 3.13 runs on Amazon Linux 2023 with glibc 2.34, so wheels for glibc 2.28 work.
LAMBDA = "aarch64-manylinux_2_28"
FUNCTION_FOLDER = "/var/task"  # where Lambda unpacks the code of a function


class BuildError(Exception):
    """A build failed. The message is printed as it is: the problem, the file, the next step."""


@dataclass(frozen=True)
class Package:
    name: str
    source: Path
    # The subfolder in the package, and where Lambda unpacks it: code of layers is in /opt/python.
    below: str
    seen_at: str
    has_domain: bool = False  # functions have a copy of the domain and the schemas

    @property
    def requirements(self) -> Path:
        return self.source / "requirements.txt"


def package(name: str) -> Package:
    """Return the package of a resource: BaseDepsLayer → layers/base_deps, HttpApi → functions/http_api."""
    if name == "FontLayer":
        result = Package(name, ROOT / "layers/font", "fonts", "/opt/fonts")
    elif name.endswith("Layer"):
        result = Package(name, ROOT / "layers" / folder_name(name.removesuffix("Layer")), "python", "/opt/python")
    else:
        result = Package(name, ROOT / "functions" / folder_name(name), "", FUNCTION_FOLDER, has_domain=True)
    if not result.source.is_dir():
        folder = result.source.relative_to(ROOT)
        raise BuildError(f"{name} is built from {folder}, and there is no such folder: make it, or rename {name}.")
    return result


def folder_name(logical_id: str) -> str:
    """Return the folder of a resource: RecordFailure → record_failure."""
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in logical_id).lstrip("_")
