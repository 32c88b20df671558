"""Generate the description of the API (OpenAPI), the tables of docs/api.md and docs/lifecycles.md."""
