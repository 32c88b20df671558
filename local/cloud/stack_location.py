"""Which stack, where, and by whose credentials: one answer for every command, and for SAM."""

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
    name: str  # what STACK says; also the name of the stack's settings in samconfig.toml
    stack: str
    region: str
    profile: str
    told: tuple[tuple[str, str], ...]  # what must be said again for the next command to mean the same place
    deployed_before: bool  # samconfig.toml has its settings

    @classmethod
    def read(cls, environ: Mapping[str, str], root: Path) -> "Place":
        root = Path(environ.get("READDO_ROOT") or root)
        asked = environ.get("STACK") or STACK
        if not _STACK_NAME.fullmatch(asked):
            raise usage(f"STACK={asked} is no name of a stack.", "Letters, digits and hyphens, a letter first.")
        name, settings = _settings(root / SETTINGS, asked)
        region = environ.get("REGION") or settings.get("region") or environ.get("AWS_REGION")
        profile = environ.get("AWS_PROFILE") or settings.get("profile") or ""
        told = [("STACK", asked)] if asked != STACK else []
        told += [(variable, environ[variable]) for variable in ("REGION", "AWS_PROFILE") if environ.get(variable)]
        stack = str(settings.get("stack_name") or asked)
        return cls(root, name, stack, str(region or ""), str(profile), tuple(told), bool(settings))

    def entered(self) -> "Place":
        """Every client from now on, the product's own too, asks here."""
        profile = self.profile or None
        region = self.region or boto3.Session(profile_name=profile).region_name or ""
        if not region:
            raise usage(
                "It is not said in which region of AWS.",
                "Say it: make … REGION=eu-central-1 (or export AWS_REGION, or set it in your AWS profile)",
            )
        if not _REGION_NAME.fullmatch(region):
            raise usage(f"{region} is no region of AWS.", "They look like eu-central-1 or us-east-1.")
        boto3.setup_default_session(profile_name=profile, region_name=region)
        return replace(self, region=region)

    def make(self, target: str, **more: str) -> str:
        """The command as one types it, meaning this place."""
        words = [f"{name}={shlex.quote(value)}" for name, value in (*self.told, *more.items()) if value]
        return " ".join(["make", target, *words])


def _settings(file: Path, asked: str) -> tuple[str, dict[str, Any]]:
    """SAM keeps them by a name of their own; they are this stack's by that name, or by the stack's in them."""
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return asked, {}
    except (OSError, ValueError) as error:
        raise CommandFailure(
            f"{file} cannot be read: {error}.", "Mend it, or remove it: `make deploy` asks anew."
        ) from None
    sections = {name: _parameters(section) for name, section in found.items() if isinstance(section, dict)}
    if sections.get(asked):
        return asked, sections[asked]
    named = [(name, section) for name, section in sections.items() if section.get("stack_name") == asked]
    return named[0] if named else (asked, {})


def _parameters(section: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **section.get("global", {}).get("parameters", {}),
        **section.get("deploy", {}).get("parameters", {}),
    }
