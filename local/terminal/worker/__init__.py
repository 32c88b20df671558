"""Worker: claims tasks of an intent, runs a command for each, and reports the result."""
