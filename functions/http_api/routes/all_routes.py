"""All route modules of the API, by the first part of their paths.

A module is imported for the first request to its paths: a new process answers its first request sooner.
"""

from importlib import import_module
from threading import Lock

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver

MODULES: dict[str, tuple[str, ...]] = {
    "openapi.json": ("api_description",),
    "docs": ("api_description",),
    "capture": ("items",),
    "items": ("items", "item_actions", "batches", "versions", "exports", "tasks"),
    "exports": ("exports",),
    "tokens": ("tokens",),
    "import": ("imports",),
    "imports": ("imports",),
    "export-all": ("backups",),
    "backups": ("backups",),
    "restore": ("backups",),
    "restores": ("backups",),
    "webhooks": ("webhooks",),
    "tasks": ("tasks",),
    "runs": ("runs",),
    "health": ("desk_health",),
    "metrics": ("desk_health",),
    "jobs": ("jobs",),
    "assignments": ("assignments",),
    "batches": ("collect_batches",),
    "documents": ("documents",),
    "collect": ("collect_figures",),
}
_included: set[str] = set()
_lock = Lock()


def include_routes(app: APIGatewayHttpResolver, path: str) -> None:
    """Add the routes of this path to the app, unless it has them."""
    part = path.split("/")[1] if path.startswith("/") else ""
    with _lock:
        for name in MODULES.get(part, ()):
            if name not in _included:
                app.include_router(import_module(f"routes.{name}").router)
                _included.add(name)
