"""Capture from the inbox form, the bookmarklet and a phone's share menu."""

import json
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo import clock
from readdo.api.registry import to_api_error
from readdo.read import views
from readdo.read.capture import capture
from readdo.read.item_rows import CaptureRequest
from readdo.read.requests import Capture
from readdo.web.errors import ApiError
from readdo.web.request_body import validate
from screens import assets, error_texts, html_response
from screens.flash import flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, PageRequest
from screens.read.shared_links import draft_of

router = APIGatewayHttpRouter()
CAPTURE = f"{HOME}/capture"


@router.get(CAPTURE)
def get_capture() -> Response[str]:
    """Show the form with the shared link. Nothing is stored before the user adds the reason."""
    visit = visit_of(router)
    draft = draft_of(visit.query)
    return html_response.page(visit, "capture.html", draft=draft, wrong={}, small=visit.query.get("small") == "1")


@router.post(CAPTURE)
def post_capture() -> Response[str]:
    visit = visit_of(router)
    draft = {
        name: visit.form.get(name, "") for name in ("source", "url", "title", "intent_text", "content", "language")
    }
    small = visit.form.get("small") == "1"
    try:
        form = validate(Capture, {**_source(draft), **_options(visit, draft)})
        capture_request = CaptureRequest(
            **form.model_dump(exclude={"capture_id"}), capture_id=str(form.capture_id or "")
        )
        captured = capture(visit.table, visit.owner, capture_request, clock.now())
    except Exception as error:
        refused = to_api_error(error)
        if refused is None:
            raise
        wrong = _error_fields(error, refused, visit)
        return html_response.page(visit, "capture.html", refused.status, draft=draft, wrong=wrong, small=small)
    if small:
        return html_response.page(visit, "captured.html", item=views.item(captured.item), joined=captured.joined)
    flash_name = "joined" if captured.joined else "captured"
    return html_response.go_to(
        visit,
        flash_link(f"{HOME}/items/{captured.item['id']}" if captured.joined else HOME, flash_name, captured.item["id"]),
    )


def _source(draft: dict[str, str]) -> dict[str, str]:
    """Read the field for a link or a text. Anything that does not look like a link is a text."""
    source = draft["source"].strip()
    if not source:
        return {"url": draft["url"], "content": draft["content"]}
    is_link = len(source.split()) == 1 and "." in source and "\n" not in source
    if not is_link:
        return {"content": source}
    return {"url": source if "://" in source else f"https://{source}"}


def _options(visit: PageRequest, draft: dict[str, str]) -> dict[str, Any]:
    fields = {name: draft[name] for name in ("intent_text", "title", "language") if draft[name]}
    key = visit.form.get("capture_id", "")
    only_save = visit.form.get("rests") == "1"
    return {
        **fields,
        "profile": visit.likes["profile"],
        "process": not only_save,
        **({"capture_id": key} if key else {}),
    }


def _error_fields(error: Exception, refused: ApiError, visit: PageRequest) -> dict[str, Any]:
    fields = {field["field"] for field in (refused.details or {}).get("fields", [])}
    message_name = next((f"capture.wrong.{name}" for name in ("intent_text", "url", "") if name in fields), "")
    if message_name and visit.words.knows(message_name):
        return {"words": visit.words(message_name), "fields": sorted(fields)}
    return {"words": error_texts.sentence(error, visit.words), "fields": sorted(fields)}


@router.get(f"{HOME}/manifest.webmanifest")
def get_manifest() -> Response[str]:
    """The web app manifest, which lets phones install the page and share links with it."""
    visit = visit_of(router)
    icons = [
        {"src": visit.base + assets.address(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    manifest = {
        "name": "Read→Do",
        "short_name": "Read→Do",
        "start_url": visit.base + HOME,
        "scope": visit.base + HOME,
        "display": "standalone",
        "background_color": "#f8f5ee",
        "theme_color": "#17493b",
        "icons": icons,
        "share_target": {
            "action": visit.base + CAPTURE,
            "method": "GET",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }
    return Response(200, "application/manifest+json", json.dumps(manifest, ensure_ascii=False))
