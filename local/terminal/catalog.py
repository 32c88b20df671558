"""The commands, in the order in which help shows them: name, and the line that says what it does.

`readdo x` is `commands/x.py`, and only the one that is called is loaded.
"""

SECTIONS: dict[str, dict[str, str]] = {
    "Every day": {
        "capture": "Save a link or a text, and why.",
        "list": "What is worth reading, the best first.",
        "show": "What was made of an item: summary, score, todos, card.",
        "watch": "Watch an item being read, to its end.",
        "export": "Make an item's card and files, and bring them here.",
        "edit": "Change what is shown, or why you saved it.",
        "open": "Go to where an item comes from.",
    },
    "Moves": {
        "process": "Read an item that rests or has failed.",
        "retry": "Try again what failed.",
        "regenerate": "Read it anew; what is shown stays until then.",
        "keep": "Forget a rerun that failed, keep what was there.",
        "ship": "Mark an item shipped.",
        "archive": "Put items away.",
        "unarchive": "Bring items back.",
        "delete": "Delete items for good.",
    },
    "The Do desk": {
        "task": "What is to be done: added, listed, taken, done.",
        "work": "Do tasks with a command of yours.",
        "accept": "Let todos of an item become tasks.",
        "runs": "What ran, how long, how it ended.",
        "health": "How the Do desk does.",
    },
    "Around it": {
        "import": "Bring in what was saved elsewhere: exports, bookmarks, lists.",
        "imports": "How imports stand; pause, resume, cancel.",
        "backup": "Take everything out: one zip, or notes in a folder.",
        "restore": "Bring a backup back.",
        "token": "Make, list and revoke tokens.",
        "webhook": "Have an address of yours told when items move.",
        "doctor": "Check what must be right for all this to work.",
        "completion": "The tab key, for bash and zsh.",
    },
}
LINES = {name: line for commands in SECTIONS.values() for name, line in commands.items()}
