"""Forms that change an item's words, its text, or what was made of it. What could not be kept comes back as written."""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayHttpRouter

from readdo.errors import VersionMismatch
from readdo.read import item_commands, item_edits
from readdo.read.item_transactions import Build
from readdo.store import artifacts
from readdo.web import errors
from readdo.web.body_validation import validate
from readdo.web.errors import not_found
from readdo.web.requests import Patch
from screens import artifact_forms, error_texts, html_response
from screens.flash import flash_link
from screens.item import find, item_page
from screens.item_actions import carry_out
from screens.page_auth import visit_of
from screens.page_request import HOME, ITEM, PageRequest

router = APIGatewayHttpRouter()
WORDS = ("intent_text", "title", "language", "profile")


@router.post(f"{ITEM}/change/words")
def post_words(given: str) -> Response[str]:
    visit = visit_of(router)
    draft = {name: visit.form.get(name, "") for name in WORDS}
    return _changed(visit, given, "words", draft, lambda: _patch(visit, given, draft))


@router.post(f"{ITEM}/change/paste")
def post_paste(given: str) -> Response[str]:
    """The text instead of the page, and another try with it."""
    visit = visit_of(router)
    draft = {"content": visit.form.get("content", "")}

    def paste() -> None:
        _patch(visit, given, draft)
        carry_out(visit, given, "process", {"mode": "PROCESS"}, item_commands.requeue("process"))

    return _changed(visit, given, "paste", draft, paste)


@router.post(f"{ITEM}/change/<kind>")
def post_artifact(given: str, kind: str) -> Response[str]:
    visit = visit_of(router)
    if kind not in item_edits.EDITABLE:
        raise not_found("form")
    before = artifacts.shown(visit.table, find(visit, given), (kind,)).get(kind)
    draft = artifact_forms.READ[kind](visit.sent, before["payload"] if before else {})
    build = item_edits.edit(visit.table, kind, draft, _seen(visit))
    return _changed(visit, given, kind, draft, lambda: _edit(visit, given, kind, draft, build))


@router.post(f"{ITEM}/unedit/<kind>")
def post_unedit(given: str, kind: str) -> Response[str]:
    visit = visit_of(router)
    if kind not in item_edits.EDITABLE:
        raise not_found("form")
    carry_out(visit, given, "unedit", {"type": kind}, item_edits.unedit(kind))
    return html_response.go_to(visit, flash_link(f"{HOME}/items/{given}", "unedit", given))


def _patch(visit: PageRequest, given: str, draft: Mapping[str, Any]) -> None:
    build = item_edits.patch(validate(Patch, draft).model_dump(exclude_unset=True), _seen(visit))
    carry_out(visit, given, "patch", draft, build)


def _edit(visit: PageRequest, given: str, kind: str, draft: Mapping[str, Any], build: Build) -> None:
    carry_out(visit, given, "edit", {"type": kind, "payload": draft}, build)


def _seen(visit: PageRequest) -> str:
    """The version that the form was made from; a form without one is not ours, and changes nothing."""
    return visit.form.get("version", "0")


def _changed(visit: PageRequest, given: str, kind: str, draft: Mapping[str, Any], change: Any) -> Response[str]:
    try:
        change()
    except Exception as error:
        refused = errors.of(error)
        if refused is None or refused.status == 404:
            raise
        return item_page(visit, given, status=refused.status, editing=kind, draft=draft, wrong=_wrong(error, visit))
    return html_response.go_to(visit, flash_link(f"{HOME}/items/{given}", f"change_{kind}", given))


def _wrong(error: Exception, visit: PageRequest) -> dict[str, Any]:
    fields = error_texts.fields(error, visit.words)
    told = visit.words("error.fields") if fields else error_texts.sentence(error, visit.words)
    return {"words": told, "fields": fields, "conflict": isinstance(error, VersionMismatch)}
