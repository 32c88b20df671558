"""Routes for the Do desk's health and metrics."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import health
from readdo.do.task_rows import OPEN_TASKS
from readdo.integrations.notion.sync_status import sync_status
from readdo.web.request_body import Empty
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()


@router.get("/health")
def get_health() -> Response[str]:
    context = RequestContext(router)
    current = health.health(context.table, context.owner, clock.now())
    return reply(200, {**current, **sync_status(context.table, context.owner)})


@router.get("/metrics")
def get_metrics() -> Response[str]:
    context = RequestContext(router)
    return reply(200, {"hours": health.week(context.table, context.owner, clock.now())})


@router.post("/health/recount")
def post_recount() -> Response[str]:
    """Recounting is idempotent, so the idempotency key is only validated, not stored."""
    context = RequestContext(router)
    context.body(Empty)
    context.key()
    result = OPEN_TASKS.recount(context.table, context.owner)
    return reply(200, {"counted": result.counted, "drift": result.drift})
