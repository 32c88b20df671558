"""All route modules of the API."""

from routes import (
    api_description,
    assignments,
    backups,
    batches,
    collect_batches,
    collect_figures,
    desk_health,
    documents,
    exports,
    imports,
    item_actions,
    items,
    jobs,
    runs,
    tasks,
    tokens,
    versions,
    webhooks,
)

PARTS = (
    *(api_description, items, item_actions, batches, versions, exports, tokens),
    *(imports, backups, webhooks),
    *(tasks, runs, desk_health),
    jobs,
    *(assignments, collect_batches, documents, collect_figures),
)
