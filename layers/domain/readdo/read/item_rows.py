"""Rows that a capture writes: the item, its page, which later captures join, and its pasted text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit, urlunsplit

from readdo import clock, files
from readdo.clock import digest
from readdo.lifecycle.item import CAPTURED
from readdo.lifecycle.write import ABSENT, Key, Table, Write, either, put_new, same
from readdo.read import item_keys
from readdo.read.artifacts import KINDS
from readdo.read.item_keys import inbox_place
from readdo.read.rows import ItemRow, NewItem, OptionalItemFields
from readdo.runtime import seconds
from readdo.store import idempotency
from readdo.store.keys import due, without_empty

CAPTURE_ID, CAPTURE_KEY = "capture", "capture-key"
_DEFAULT_PORTS = {"http": 80, "https": 443}
# Parameters that track the reader and do not select content.
_TRACKING = re.compile(
    r"utm_\w+|(?:fb|g|d|y|tw|tt)clid|msclkid|gclsrc|wbraid|gbraid|igsh(?:id)?|mc_[ce]id|_hs(?:enc|mi)|mkt_tok|ref_src"
    r"|vero_id|oly_(?:anon|enc)_id|spm(?:_id_from)?|scm|vd_source|share_(?:source|medium|token|from|tag|plat)|cmpid",
    re.IGNORECASE,
)
# These identify an article on WeChat. The other parameters describe who shared it.
_NAMES_AN_ARTICLE = {"mp.weixin.qq.com": ("__biz", "mid", "idx", "sn")}
DOMAIN_MAX = 200
TAGS_MAX = 50
INTENTS_MAX = 20  # the item is written a dozen times, and each write is charged by its size


@dataclass(frozen=True)
class CaptureRequest:
    intent_text: str
    url: str = ""
    content: str = ""
    title: str = ""
    domain: str = ""
    source_type: str = "web"
    profile: str = "engineer"
    language: str = ""
    process: bool = True
    on_duplicate: str = "join"
    capture_id: str = ""
    idempotency_key: str = ""
    tags: tuple[str, ...] = ()
    saved_at: str = ""  # in the product from which it is imported

    @property
    def key(self) -> tuple[str, str] | None:
        """A `capture_id` names the item, so its first body wins. An idempotency key requires an equal body."""
        if self.capture_id:
            return CAPTURE_ID, self.capture_id
        return (CAPTURE_KEY, self.idempotency_key) if self.idempotency_key else None

    @property
    def fingerprint(self) -> str:
        if self.capture_id:
            return CAPTURE_ID
        return idempotency.fingerprint(idempotency.fingerprint_of(self, but=("idempotency_key",)))


def page_of(url: str) -> str:
    """The link without the parts that do not change the page. Equal for the same page."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    return urlunsplit((parts.scheme, _place(parts, host), parts.path.rstrip("/"), _query(parts, host), _route(parts)))


def _place(parts: SplitResult, host: str) -> str:
    address = f"[{host}]" if ":" in host else host
    try:
        port = parts.port
    except ValueError:  # the port is not a valid number: the link is kept as the user gave it
        return parts.netloc.lower()
    return address if port in (None, _DEFAULT_PORTS.get(parts.scheme)) else f"{address}:{port}"


def _query(parts: SplitResult, host: str) -> str:
    parameters = [part for part in parts.query.split("&") if part and not _TRACKING.fullmatch(part.partition("=")[0])]
    names = _NAMES_AN_ARTICLE.get(host)
    if names and any(part.startswith("__biz=") for part in parameters):
        parameters = [part for part in parameters if part.partition("=")[0] in names]
    return "&".join(parameters)


def _route(parts: SplitResult) -> str:
    """A fragment is a position on the page, but `#/…` and `#!…` are pages of an application."""
    return parts.fragment if parts.fragment.startswith(("/", "!")) else ""


def first_row(owner: str, item_id: str, request: CaptureRequest, at: str) -> NewItem:
    optional: OptionalItemFields = {
        "url": request.url,
        "title": request.title,
        "domain": request.domain or (urlsplit(request.url).hostname or "")[:DOMAIN_MAX],
        "language": request.language,
        "tags": list(request.tags),
    }
    row: NewItem = {
        "id": item_id,
        "owner": owner,
        "created_at": min(at, request.saved_at or at),
        "intent_text": request.intent_text,
        "source_type": request.source_type,
        "profile": request.profile,
        "made": {},
        "versions": dict.fromkeys((*KINDS, "export"), 0),
        "lease_epoch": 0,
        "attempts": 0,
        "reclaims": 0,
        "inbox": inbox_place(CAPTURED, item_id)["inbox"],
    }
    row = {**row, **without_empty(optional)}
    if request.process:
        row = {**row, **due(item_id, clock.after(at, seconds("START_GRACE_SECONDS", 60)))}
    return row


def with_intent(item: ItemRow, text: str) -> list[str]:
    """All reasons for saving the item, in their order."""
    intents = item.get("intents") or [item["intent_text"]]
    return intents if text in intents else [*intents[: INTENTS_MAX - 1], text]


def with_tags(item: ItemRow, tags: Sequence[str]) -> dict[str, list[str]]:
    """New tags follow the existing ones."""
    existing = item.get("tags", [])
    new = [tag for tag in dict.fromkeys(tags) if tag not in existing]
    return {"tags": [*existing, *new][:TAGS_MAX]} if new else {}


def page_digest(url: str) -> str:
    return digest(page_of(url))


def item_of_page(table: Table, owner: str, page: str) -> str | None:
    row = table.get(item_keys.page(owner, page))
    return row["item"] if row else None


def page_taken(owner: str, page: str, item_id: str) -> Write:
    return put_new(item_keys.page(owner, page), {"item": item_id})


def page_left(owner: str, page: str, item_id: str) -> Write:
    mine = either(ABSENT, same("item", "mine"))
    return Write(item_keys.page(owner, page), "delete", condition=mine, params={"mine": item_id})


class StoredText(NamedTuple):
    ref: str  # the reference on the item
    beside: tuple[Write, ...]  # to write in the transaction of the item


def keep(owner: str, item_id: str, text: str) -> StoredText:
    """Store a text for its item.

    A short text needs no call to S3, and nothing remains if the item's write is refused.
    """
    body = text.encode("utf-8", "replace")
    name = files.sha256(body)[:32]
    if len(body) <= files.INLINE_BYTES:
        key = item_keys.text(owner, item_id, name)
        return StoredText(key.sk, (Write(key, "put", row={"text": body.decode()}),))
    object_key = f"content/{owner}/{item_id}/{name}"
    files.put_once(object_key, body, "text/plain; charset=utf-8")
    return StoredText(object_key, ())


def read(table: Table, owner: str, item_id: str, ref: str) -> bytes:
    if not _is_in_row(ref):
        return files.get(ref)
    row = table.get(Key(item_keys.item_partition(owner, item_id), ref))
    if row is None:
        raise files.ObjectMissing(ref)
    return str(row["text"]).encode()


def forget(ref: str) -> None:
    """Delete the text of an item that was not written."""
    if not _is_in_row(ref):
        files.remove(ref)


def _is_in_row(ref: str) -> bool:
    return ref.startswith(item_keys.TEXT_PREFIX)
