"""Commands in the order of `readdo --help`, each with its help line.

`readdo x` is `commands/x.py`; only the called command's module is imported.
"""

SECTIONS: dict[str, dict[str, str]] = {
    "Every day": {
        "capture": "Save a link or a text, and why.",
        "list": "List items, best score first.",
        "show": "Show an item: summary, score, todos, card.",
        "watch": "Watch an item until processing ends.",
        "export": "Create an item's card and download the files.",
        "edit": "Edit the summary, todos, card or intent.",
        "open": "Open an item's link in the browser.",
    },
    "Item actions": {
        "process": "Process an item that is not processed or has failed.",
        "retry": "Retry failed processing or a failed export.",
        "regenerate": "Process an item again; the current version stays until it is done.",
        "keep": "Discard a failed rerun and keep the previous version.",
        "ship": "Mark an item as shipped.",
        "archive": "Archive items.",
        "unarchive": "Unarchive items.",
        "delete": "Delete items permanently.",
    },
    "Tasks": {
        "task": "Add, list, claim and finish tasks.",
        "work": "Run your command for each task.",
        "accept": "Turn an item's todos into tasks.",
        "runs": "List runs: status, duration, result.",
        "health": "Show the health of the task queue.",
    },
    "Data and setup": {
        "import": "Import from other apps: exports, bookmarks, link lists.",
        "imports": "List, pause, resume or cancel imports.",
        "backup": "Back up everything: one zip, or notes in a folder.",
        "restore": "Restore a backup.",
        "token": "Create, list and revoke tokens.",
        "webhook": "Send a request to your URL when an item changes.",
        "doctor": "Check the installation and the connection.",
        "completion": "Set up tab completion for bash or zsh.",
    },
}
LINES = {name: line for commands in SECTIONS.values() for name, line in commands.items()}
