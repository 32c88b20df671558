"""Obsidian note of an item: front matter and a managed block. Text around them belongs to the user.

The name of a note ends with a part of the item's id: a note is found after its title changed. Texts of the item are
escaped: they cannot end the block, close the front matter or name a folder.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

BEGIN, END = "<!-- readdo:begin {id} -->", "<!-- readdo:end -->"
NAME_BYTES = 120
SUFFIX = 10  # characters of the random part of the id: 50 bits
_FRONT = ("title", "url", "domain", "status", "priority", "match_score", "created_at", "updated_at")
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|#^\[\].]')  # special in paths of any system, or in Obsidian's links
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_NOT_IN_TAGS = re.compile(r"[^\w/-]+")
# < too: no block marker begins in the front matter.
_NOT_IN_YAML = re.compile("[<>\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_ESCAPES = (("\\", "\\\\"), ("<", "&lt;"), ("-->", "--&gt;"), ("[[", "\\[\\["), ("%%", "\\%\\%"))
Payloads = Mapping[str, Mapping[str, Any]]  # artifact type → payload


def name_of(item: Mapping[str, Any]) -> str:
    title = "".join(" " if unicodedata.category(c) in _INVISIBLE else c for c in str(item.get("title", "")))
    plain = " ".join(_NOT_IN_NAMES.sub(" ", unicodedata.normalize("NFC", title)).split())
    short = plain.encode()[:NAME_BYTES].decode("utf-8", "ignore").strip()
    return f"{short or 'Untitled'} {item['id'][-SUFFIX:]}.md"


def note_of(item: Mapping[str, Any], payloads: Payloads) -> str:
    lines = ["---", *_front(item), "---", BEGIN.format(id=item["id"]), *_body(item, payloads), END, ""]
    return "\n".join(lines)


def _front(item: Mapping[str, Any]) -> Iterator[str]:
    yield f"readdo: {_yaml(item['id'])}"
    yield from (f"{name}: {_yaml(item[name])}" for name in _FRONT if name in item)
    tags = [tag for name in item.get("tags", ()) if (tag := _NOT_IN_TAGS.sub("-", str(name)).strip("-/"))]
    if tags:
        yield f"tags: {_yaml(tags)}"


def _yaml(value: Any) -> str:
    """JSON is YAML, except for a few characters that YAML does not allow."""
    return _NOT_IN_YAML.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=False))


def _body(item: Mapping[str, Any], payloads: Payloads) -> Iterator[str]:
    yield f"# {_text(item.get('title') or item['intent_text'])}"
    yield ""
    if "url" in item:
        yield f"<{_link(item['url'])}>"
        yield ""
    for intent in item.get("intents") or [item["intent_text"]]:
        yield f"> {_text(intent)}"
    yield from _summary(payloads.get("summary", {}))
    yield from _todos(payloads.get("todos", {}))
    yield from _card(payloads.get("card", {}))


def _summary(summary: Mapping[str, Any]) -> Iterator[str]:
    if summary:
        yield from ("", "## Summary", "", *(f"- {_text(bullet)}" for bullet in summary["bullets"]))
        yield from ("", _text(summary["insight"]))
    for evidence in summary.get("evidence", ()):
        yield from ("", f"> {_text(evidence['quote'])}")


def _todos(todos: Mapping[str, Any]) -> Iterator[str]:
    if todos:
        yield from ("", "## Todos", "")
    for todo in todos.get("todos", ()):
        yield f"- [ ] {_text(todo['title'])} ({_text(todo['eta'])})"


def _card(card: Mapping[str, Any]) -> Iterator[str]:
    if card:
        yield from ("", "## Card", "", f"**{_text(card['headline'])}**", "")
        yield from (f"- {_text(point)}" for point in card["points"])
        yield from ("", _text(card["insight"]), "", _text(card["action"]))


def _text(value: Any) -> str:
    """A single line without active syntax: no comment, HTML tag, Obsidian link or heading."""
    line = " ".join(str(value).split())
    for syntax, escaped in _ESCAPES:
        line = line.replace(syntax, escaped)
    return f"\\{line}" if line[:1] in ("#", "-", ">", "+", "*", "|", "`", "~", "=") else line


def _link(url: str) -> str:
    return "".join(url.split()).replace("<", "%3C").replace(">", "%3E").replace("[[", "%5B%5B").replace("%%", "%25%25")
