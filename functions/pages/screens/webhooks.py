"""Webhooks by hand: added, tested, paused, removed, and what became of the last that was sent."""

from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.web import errors
from readdo.web.body_validation import validate
from readdo.web.path_params import delivery_id, webhook_id
from readdo.web.requests import NewWebhook
from readdo.webhooks import deliveries, events, subscriptions, views
from readdo.webhooks.subscriptions import IdempotentRequest
from screens import error_texts, html_response
from screens.flash import flash, flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest

router = APIGatewayHttpRouter()
HOOKS = f"{HOME}/settings/webhooks"
_LAST = 5
USUAL = ("READY", "FAILED_*")  # ticked where one is added


@router.get(HOOKS)
def get_webhooks() -> Response[str]:
    return _page(visit_of(router))


@router.post(HOOKS)
def post_webhook() -> Response[str]:
    """Its secret is on the answer itself and nowhere else. What cannot be kept comes back as it was written."""
    visit = visit_of(router)
    wish = {"url": visit.form.get("url", "").strip(), "events": visit.sent.get("events", [])}
    try:
        asked = validate(NewWebhook, wish)
        made, secret = subscriptions.add(visit.table, _unkeyed(visit), asked.url, asked.events, clock.now())
    except Exception as error:
        refused = errors.of(error)
        if refused is None:
            raise
        return _page(visit, refused.status, wrong=error_texts.sentence(error, visit.words), wish=wish)
    return _page(visit, made={**made, "secret": secret})


@router.post(f"{HOOKS}/<given>/test")
def post_test(given: str) -> Response[str]:
    visit = visit_of(router)
    deliveries.test(visit.table, _unkeyed(visit), webhook_id(given), clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, "hook_test"))


@router.post(f"{HOOKS}/<given>/pause")
def post_pause(given: str) -> Response[str]:
    return _changed(given, "hook_pause", paused=True)


@router.post(f"{HOOKS}/<given>/resume")
def post_resume(given: str) -> Response[str]:
    return _changed(given, "hook_resume", paused=False)


@router.post(f"{HOOKS}/<given>/remove")
def post_remove(given: str) -> Response[str]:
    visit = visit_of(router)
    subscriptions.remove(visit.table, visit.owner, webhook_id(given), clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, "hook_remove"))


@router.post(f"{HOOKS}/<given>/deliveries/<which>/redeliver")
def post_redeliver(given: str, which: str) -> Response[str]:
    visit = visit_of(router)
    deliveries.again(visit.table, _unkeyed(visit), webhook_id(given), delivery_id(which), clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, "hook_test"))


def _changed(given: str, done: str, *, paused: bool) -> Response[str]:
    visit = visit_of(router)
    subscriptions.change(visit.table, _unkeyed(visit), webhook_id(given), {"paused": paused}, clock.now())
    return html_response.go_to(visit, flash_link(HOOKS, done))


def _unkeyed(visit: PageRequest) -> IdempotentRequest:
    return IdempotentRequest(visit.owner, "", "")


def _page(visit: PageRequest, status: int = 200, **more: Any) -> Response[str]:
    listed = [
        {**views.webhook(row), "last": _last(visit, row["id"])}
        for row in subscriptions.list_webhooks(visit.table, visit.owner)
    ]
    told = {"hooks": listed, "names": events.NAMES, "made": None, "wrong": "", "done": flash(visit), **more}
    wish = {"url": "", "events": USUAL}
    return html_response.page(visit, "webhooks.html", status, **{"wish": wish, **told})


def _last(visit: PageRequest, hook_id: str) -> list[dict[str, Any]]:
    rows, _ = deliveries.list_deliveries(visit.table, visit.owner, hook_id, "", clock.now())
    return [views.delivery(row) for row in rows[:_LAST]]
