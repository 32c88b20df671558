"""Texts for refused changes of items: the status, and the allowed actions."""

from typing import cast

from readdo.lifecycle.advance import Refused
from readdo.lifecycle.item import ITEM, PROCESSING, SHIPPED
from readdo.read import actions
from readdo.read.rows import ItemRow
from screens.i18n import Words


def _refused_item(refused: Refused, words: Words) -> str:
    status = refused.status or ""
    values = {
        "state": words(f"state.{status}"),
        "done": words.either(f"undone.{refused.trigger}", words("undone.other")),
    }
    if status == PROCESSING:
        return words("refused.working", **values)
    text = words("refused.lacks" if status in ITEM.sources(refused.trigger) else "refused", **values)
    if (refused.trigger, status) == ("regenerate", SHIPPED):
        text += words("refused.by_archive")
    allowed = [
        words.either(f"do.{action['action']}", "")
        for action in actions.available(cast("ItemRow", dict(refused.row or {})))
    ]
    return text + words("refused.may", may=words("list.comma").join(filter(None, allowed))) if any(allowed) else text


REFUSALS = {ITEM.name: _refused_item}
