"""Find the server's address and token: options, environment, or `.local/endpoint.json` of `make run`."""

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
    """Return the local data folder, resolved the same way as in `make run`."""
    return Path(environ.get("READDO_LOCAL") or root / ".local").resolve()


def find(environ: Mapping[str, str], root: Path, url: str, token: str) -> Endpoint:
    """Resolve address and token. The local file's token is only ever sent to the address in that file."""
    given_url = url or environ.get("READDO_URL", "")
    token_source = "--token" if token else "READDO_TOKEN"
    given_token = token or environ.get("READDO_TOKEN", "")
    if given_url:
        _check(given_url)
        if not given_token:
            raise usage(f"No token is set for {given_url}.", "Set READDO_TOKEN, or use --token TOKEN.")
        return Endpoint(given_url.rstrip("/"), given_token, "--url" if url else "READDO_URL", token_source)
    local = _from_file(home(environ, root) / "endpoint.json")
    return Endpoint(local.url, given_token, local.source, token_source) if given_token else local


def _from_file(file: Path) -> Endpoint:
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        return Endpoint(str(document["url"]).rstrip("/"), str(document["token"]), str(file), str(file))
    except FileNotFoundError:
        raise unreachable(
            "Read→Do is not running on this machine, and READDO_URL is not set.",
            "Start it: make run (in the project folder)",
            "Or use another server: export READDO_URL=https://… READDO_TOKEN=…",
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CommandFailure(
            f"{file} cannot be read: {error}.", "Restart `make run`; it writes that file again."
        ) from None


def _check(url: str) -> None:
    if not url.lower().startswith(("http://", "https://")):
        raise usage(f"{url} is not a web address.", "It must start with http:// or https://")
