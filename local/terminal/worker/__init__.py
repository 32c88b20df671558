"""A worker: takes tasks of an intent, runs a command for each, and says how it went."""
