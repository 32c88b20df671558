"""Sync of one desk: prepare the database, show the marked rows, then the health."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from readdo import clock
from readdo.do import health, task_rows
from readdo.integrations import integration_keys
from readdo.integrations.notion import change_marks, columns, notion_values
from readdo.integrations.notion.notion import LATER, SOON, Notion, NotionError, NotThisPage, PageIsGone
from readdo.integrations.notion.notion_values import NotionRow
from readdo.integrations.notion.pages import Pages
from readdo.integrations.notion.sync_lease import SyncLease
from readdo.integrations.rows import MirrorRow, MirrorTrouble
from readdo.lifecycle.advance import Conflict
from readdo.messages import stored_fields
from readdo.store import keys
from readdo.store.keys import due
from readdo.store.table import DynamoTable

AGAIN_SECONDS = 300  # health changes with time, without a mark


@dataclass
class Sync:
    table: DynamoTable
    turn: SyncLease
    time_left: Callable[[], bool]
    shown: int = 0
    goes_on: bool = False  # a row that was shown has not ended, and no mark will report its end
    refused: list[NotThisPage] = field(default_factory=list)

    def run(self, connect: Callable[[], Notion], place: str) -> str:
        """Returns the trigger that ended the sync."""
        row = self.turn.take(self.table)
        try:
            notion = connect()
            pages = Pages(self.table, self.turn, notion, place, columns.prepare(notion, place))
            self._mark_existing_rows(row, place)
            return self._run_rounds(pages, row)
        except NotionError as trouble:
            return self._postpone(row, trouble)
        except PageIsGone:
            return self._postpone(row, columns.not_shown())

    def _mark_existing_rows(self, row: MirrorRow, place: str) -> None:
        """Mark the rows that are older than the mirror, once per database."""
        if row.get("filled") == place:
            return
        owner = self.turn.owner
        for partition in (task_rows.tasks_of(owner), task_rows.runs_of(owner)):
            change_marks.mark(self.table, owner, (key.sk for key in self.table.keys_of(partition)), clock.now())
        self.turn.step(self.table, "note", {"filled": place})

    def _run_rounds(self, pages: Pages, row: MirrorRow) -> str:
        while True:
            news = self.turn.row(self.table)["news"]
            if not self._show_marked(pages):
                self.turn.step(self.table, "pause", due(self.turn.owner, clock.now()))
                return "pause"
            self._show_health(pages)
            if self.refused:
                return self._postpone(row, columns.unusable(self.refused[0]))
            with suppress(Conflict):  # rows were marked meanwhile
                return self._finish(news)

    def _finish(self, news: int) -> str:
        at = clock.now()
        again = clock.after(at, SOON if self.goes_on else AGAIN_SECONDS)
        self.turn.finish(self.table, {"synced_at": at, "tries": 0, **due(self.turn.owner, again)}, news)
        return "finish"

    def _show_marked(self, pages: Pages) -> bool:
        """False if there was no time for all of them."""
        self.goes_on, self.refused = False, []
        owner = self.turn.owner
        for row in self.table.query_all(
            keys.partition(integration_keys.mirror_partition(owner)), keys.stretch(integration_keys.MARK_PREFIX)
        ):
            if not self.time_left():
                return False
            about = row["sk"].removeprefix(integration_keys.MARK_PREFIX)
            if self._show(pages, change_marks.read_marked_row(self.table, owner, about, clock.now())):
                change_marks.unmark(self.table, integration_keys.mark(owner, about), row["mark"])
        return True

    def _show(self, pages: Pages, entry: NotionRow | None) -> bool:
        """False if the row must be shown again."""
        if entry is None:
            return True
        try:
            self.shown += pages.show(entry)
        except NotThisPage as rejected:
            self.refused.append(rejected)
            return False
        self.goes_on = self.goes_on or entry.goes_on
        return not entry.goes_on

    def _show_health(self, pages: Pages) -> None:
        pages.show(notion_values.health(health.health(self.table, self.turn.owner, clock.now())))

    def _postpone(self, row: MirrorRow, trouble: NotionError) -> str:
        tries = row.get("tries", 0)
        at = clock.now()
        later = due(self.turn.owner, clock.after(at, min(LATER, trouble.after * 2**tries)))
        stored: MirrorTrouble = {"code": trouble.code, "message": trouble.words, **stored_fields(trouble.words)}
        self.turn.step(self.table, "postpone", {"trouble": stored, "tries": min(tries + 1, 10), **later})
        return "postpone"
