"""Forms that edit an item's fields, its text or its artifacts. Invalid input is shown again."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.api.registry import to_api_error
from readdo.errors import VersionMismatch
from readdo.read import artifacts, item_commands, item_edits
from readdo.read.item_transactions import Build
from readdo.read.requests import Patch
from readdo.web.errors import not_found
from readdo.web.request_body import validate
from screens import error_texts, html_response
from screens.flash import flash_link
from screens.page_auth import visit_of
from screens.page_request import HOME, ITEM, PageRequest
from screens.read import artifact_forms
from screens.read.item import find, item_page
from screens.read.item_actions import carry_out

router = APIGatewayHttpRouter()
WORDS = ("intent_text", "title", "language", "profile")


@router.post(f"{ITEM}/change/words")
def post_words(raw_id: str) -> Response[str]:
    visit = visit_of(router)
    draft = {name: visit.form.get(name, "") for name in WORDS}
    return _save(visit, raw_id, "words", draft, lambda: _patch(visit, raw_id, draft))


@router.post(f"{ITEM}/change/paste")
def post_paste(raw_id: str) -> Response[str]:
    """Store a pasted text instead of the page, and process the item again."""
    visit = visit_of(router)
    draft = {"content": visit.form.get("content", "")}

    def paste() -> None:
        _patch(visit, raw_id, draft)
        carry_out(visit, raw_id, "process", {"mode": "PROCESS"}, item_commands.requeue("process"))

    return _save(visit, raw_id, "paste", draft, paste)


@router.post(f"{ITEM}/change/<kind>")
def post_artifact(raw_id: str, kind: str) -> Response[str]:
    visit = visit_of(router)
    if kind not in item_edits.EDITABLE:
        raise not_found("form")
    before = artifacts.current_artifacts(visit.table, find(visit, raw_id), (kind,)).get(kind)
    draft = artifact_forms.READ[kind](visit.form_lists, before["payload"] if before else {})
    build = item_edits.edit(visit.table, kind, draft, _form_version(visit))
    return _save(visit, raw_id, kind, draft, lambda: _edit(visit, raw_id, kind, draft, build))


@router.post(f"{ITEM}/unedit/<kind>")
def post_unedit(raw_id: str, kind: str) -> Response[str]:
    visit = visit_of(router)
    if kind not in item_edits.EDITABLE:
        raise not_found("form")
    carry_out(visit, raw_id, "unedit", {"type": kind}, item_edits.unedit(kind))
    return html_response.go_to(visit, flash_link(f"{HOME}/items/{raw_id}", "unedit", raw_id))


def _patch(visit: PageRequest, raw_id: str, draft: Mapping[str, Any]) -> None:
    build = item_edits.patch(validate(Patch, draft).model_dump(exclude_unset=True), _form_version(visit))
    carry_out(visit, raw_id, "patch", draft, build)


def _edit(visit: PageRequest, raw_id: str, kind: str, draft: Mapping[str, Any], build: Build) -> None:
    carry_out(visit, raw_id, "edit", {"type": kind, "payload": draft}, build)


def _form_version(visit: PageRequest) -> str:
    """The version that the form shows. A form without a version matches no item and changes nothing."""
    return visit.form.get("version", "0")


def _save(visit: PageRequest, raw_id: str, kind: str, draft: Mapping[str, Any], change: Any) -> Response[str]:
    try:
        change()
    except Exception as error:
        refused = to_api_error(error)
        if refused is None or refused.status == 404:
            raise
        return item_page(
            visit, raw_id, status=refused.status, editing=kind, draft=draft, wrong=_error_fields(error, visit)
        )
    return html_response.go_to(visit, flash_link(f"{HOME}/items/{raw_id}", f"change_{kind}", raw_id))


def _error_fields(error: Exception, visit: PageRequest) -> dict[str, Any]:
    fields = error_texts.fields(error, visit.words)
    text = visit.words("error.fields") if fields else error_texts.sentence(error, visit.words)
    return {"words": text, "fields": fields, "conflict": isinstance(error, VersionMismatch)}
