"""How the Do desk does."""

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.do import health
from readdo.do.recount import recount
from readdo.web.requests import Empty
from routes.request_context import RequestContext, reply

router = APIGatewayHttpRouter()


@router.get("/health")
def get_health() -> Response[str]:
    asked = RequestContext(router)
    return reply(200, health.health(asked.table, asked.owner, clock.now()))


@router.get("/metrics")
def get_metrics() -> Response[str]:
    asked = RequestContext(router)
    return reply(200, {"hours": health.week(asked.table, asked.owner, clock.now())})


@router.post("/health/recount")
def post_recount() -> Response[str]:
    """It changes nothing that a second time would change again, so its key need not be kept."""
    asked = RequestContext(router)
    asked.body(Empty)
    asked.key()
    found = recount(asked.table, asked.owner)
    return reply(200, {"counted": found.counted, "drift": found.drift})
