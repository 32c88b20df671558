"""Do one assignment of a batch, and return its result in the form of a worker's output."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from readdo import clock
from readdo.clock import digest
from readdo.collect.assignment_validation import CONTENT_SUPPLEMENT, CREATE_DOCUMENT, TOPIC, URL, named_documents
from readdo.collect.completeness import COMPLETE_POINTS, missing_items, rate_of
from readdo.collect.document_library import put_document, read_content
from readdo.collect.document_names import find_document
from readdo.collect.document_paths import path_problem
from readdo.collect.own_worker import search_client
from readdo.collect.own_worker.document_writing import new_document, supplement, write_draft
from readdo.collect.own_worker.link_lists import WebLink, likeness, links_of_list, links_of_page, links_of_text, unique
from readdo.collect.own_worker.page_sources import NeedsPermission, PageSource, is_closed, read_source
from readdo.collect.rows import DocumentRow
from readdo.errors import StepFailed
from readdo.messages import message
from readdo.runtime import logger
from readdo.store.table import DynamoTable

PAGES_MAX = 3  # that are read for one document
_LIST_SECONDS = 10.0
_LIKENESS = 0.5  # of a link's text to the title of a document
_NOT_IN_PATHS = re.compile(r"[^\w-]+")
Task = Mapping[str, Any]


@dataclass
class DocumentOutcome:
    """Result of the work on one document."""

    path: str
    row: DocumentRow | None = None
    is_changed: bool = False
    permission: str = ""
    problem: str = ""

    @property
    def is_complete(self) -> bool:
        return self.row is not None and self.row["points"] >= COMPLETE_POINTS


@dataclass
class TaskWork:
    table: DynamoTable
    owner: str
    engine: Any
    task: Task
    outcomes: list[DocumentOutcome] = field(default_factory=list)

    @property
    def intent(self) -> str:
        subjects = [self.task.get(name) for name in ("title", "description", "extract_fields", "search_keywords")]
        texts = [", ".join(map(str, value)) if isinstance(value, list) else str(value) for value in subjects if value]
        return (" ".join(texts) or "collect the essentials")[:800]

    def find(self, path: str) -> DocumentRow | None:
        return find_document(self.table, self.owner, path)

    def content_of(self, row: DocumentRow) -> str:
        return read_content(self.owner, row["sha256"])

    def fill(self, path: str, row: DocumentRow | None, title: str, links: Sequence[WebLink]) -> DocumentOutcome:
        """Create the document, or add what it lacks. Each page that is read may add to it."""
        outcome = DocumentOutcome(path, row)
        self.outcomes.append(outcome)
        if outcome.is_complete:
            return outcome
        sources: list[PageSource] = []
        for link in links[:PAGES_MAX]:
            try:
                sources.append(read_source(link))
            except NeedsPermission as closed:
                outcome.permission = outcome.permission or f"{link.url}: {closed}"
            except StepFailed as error:
                outcome.problem = outcome.problem or f"{link.url}: {error.message}"
        if sources:
            self._write(outcome, title, sources)
        return outcome

    def _write(self, outcome: DocumentOutcome, title: str, sources: Sequence[PageSource]) -> None:
        draft, at = write_draft(self.engine, sources, self.intent), clock.now()
        if outcome.row is None:
            content = new_document(title or sources[0].title, draft, at)
        else:
            old = self.content_of(outcome.row)
            parts = outcome.row["parts"]
            lacking = [name for name, part in parts.items() if part["have"] < part["need"]]
            content = supplement(old, lacking, title or sources[0].title, draft, at)
        outcome.row, _ = put_document(self.table, self.owner, outcome.path, content, at)
        outcome.is_changed = True


def do_task(table: DynamoTable, owner: str, engine: Any, task: Task) -> dict[str, Any]:
    work = TaskWork(table, owner, engine, task)
    try:
        status, reason = _KINDS[str(task.get("type"))](work)
    except StepFailed as error:  # a list, a schedule or the search cannot be read
        status, reason = "skipped" if is_closed(error.message) else "failed", str(error.message)
    result: dict[str, Any] = {"id": task["id"], "status": status, "result": _claims(work)}
    if reason:
        result["error" if status == "failed" else "reason"] = reason[:1000]
    return result


def _claims(work: TaskWork) -> dict[str, Any]:
    there = [outcome for outcome in work.outcomes if outcome.row]
    points = [outcome.row["points"] if outcome.row else 0 for outcome in work.outcomes]
    missing = [f"{o.path}: {text}" for o in there if o.row for text in missing_items(o.row["parts"])]
    claims: dict[str, Any] = {"documents": [outcome.path for outcome in there], "missing_items": missing}
    claims |= {"created_count": sum(outcome.is_changed for outcome in there), "target_count": len(work.outcomes)}
    return {**claims, "completion_rate": rate_of(min(points, default=0))}


def _summed_up(work: TaskWork) -> tuple[str, str]:
    """The status for all documents, and the reason if nothing could be done."""
    outcomes = work.outcomes
    if outcomes and all(outcome.is_complete for outcome in outcomes):
        return "success", ""
    if any(outcome.is_changed or outcome.is_complete for outcome in outcomes):
        return "partial", ""
    if permission := next((outcome.permission for outcome in outcomes if outcome.permission), ""):
        return "skipped", permission
    problem = next((outcome.problem for outcome in outcomes if outcome.problem), "")
    return "pending", problem or str(message("collect.no_link"))


def _supplement_content(work: TaskWork) -> tuple[str, str]:
    resources, schedule = _resources(work), _schedule(work)
    for path in named_documents(work.task):
        row = work.find(path)
        content = work.content_of(row) if row else ""
        title = _title_of(content) or str(work.task.get("title") or "") or PurePosixPath(path).stem
        links = [*resources, *links_of_text(content), *_alike(title, schedule)]
        work.fill(path, row, title, unique(links))
    return _summed_up(work)


def _title_of(content: str) -> str:
    return next((line[2:].strip() for line in content.splitlines() if line.startswith("# ")), "")


def _create_documents(work: TaskWork) -> tuple[str, str]:
    """A link of a list, a schedule or a search is used only if its text is like the title.

    The resources of an assignment with a single document are meant for it.
    """
    resources = _resources(work)
    free = unique([*resources, *_schedule(work), *_found(work)])
    listed = work.task["document_list"]
    for entry in listed:
        title = str(entry.get("title") or "")
        chosen = _alike(title, free)[:1] or (resources[:PAGES_MAX] if len(listed) == 1 else [])
        free = [link for link in free if link not in chosen]
        work.fill(entry["file"], work.find(entry["file"]), title, chosen)
    for link in free[: max(0, work.task.get("target_count", 0) - len(listed))]:
        path = _own_path(link)
        work.fill(path, work.find(path), link.text, [link])
    return _summed_up(work)


def _alike(title: str, links: Sequence[WebLink]) -> list[WebLink]:
    """The links whose text is like the title, the most alike first."""
    rated = [(likeness(title, f"{link.text} {link.url}"), link) for link in links]
    return [link for like, link in sorted(rated, key=lambda pair: -pair[0]) if like >= _LIKENESS]


def _read_url(work: TaskWork) -> tuple[str, str]:
    link = WebLink(str(work.task["url"]))
    path = next(iter(named_documents(work.task)), "") or _own_path(link)
    outcome = work.fill(path, work.find(path), str(work.task.get("title") or ""), [link])
    status, reason = _summed_up(work)
    return ("failed", reason) if status == "pending" and outcome.problem else (status, reason)


def _search_topic(work: TaskWork) -> tuple[str, str]:
    if not search_client.is_configured():
        return "pending", str(message("collect.no_search"))
    links = _found(work)
    title = str(work.task.get("title") or _keywords(work))
    path = next(iter(named_documents(work.task)), "") or f"topics/{_slug(title)}.md"
    work.fill(path, work.find(path), title, links)
    return _summed_up(work)


def _resources(work: TaskWork) -> list[WebLink]:
    """Of a create_document the list is a further field."""
    given = work.task.get("resource_list", work.task["extra"].get("resource_list"))
    if isinstance(given, list):
        return links_of_list(given)
    if isinstance(given, str) and given.startswith(("http://", "https://")):
        return links_of_page(given, _LIST_SECONDS)
    row = None if path_problem(given) else work.find(str(given))
    if row is None:
        if given:
            logger.error("file_io_error", extra={"path": str(given)[:200]})
        return []
    return links_of_text(work.content_of(row))


def _schedule(work: TaskWork) -> list[WebLink]:
    address = work.task.get("schedule_url")
    return links_of_page(str(address), _LIST_SECONDS) if address else []


def _found(work: TaskWork) -> list[WebLink]:
    words = _keywords(work)
    if not words or not search_client.is_configured():
        return []
    return search_client.search(words, min(int(work.task.get("max_results") or PAGES_MAX), 20))


def _keywords(work: TaskWork) -> str:
    given = work.task.get("search_keywords")
    words = " ".join(map(str, given)) if isinstance(given, list) else str(given or "")
    return words or (str(work.task.get("title") or "") if work.task.get("type") == TOPIC else "")


def _own_path(link: WebLink) -> str:
    """The same link has the same path again."""
    host = (urlsplit(link.url).hostname or "page").removeprefix("www.")
    return f"collected/{_slug(host)}/{_slug(link.text)[:60]}-{digest(link.url)[:8]}.md"


def _slug(text: str) -> str:
    return _NOT_IN_PATHS.sub("-", text).strip("-")[:80] or "page"


_KINDS: Mapping[str, Callable[[TaskWork], tuple[str, str]]] = {
    CONTENT_SUPPLEMENT: _supplement_content,
    CREATE_DOCUMENT: _create_documents,
    URL: _read_url,
    TOPIC: _search_topic,
}
