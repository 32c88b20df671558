"""The page of webhooks: add, test, pause, remove, and the last deliveries."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.api.registry import to_api_error
from readdo.integrations.requests import NewWebhook
from readdo.integrations.webhooks import deliveries, events, subscriptions, views
from readdo.integrations.webhooks.subscriptions import IdempotentRequest
from readdo.web.path_params import delivery_id, webhook_id
from readdo.web.request_body import validate
from screens import error_texts, html_response
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
HOOKS = f"{HOME}/settings/webhooks"
_DELIVERIES = 5
DEFAULT_EVENTS = ("READY", "FAILED_*")  # selected in the form for a new webhook


@router.get(HOOKS)
def get_webhooks() -> Response[str]:
    return _page(visit_of(router))


@router.post(HOOKS)
def post_webhook() -> Response[str]:
    """Add a webhook. Only this response shows its secret. Invalid input is shown again."""
    visit = visit_of(router)
    fields = {"url": visit.form.get("url", "").strip(), "events": visit.form_lists.get("events", [])}
    try:
        form = validate(NewWebhook, fields)
        webhook, secret = subscriptions.add(visit.table, _request(visit), form.url, form.events, clock.now())
    except Exception as error:
        refused = to_api_error(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=error_texts.sentence(error, visit.words), draft=fields)
    return _page(visit, made={**webhook, "secret": secret})


@router.post(f"{HOOKS}/<raw_id>/test")
def post_test(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    deliveries.test(visit.table, _request(visit), webhook_id(raw_id), clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, "hook_test"))


@router.post(f"{HOOKS}/<raw_id>/pause")
def post_pause(raw_id: str) -> Response[str]:
    return _set_paused(raw_id, "hook_pause", paused=True)


@router.post(f"{HOOKS}/<raw_id>/resume")
def post_resume(raw_id: str) -> Response[str]:
    return _set_paused(raw_id, "hook_resume", paused=False)


@router.post(f"{HOOKS}/<raw_id>/remove")
def post_remove(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    subscriptions.remove(visit.table, visit.owner, webhook_id(raw_id), clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, "hook_remove"))


@router.post(f"{HOOKS}/<raw_id>/deliveries/<raw_delivery_id>/redeliver")
def post_redeliver(raw_id: str, raw_delivery_id: str) -> Response[str]:
    visit = visit_of(router)
    deliveries.redeliver(visit.table, _request(visit), webhook_id(raw_id), delivery_id(raw_delivery_id), clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, "hook_test"))


def _set_paused(raw_id: str, done: str, *, paused: bool) -> Response[str]:
    visit = visit_of(router)
    subscriptions.change(visit.table, _request(visit), webhook_id(raw_id), {"paused": paused}, clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, done))


def _request(visit: PageRequest) -> IdempotentRequest:
    return IdempotentRequest(visit.owner, "", "")


def _page(visit: PageRequest, status: int = 200, **overrides: Any) -> Response[str]:
    hooks = [
        {**views.webhook(row), "last": _last_deliveries(visit, row["id"])}
        for row in subscriptions.list_webhooks(visit.table, visit.owner)
    ]
    values = {"hooks": hooks, "names": events.NAMES, "made": None, "wrong": "", "done": flash(visit), **overrides}
    default_fields = {"url": "", "events": DEFAULT_EVENTS}
    return html_response.page(visit, "webhooks.html", status, **{"draft": default_fields, **values})


def _last_deliveries(visit: PageRequest, hook_id: str) -> list[dict[str, Any]]:
    rows, _ = deliveries.list_deliveries(visit.table, visit.owner, hook_id, "", clock.now())
    return [views.delivery(row) for row in rows[:_DELIVERIES]]
