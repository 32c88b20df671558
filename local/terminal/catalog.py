"""Commands in the order of `readdo --help`: each with its module in `commands` and its help line.

Only the module of the called command is imported.
"""

SECTIONS: dict[str, dict[str, tuple[str, str]]] = {
    "Every day": {
        "capture": ("capture", "Save a link or a text, and why."),
        "list": ("inbox", "List items, best score first."),
        "show": ("item", "Show an item: summary, score, todos, card."),
        "watch": ("item", "Watch an item until processing ends."),
        "export": ("export", "Create an item's card and download the files."),
        "edit": ("edit", "Edit the summary, todos, card or intent."),
        "open": ("item", "Open an item's link in the browser."),
    },
    "Item actions": {
        "process": ("item_moves", "Process an item that is not processed or has failed."),
        "retry": ("item_moves", "Retry failed processing or a failed export."),
        "regenerate": ("item_moves", "Process an item again; the current version stays until it is done."),
        "keep": ("item_moves", "Discard a failed rerun and keep the previous version."),
        "ship": ("item_moves", "Mark an item as shipped."),
        "archive": ("item_moves", "Archive items."),
        "unarchive": ("item_moves", "Unarchive items."),
        "delete": ("item_moves", "Delete items permanently."),
    },
    "Tasks": {
        "task": ("task", "Add, list, claim and finish tasks."),
        "work": ("work", "Run your command for each task."),
        "accept": ("task", "Turn an item's todos into tasks."),
        "runs": ("task_queue", "List runs: status, duration, result."),
        "health": ("task_queue", "Show the health of the task queue."),
    },
    "Long texts": {
        "proof": ("proof", "Check a long text chunk by chunk, and merge it."),
    },
    "Collections": {
        "collect": ("collect", "Hand out assignments in batches, and verify the documents."),
    },
    "Data and setup": {
        "import": ("imports", "Import from other apps: exports, bookmarks, link lists."),
        "imports": ("imports", "List, pause, resume or cancel imports."),
        "backup": ("backup", "Back up everything: one zip, or notes in a folder."),
        "restore": ("backup", "Restore a backup."),
        "token": ("token", "Create, list and revoke tokens."),
        "webhook": ("webhook", "Send a request to your URL when an item changes."),
        "doctor": ("setup", "Check the installation and the connection."),
        "completion": ("setup", "Set up tab completion for bash or zsh."),
    },
}
MODULES = {name: module for commands in SECTIONS.values() for name, (module, _) in commands.items()}
