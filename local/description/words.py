"""Texts of the description: the topics and the rules of all calls."""

from dataclasses import dataclass

from .desk_description import Topic
from .desks import DESKS

TITLE = "Read→Do"
VERSION = "0.1.0"
SUMMARY = "Save less, do more: save a link or a text with one line on why, and get a card that you can ship."


@dataclass(frozen=True)
class Rule:
    title: str
    words: str


TOPICS = (
    Topic(
        "Capture",
        "Save a link or a text with one line on why: the intent. All results are made for this intent.",
        ("capture",),
    ),
    Topic(
        "Import",
        "Import a file of saved links from another product, line by line. docs/importing.md lists the formats.",
        (
            *("importFile", "listImports", "getImport", "listLines"),
            *("startImport", "pauseImport", "resumeImport", "cancelImport"),
        ),
    ),
    Topic(
        "Items",
        "The inbox, and each item with its results. Poll `status`: QUEUED and PROCESSING change automatically; "
        "READY and FAILED_* wait for you. So does CAPTURED if the item was saved without processing.",
        ("listItems", "getItem", "patchItem", "deleteItem"),
    ),
    Topic(
        "Actions",
        "Change the state of an item. `available_actions` of an item lists the calls that its current state allows.",
        ("processItem", "keepItem", "shipItem", "archiveItem", "unarchiveItem", "batch"),
    ),
    Topic(
        "Edits",
        "Replace an artifact with your own version. No version is ever overwritten.",
        ("editArtifact", "dropEdits", "getVersion"),
    ),
    Topic(
        "Exports",
        "Create files of the card: a picture, Markdown, a caption, a web page, JSON or PDF.",
        ("exportItem", "getExport", "getFile"),
    ),
    Topic(
        "Webhooks",
        "Send a request to your URL when an item changes. Deliveries are signed, retried and listed. Calls that change "
        "webhooks need the scopes `read` and `write`.",
        (
            *("listWebhooks", "addWebhook", "getWebhook", "patchWebhook", "removeWebhook"),
            *("testWebhook", "listDeliveries", "redeliver"),
        ),
    ),
    Topic(
        "Backups",
        "Back up all your data as one zip: items with their history, all versions, your texts and the files of "
        "exports. Tokens are not included. Items that you delete later stay in earlier backups for at most seven "
        "days.",
        (
            *("exportAll", "listBackups", "getBackup", "getBackupFile"),
            *("offerRestore", "startRestore", "listRestores", "getRestore"),
        ),
    ),
    *(topic for desk in DESKS for topic in desk.topics),
    Topic(
        "Tokens",
        "Create, list and revoke tokens. These calls need the scope `tokens`.",
        ("listTokens", "makeToken", "revokeToken"),
    ),
    Topic("About", "This description. These calls need no token and contain no user data.", ("describe", "readDocs")),
)

COMMON = (
    Rule(
        "Format",
        "Bodies are JSON in UTF-8 of at most 5 MB. Times are ISO 8601 in UTC with milliseconds and `Z`. A request "
        "with an unknown field is rejected, and the error names the field. HEAD is supported wherever GET is.",
    ),
    Rule(
        "Authentication",
        "Every call except /openapi.json and /docs needs the header `Authorization: Bearer <token>`. GET calls need "
        "the scope `read`, all other calls `write`, and calls of tokens `tokens`. Without a valid token the "
        "response is 401, without the scope 403. Resources of other users are 404.",
    ),
    Rule(
        "Errors",
        'The body is always `{"error": {"code", "message", "details"}}`: the code is for programs, the message for '
        "users. For a 409, `details` has the current status and the available actions. A failed pipeline is not an "
        "API error: the item is FAILED_* and has `failure`. Errors of the gateway have a different body, "
        '`{"message"}`: 429 for too many requests, 413 for a body far above the limit, 503 if the API did not '
        "respond.",
    ),
    Rule(
        "Idempotency",
        "Send the header `Idempotency-Key` (1–128 letters, digits or `. _ ~ : @ = + -`) to retry a write safely: "
        "the same key with the same request runs once and returns the first response, for 24 hours. Keys of "
        "captures and exports are valid as long as the item exists. The same key with a different request returns "
        "422. The fields `capture_id`, `process_request_id`, `export_key` and the `id` of a task work in the same "
        "way. For a `capture_id` and the `id` of a task, only the first body counts. Revoking a token and removing "
        "a webhook take no key.",
    ),
    Rule(
        "Concurrency",
        "GET calls return an `ETag`. Send it as `If-None-Match` to get 304 without a body if nothing has changed. "
        "To change an item or an artifact, send the version that you read as `If-Match`, or `*`. If the current "
        "version differs, nothing is changed and the response is 412.",
    ),
)


def topic_of(name: str) -> Topic:
    topic = next((topic for topic in TOPICS if name in topic.calls), None)
    if topic is None:
        raise LookupError(f"the call {name} belongs to no topic: add it to TOPICS in {__file__}")
    return topic


def description() -> str:
    return "\n\n".join([SUMMARY, *(f"## {rule.title}\n\n{rule.words}" for rule in COMMON)])
