"""Store a model's key or Notion's token in SSM, read from a hidden prompt or a pipe.

The secret is never in an argument, an environment variable or a log.
"""

import re
import sys

import click
from botocore.exceptions import ClientError

from cloud.aws import account, client
from cloud.failures import to_failure
from cloud.stack_location import SETTINGS, Place
from terminal.failures import REFUSED, CommandFailure, usage
from terminal.session import Session

PARAMETER = "/readdo/model-key"
_NAME = re.compile(r"(/[A-Za-z0-9_.-]+){1,15}")
_OTHER_TYPE = ("HierarchyTypeMismatch", "HierarchyTypeMismatchException")
_KEY = re.compile(r"[\x21-\x7e]{8,4096}")


def run(session: Session, place: Place) -> None:
    name = session.outside.environ.get("PARAMETER") or PARAMETER
    if not _NAME.fullmatch(name) or name.lower().startswith(("/aws", "/ssm")):
        raise usage(f"PARAMETER={name} is not a valid parameter name.", f"Example: {PARAMETER}")
    place = place.entered()
    where = account(place)
    session.note(where.line)
    session.note(f"The key will be stored encrypted in SSM as {name}.")
    version = _store(name, _read(session))
    replaced = "" if version == 1 else f" and replaces the previous one (version {version})"
    session.screen.line(("✓ ", "bold green"), f"The key is stored{replaced}.")
    parameter = "NotionTokenParameter" if name.endswith("notion-token") else "KeyParameter"
    session.note(f"Use it as {parameter}: {name} (in {SETTINGS}, then `{place.make('deploy')}`).")


def _read(session: Session) -> str:
    if session.outside.live(sys.stdin):
        secret = str(click.prompt("Key (not shown)", hide_input=True, default="", show_default=False, err=True))
    else:
        secret = sys.stdin.read(8192)
    secret = secret.strip()
    if not secret:
        raise usage("No key was entered.", "Type or paste it at the prompt, or: make key < file-with-the-key")
    if not _KEY.fullmatch(secret):
        raise usage("That is not a key: it must be 8 to 4096 characters without spaces. Nothing was stored.")
    return secret


def _store(name: str, value: str) -> int:
    try:
        stored = client("ssm").put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)
    except ClientError as error:
        if error.response["Error"]["Code"] in _OTHER_TYPE:
            message = f"The parameter {name} already exists and is not encrypted."
            raise CommandFailure(
                message, "Delete it first, or choose another name: PARAMETER=/…", exit_code=REFUSED
            ) from None
        failure = to_failure(error, "make key")
        # Some error messages of AWS contain the rejected value.
        message = failure.message.replace(value, "(the key)")
        raise CommandFailure(message, *failure.next_steps, exit_code=failure.exit_code) from None
    return int(stored["Version"])
