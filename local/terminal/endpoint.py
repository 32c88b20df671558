"""Which Read→Do is meant: what is said on the line, in the environment, or by `make run` in `.local/endpoint.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from terminal.failures import CommandFailure, unreachable, usage

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Endpoint:
    url: str
    token: str
    source: str
    token_source: str = ""


def home(environ: Mapping[str, str], root: Path) -> Path:
    """As `make run` reads it."""
    return Path(environ.get("READDO_LOCAL") or root / ".local").resolve()


def find(environ: Mapping[str, str], root: Path, url: str, token: str) -> Endpoint:
    """The file's token goes to the file's address and to no other."""
    given_url = url or environ.get("READDO_URL", "")
    told_by = "--token" if token else "READDO_TOKEN"
    given_token = token or environ.get("READDO_TOKEN", "")
    if given_url:
        _check(given_url)
        if not given_token:
            raise usage(
                f"There is an address, {given_url}, but no token for it.", "Set READDO_TOKEN, or give --token TOKEN."
            )
        return Endpoint(given_url.rstrip("/"), given_token, "--url" if url else "READDO_URL", told_by)
    local = _from_file(home(environ, root) / "endpoint.json")
    return Endpoint(local.url, given_token, local.source, told_by) if given_token else local


def _from_file(file: Path) -> Endpoint:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return Endpoint(str(found["url"]).rstrip("/"), str(found["token"]), str(file), str(file))
    except FileNotFoundError:
        raise unreachable(
            "Read→Do is not running here, and no other address is set.",
            "Start it: make run (in the project's folder)",
            "Or name one: export READDO_URL=https://… READDO_TOKEN=…",
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandFailure(
            f"{file} cannot be read: {error}.", "Stop `make run` and start it again; it writes that file anew."
        ) from None


def _check(url: str) -> None:
    if not url.lower().startswith(("http://", "https://")):
        raise usage(f"{url} is no web address.", "It must start with http:// or https://")
