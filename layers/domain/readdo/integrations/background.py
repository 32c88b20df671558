"""Background work of webhooks and of the Notion mirror."""

from readdo.integrations import integration_keys
from readdo.integrations.notion import due_sync
from readdo.integrations.webhooks import due_deliveries
from readdo.jobs.background_work import BackgroundWork

WORK = BackgroundWork(
    due={integration_keys.DELIVERY_PREFIX: due_deliveries.attend, integration_keys.MIRROR: due_sync.attend},
    beats=(due_sync.begin,),
)
