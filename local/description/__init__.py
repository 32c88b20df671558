"""Generate the description of the API (OpenAPI), its web page and docs/lifecycles.md."""
