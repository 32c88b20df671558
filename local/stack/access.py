"""The token of this machine's user: made once, kept in `.local/token` as long as the table knows it."""

import sys
from pathlib import Path

from stack.bundle import LAYER
from stack.data_folder import write_private
from stack.settings import Settings


def token_for(settings: Settings, table_name: str) -> str:
    """Only the token's hash is in the table, so a lost file or a lost table means a new one."""
    sys.path.append(str(settings.root / LAYER))
    # On the path only now: the code of the project that is deployed.
    from readdo import clock  # noqa: PLC0415
    from readdo.store.table import DynamoTable  # noqa: PLC0415
    from readdo.store.tokens import SCOPES, bearer_of, issue  # noqa: PLC0415

    table, file = DynamoTable(table_name), settings.home / "token"
    token = read(file)
    known = bearer_of(table, token, clock.now()) if token else None
    if token is None or known is None or not known.scopes.issuperset(SCOPES):  # made before there was such a scope
        token = issue(table, owner="me", name="local")
        write_private(file, token + "\n")
    return token


def read(file: Path) -> str | None:
    try:
        return file.read_text().strip() or None
    except FileNotFoundError:
        return None
