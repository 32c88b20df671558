"""One page of Notion: made once, and then kept up to date. Which page is whose is noted beside the mirror.

That a page is about to be made is noted first. Whoever finds that note and no page looks in Notion before making one:
the turn before may have made it, and died.
"""

import json
from collections.abc import Mapping
from typing import Any

from readdo import clock
from readdo.ids import digest
from readdo.lifecycle.write import Table, Write
from readdo.messages import message
from readdo.mirror import columns
from readdo.mirror.notion import SOON, Notion, NotionError, PageIsGone
from readdo.mirror.notion_values import NotionRow
from readdo.mirror.sync_lease import SyncLease
from readdo.store import keys

_SPARE_SECONDS = 7 * 86_400
GONE = "gone"


class Pages:
    def __init__(self, table: Table, turn: SyncLease, notion: Notion, database: str, title_column: str) -> None:
        self._table, self._turn, self._notion = table, turn, notion
        self._database, self._title = database, title_column

    def show(self, shown: NotionRow) -> bool:
        """Whether Notion had to be told anything. A page that somebody threw away there is not made again."""
        written = columns.properties(self._title, shown.title, shown.values)
        known = self._known(shown)
        content = digest(json.dumps(written, sort_keys=True))
        if known.get("content") == content or known.get("page") == GONE:
            return False
        page = known.get("page") or self._left_behind(known, shown)
        page = self._updated(page, written) if page else self._made(shown, written)
        self._note(shown, {"page": page, "content": content})
        return True

    def _updated(self, page: str, written: Mapping[str, Any]) -> str:
        try:
            self._notion.ask("PATCH", f"/v1/pages/{page}", {"properties": written})
        except PageIsGone:
            return GONE
        return page

    def _made(self, shown: NotionRow, written: Mapping[str, Any]) -> str:
        self._note(shown, {"begun": True})
        parent = {"database_id": self._database}
        made = self._notion.ask("POST", "/v1/pages", {"parent": parent, "properties": written})
        if "id" not in made:
            raise NotionError("BROKEN", message("notion.no_page"), SOON)
        return str(made["id"])

    def _known(self, shown: NotionRow) -> Mapping[str, Any]:
        """Of this database: with another one all pages are made anew."""
        row = self._table.get(keys.mirrored(self._turn.owner, shown.id)) or {}
        return row if row.get("database") == self._database else {}

    def _left_behind(self, known: Mapping[str, Any], shown: NotionRow) -> str:
        if not known.get("begun"):
            return ""
        asked = {"filter": columns.same_id(shown.id), "page_size": 1}
        found = self._notion.ask("POST", f"/v1/databases/{self._database}/query", asked).get("results", [])
        return str(found[0]["id"]) if found else ""

    def _note(self, shown: NotionRow, sets: Mapping[str, Any]) -> None:
        row = {"database": self._database, **sets}
        if shown.kept_until:
            row["expires"] = clock.epoch_seconds(clock.after(shown.kept_until, _SPARE_SECONDS))
        self._turn.write(self._table, Write(keys.mirrored(self._turn.owner, shown.id), "put", row=row))
