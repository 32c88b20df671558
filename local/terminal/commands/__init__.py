"""One command a file; `command` is what `readdo` runs."""
