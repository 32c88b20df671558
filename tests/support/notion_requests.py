"""Answer the mirror's requests to Notion in this process, without HTTP."""

from collections.abc import Mapping
from typing import Any

import pytest

from readdo.integrations.notion import notion
from support.notion_server import NotionServer


def answered_by(server: NotionServer, patch: pytest.MonkeyPatch) -> None:
    def sent(self: notion.Notion, method: str, path: str, body: Mapping[str, Any] | None) -> Any:
        headers = {name.lower(): value for name, value in self._headers.items()}
        status, payload, response_headers = server.answer(method, path, headers, body)
        return status, payload, notion._seconds(response_headers.get("Retry-After", ""))

    patch.setattr(notion.Notion, "_sent", sent)
