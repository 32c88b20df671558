"""Every part of the API, a module each."""

from routes import (
    about,
    accepting,
    batches,
    desk,
    imports,
    items,
    moves,
    runs,
    shipping,
    taking_out,
    tasks,
    tokens,
    versions,
    webhooks,
)

PARTS = (
    *(about, items, moves, batches, versions, shipping, tokens),
    *(imports, taking_out, webhooks),
    *(tasks, runs, accepting, desk),
)
