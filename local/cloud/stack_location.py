"""Resolve the stack's name, region and AWS profile, for all commands and for SAM."""

import re
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import boto3

from terminal.failures import CommandFailure, usage

STACK = "readdo"
SETTINGS = "samconfig.toml"
_STACK_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,127}")
_REGION_NAME = re.compile(r"[a-z]{2,4}(-[a-z]+)+-\d{1,2}")


@dataclass(frozen=True)
class Place:
    root: Path
    name: str  # the value of STACK, or the name of its section in samconfig.toml
    stack: str
    region: str
    profile: str
    variables: tuple[tuple[str, str], ...]  # variables that the next command needs for the same location
    deployed_before: bool  # samconfig.toml has settings of the stack

    @classmethod
    def read(cls, environ: Mapping[str, str], root: Path) -> "Place":
        root = Path(environ.get("READDO_ROOT") or root)
        requested = environ.get("STACK") or STACK
        if not _STACK_NAME.fullmatch(requested):
            raise usage(
                f"STACK={requested} is not a valid stack name.", "Use letters, digits and hyphens, with a letter first."
            )
        name, settings = _settings(root / SETTINGS, requested)
        region = environ.get("REGION") or settings.get("region") or environ.get("AWS_REGION")
        profile = environ.get("AWS_PROFILE") or settings.get("profile") or ""
        variables = [("STACK", requested)] if requested != STACK else []
        variables += [(variable, environ[variable]) for variable in ("REGION", "AWS_PROFILE") if environ.get(variable)]
        stack = str(settings.get("stack_name") or requested)
        return cls(root, name, stack, str(region or ""), str(profile), tuple(variables), bool(settings))

    def entered(self) -> "Place":
        """Set region and profile as boto3's defaults, which the product's clients use too."""
        profile = self.profile or None
        region = self.region or boto3.Session(profile_name=profile).region_name or ""
        if not region:
            raise usage(
                "No AWS region is set.",
                "Set it: make … REGION=eu-central-1 (or export AWS_REGION, or set it in your AWS profile)",
            )
        if not _REGION_NAME.fullmatch(region):
            raise usage(f"{region} is not an AWS region.", "Example: eu-central-1")
        boto3.setup_default_session(profile_name=profile, region_name=region)
        return replace(self, region=region)

    def make(self, target: str, **more: str) -> str:
        """Return the make command for this location."""
        variables = [f"{name}={shlex.quote(value)}" for name, value in (*self.variables, *more.items()) if value]
        return " ".join(["make", target, *variables])


def _settings(file: Path, stack_name: str) -> tuple[str, dict[str, Any]]:
    """Find the stack's section in samconfig.toml, by the section's name or by its stack_name."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return stack_name, {}
    except (OSError, ValueError) as error:
        raise CommandFailure(
            f"{file} cannot be read: {error}.", "Correct it, or delete it: `make deploy` then asks again."
        ) from None
    sections = {name: _parameters(section) for name, section in document.items() if isinstance(section, dict)}
    if sections.get(stack_name):
        return stack_name, sections[stack_name]
    named = [(name, section) for name, section in sections.items() if section.get("stack_name") == stack_name]
    return named[0] if named else (stack_name, {})


def _parameters(section: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **section.get("global", {}).get("parameters", {}),
        **section.get("deploy", {}).get("parameters", {}),
    }
