"""What holds for every call, in sentences: the description and its page say them alike."""

from dataclasses import dataclass

TITLE = "Read→Do"
VERSION = "0.1.0"
SUMMARY = "Save less, do more: a link or a text, one line on why, and what comes of it is a card that you can ship."


@dataclass(frozen=True)
class Topic:
    name: str
    words: str
    calls: tuple[str, ...]

    @property
    def anchor(self) -> str:
        return f"topic-{self.name.lower()}"


@dataclass(frozen=True)
class Rule:
    title: str
    words: str


TOPICS = (
    Topic("Capture", "Something to read, and one line on why. Everything else follows from that line.", ("capture",)),
    Topic(
        "Import",
        "A file of what was saved elsewhere, brought in line by line: what docs/importing.md names is understood.",
        (
            *("importFile", "listImports", "getImport", "listLines"),
            *("startImport", "pauseImport", "resumeImport", "cancelImport"),
        ),
    ),
    Topic(
        "Items",
        "The inbox, and each item with what was made of it. Watch `status`: CAPTURED, QUEUED and PROCESSING pass by "
        "themselves; READY and FAILED_* wait for you.",
        ("listItems", "getItem", "patchItem", "deleteItem"),
    ),
    Topic(
        "Moves",
        "What may be done from which state is a table; an item's `available_actions` has its rows for this moment.",
        ("processItem", "keepItem", "shipItem", "archiveItem", "unarchiveItem", "batch"),
    ),
    Topic(
        "Edits",
        "Your own words before the system's. No version is ever overwritten.",
        ("editArtifact", "dropEdits", "getVersion"),
    ),
    Topic(
        "Exports",
        "Files of the card: a picture, Markdown, a caption, a page, JSON, PDF.",
        ("exportItem", "getExport", "getFile"),
    ),
    Topic(
        "Webhooks",
        "An address of yours that is told when an item moves: signed, tried again, listed. What changes them needs "
        "the scopes `read` and `write`.",
        (
            *("listWebhooks", "addWebhook", "getWebhook", "patchWebhook", "removeWebhook"),
            *("testWebhook", "listDeliveries", "redeliver"),
        ),
    ),
    Topic(
        "Backups",
        "Everything of yours in one zip: items with their history, every version, your texts and the exports' files. "
        "Tokens are not in it. What you delete later stays in backups made before, for at most seven days.",
        (
            *("exportAll", "listBackups", "getBackup", "getBackupFile"),
            *("offerRestore", "startRestore", "listRestores", "getRestore"),
        ),
    ),
    Topic(
        "Tasks",
        "What is to be done. A todo that you accept, a script or another program adds one; a worker (a person, or a "
        "program of yours) claims it.",
        (
            *("addTask", "listTasks", "getTask", "acceptTodo", "claimTask"),
            *("enqueueTask", "requeueTask", "blockTask", "cancelTask"),
        ),
    ),
    Topic(
        "Runs",
        "One try of a worker at a task: started, kept alive by heartbeats, completed, with evidence of how it went.",
        ("listRuns", "getRun", "startRun", "heartbeatRun", "completeRun", "attachEvidence", "getEvidence"),
    ),
    Topic("Health", "How the Do desk does.", ("getHealth", "getMetrics", "recount")),
    Topic("Tokens", "They need the scope `tokens`.", ("listTokens", "makeToken", "revokeToken")),
    Topic("About", "Open to everybody: they say nothing of anybody.", ("describe", "readDocs")),
)

COMMON = (
    Rule(
        "Form",
        "JSON in UTF-8, at most 5 MB a body. Times are ISO 8601 in UTC with milliseconds and `Z`. A field that is "
        "not known is refused by name. HEAD answers wherever GET does.",
    ),
    Rule(
        "Who asks",
        "Every call but /openapi.json and /docs carries `Authorization: Bearer <token>`. GET needs the scope `read`, "
        "all else `write`, and everything about tokens `tokens`. Without a token that lives: 401. Without the scope: "
        "403. What is another's is 404, as if it were not there.",
    ),
    Rule(
        "Errors",
        'Always `{"error": {"code", "message", "details"}}`: the code for a program, the message for a person. A '
        "409 says in `details` where the item stands and what can be done instead. A pipeline that fails is no error "
        "of the API: the item is FAILED_* and carries `failure`. The gateway before us has a body of its own, "
        '`{"message"}`: 429 if too many calls come at once, 413 far above our limit, 503 if we did not answer.',
    ),
    Rule(
        "The same request twice",
        "Every write but the revoking of a token and the removal of a webhook takes the header `Idempotency-Key` "
        "(1–128 letters, digits or "
        "`. _ ~ : @ = + -`). The same key with the same request is done once and answered as the first time, for 24 "
        "hours; keys of captures and exports live as long as the item. With another request: 422. `capture_id`, "
        "`process_request_id`, `export_key` and a task's `id` do the same from within the body; a `capture_id` names "
        "the item, and an `id` the task, so their first body stands.",
    ),
    Rule(
        "Nothing is overwritten unseen",
        "GET answers with an `ETag`; send it back as `If-None-Match`, and what has not changed is a 304, bare. "
        "To change an item or an artifact, `If-Match` must name the version that you have seen (or `*`); if it is not "
        "the version that is there, nothing is changed: 412.",
    ),
)


def topic_of(name: str) -> Topic:
    found = next((topic for topic in TOPICS if name in topic.calls), None)
    if found is None:
        raise LookupError(f"the call {name} belongs to no topic: add it to TOPICS in {__file__}")
    return found


def description() -> str:
    return "\n\n".join([SUMMARY, *(f"## {rule.title}\n\n{rule.words}" for rule in COMMON)])
