"""Pages in Notion: one per row, created once and then updated. A record beside the mirror has its id.

The record is written before its page is created. If a record has no page, Notion is searched before a page is created:
an earlier sync may have created it and died.
"""

import json
from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.clock import digest
from readdo.integrations import integration_keys
from readdo.integrations.notion import columns
from readdo.integrations.notion.notion import SOON, Notion, NotionError, PageIsGone
from readdo.integrations.notion.notion_values import NotionRow
from readdo.integrations.notion.sync_lease import SyncLease
from readdo.lifecycle.write import Table, Write
from readdo.messages import message

_SPARE_SECONDS = 7 * 86_400
GONE = "gone"


class Pages:
    def __init__(self, table: Table, turn: SyncLease, notion: Notion, database: str, title_column: str) -> None:
        self._table, self._turn, self._notion = table, turn, notion
        self._database, self._title = database, title_column

    def show(self, entry: NotionRow) -> bool:
        """True if a request was needed. A page that was deleted in Notion is not created again."""
        properties = columns.properties(self._title, entry.title, entry.values)
        record = self._record(entry)
        content = digest(json.dumps(properties, sort_keys=True))
        if record.get("content") == content or record.get("page") == GONE:
            return False
        page = record.get("page") or self._find_unrecorded(record, entry)
        page = self._update(page, properties) if page else self._create(entry, properties)
        self._save(entry, {"page": page, "content": content})
        return True

    def _update(self, page: str, properties: Mapping[str, Any]) -> str:
        try:
            self._notion.ask("PATCH", f"/v1/pages/{page}", {"properties": properties})
        except PageIsGone:
            return GONE
        return page

    def _create(self, entry: NotionRow, properties: Mapping[str, Any]) -> str:
        self._save(entry, {"begun": True})
        parent = {"database_id": self._database}
        page = self._notion.ask("POST", "/v1/pages", {"parent": parent, "properties": properties})
        if "id" not in page:
            raise NotionError("BROKEN", message("notion.no_page"), SOON)
        return str(page["id"])

    def _record(self, entry: NotionRow) -> Mapping[str, Any]:
        """Empty for a record of another database, where all pages must be created again."""
        row = self._table.get(integration_keys.mirrored_row(self._turn.owner, entry.id)) or {}
        return row if row.get("database") == self._database else {}

    def _find_unrecorded(self, record: Mapping[str, Any], entry: NotionRow) -> str:
        if not record.get("begun"):
            return ""
        query = {"filter": columns.same_id(entry.id), "page_size": 1}
        pages = self._notion.ask("POST", f"/v1/databases/{self._database}/query", query).get("results", [])
        return str(pages[0]["id"]) if pages else ""

    def _save(self, entry: NotionRow, sets: Mapping[str, Any]) -> None:
        row = {"database": self._database, **sets}
        if entry.kept_until:
            row["expires"] = clock.epoch_seconds(clock.after(entry.kept_until, _SPARE_SECONDS))
        self._turn.write(self._table, Write(integration_keys.mirrored_row(self._turn.owner, entry.id), "put", row=row))
