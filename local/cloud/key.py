"""A model's key, or Notion's token, from a hidden prompt or a pipe into SSM: in no argument, environment or log."""

import re
import sys

import click
from botocore.exceptions import ClientError

from cloud.aws import account, client
from cloud.failures import in_words
from cloud.stack_location import Place
from terminal.failures import REFUSED, CommandFailure, usage
from terminal.session import Session

PARAMETER = "/readdo/model-key"
_NAME = re.compile(r"(/[A-Za-z0-9_.-]+){1,15}")
_OTHER_TYPE = ("HierarchyTypeMismatch", "HierarchyTypeMismatchException")
_KEY = re.compile(r"[\x21-\x7e]{8,4096}")


def run(session: Session, place: Place) -> None:
    name = session.outside.environ.get("PARAMETER") or PARAMETER
    if not _NAME.fullmatch(name) or name.lower().startswith(("/aws", "/ssm")):
        raise usage(f"PARAMETER={name} is no name for a parameter.", f"Like {PARAMETER}: a slash, then letters.")
    place = place.entered()
    where = account(place)
    session.note(where.line)
    session.note(f"The key goes into SSM there, encrypted, as {name}.")
    version = _store(name, _read(session))
    known = "" if version == 1 else f", in place of the one before (version {version})"
    session.screen.line(("✓ ", "bold green"), f"The key is stored{known}.")
    asked = "NotionTokenParameter" if name.endswith("notion-token") else "KeyParameter"
    session.note(f"Give this name when `{place.make('deploy')}` asks for {asked}: {name}")


def _read(session: Session) -> str:
    if session.outside.live(sys.stdin):
        given = str(
            click.prompt("The key (you will not see it)", hide_input=True, default="", show_default=False, err=True)
        )
    else:
        given = sys.stdin.read(8192)
    given = given.strip()
    if not given:
        raise usage("There was no key.", "Type or paste it when asked, or: make key < file-with-the-key")
    if not _KEY.fullmatch(given):
        raise usage("That is no key: one word of 8 to 4096 letters, digits and signs. Nothing was stored.")
    return given


def _store(name: str, value: str) -> int:
    try:
        stored = client("ssm").put_parameter(Name=name, Value=value, Type="SecureString", Overwrite=True)
    except ClientError as error:
        if error.response["Error"]["Code"] in _OTHER_TYPE:
            words = f"{name} is there already, and is not encrypted."
            raise CommandFailure(
                words, "Delete it first, or choose another name: PARAMETER=/…", exit_code=REFUSED
            ) from None
        refused = in_words(error, "make key")
        # Some refusals repeat what they refuse.
        words = refused.message.replace(value, "(the key)")
        raise CommandFailure(words, *refused.next_steps, exit_code=refused.exit_code) from None
    return int(stored["Version"])
