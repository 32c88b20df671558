"""All route modules of the API."""

from routes import (
    api_description,
    backups,
    batches,
    desk_health,
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
)
