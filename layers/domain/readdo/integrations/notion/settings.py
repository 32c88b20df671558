"""Settings of the mirror. It is off without a database or a token."""

from dataclasses import dataclass

from botocore.exceptions import BotoCoreError, ClientError

from readdo.integrations.notion.notion import LATER, NotionError
from readdo.messages import message
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


def token(mirror: MirrorSettings) -> str:
    try:
        parameter = client("ssm").get_parameter(Name=mirror.token_parameter, WithDecryption=True)
    except (BotoCoreError, ClientError) as error:
        words = message("notion.token_unreadable", name=mirror.token_parameter)
        raise NotionError("TOKEN_UNREADABLE", words, LATER) from error
    return str(parameter["Parameter"]["Value"]).strip()
