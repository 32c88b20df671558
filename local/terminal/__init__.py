"""The terminal client `readdo`. It uses only the HTTP API and imports no other code of the project."""

VERSION = "0.1.0"
