"""Create the local user's token once, and keep it in `.local/token` while the table knows it."""

import sys
from pathlib import Path

from stack.bundle import LAYER
from stack.data_folder import write_private
from stack.settings import Settings


def token_for(settings: Settings, table_name: str) -> str:
    """Return the token. The table holds only its hash, so a lost file or table needs a new token."""
    sys.path.append(str(settings.root / LAYER))
    # The path is extended only now: this is the project's deployed code.
    from readdo import clock  # noqa: PLC0415
    from readdo.store.table import DynamoTable  # noqa: PLC0415
    from readdo.store.tokens import SCOPES, bearer_of, issue  # noqa: PLC0415

    table, file = DynamoTable(table_name), settings.home / "token"
    token = read(file)
    bearer = bearer_of(table, token, clock.now()) if token else None
    if token is None or bearer is None or not bearer.scopes.issuperset(SCOPES):  # issued before a scope was added
        token = issue(table, owner="me", name="local")
        write_private(file, token + "\n")
    return token


def read(file: Path) -> str | None:
    try:
        return file.read_text().strip() or None
    except FileNotFoundError:
        return None
