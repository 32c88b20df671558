"""Whose desk is mirrored, and where to. Without a database or a token nothing is."""

from dataclasses import dataclass

from botocore.exceptions import BotoCoreError, ClientError

from readdo.messages import message
from readdo.mirror.notion import LATER, NotionError
from readdo.runtime import client, setting


@dataclass(frozen=True)
class MirrorSettings:
    owner: str
    database: str
    token_parameter: str

    @property
    def on(self) -> bool:
        return bool(self.database and self.token_parameter)


def read() -> MirrorSettings:
    return MirrorSettings(
        owner=setting("NOTION_OWNER", ""),
        database=setting("NOTION_DATABASE_ID", ""),
        token_parameter=setting("NOTION_TOKEN_PARAMETER", ""),
    )


def token(of: MirrorSettings) -> str:
    try:
        found = client("ssm").get_parameter(Name=of.token_parameter, WithDecryption=True)
    except (BotoCoreError, ClientError) as error:
        words = message("notion.token_unreadable", name=of.token_parameter)
        raise NotionError("TOKEN_UNREADABLE", words, LATER) from error
    return str(found["Parameter"]["Value"]).strip()
