"""An item as a note for Obsidian: front matter, and a managed block; what a reader writes around it is theirs.

A note's name ends in a piece of the item's id: its title may change, the note stays found. Whatever a title or a page
says is text in here: it ends no block, closes no front matter and names no folder.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

BEGIN, END = "<!-- readdo:begin {id} -->", "<!-- readdo:end -->"
NAME_BYTES = 120
SUFFIX = 10  # characters of the id's part by chance: fifty bits
_FRONT = ("title", "url", "domain", "status", "priority", "match_score", "created_at", "updated_at")
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|#^\[\].]')  # of paths on any system, and of links in Obsidian
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_NOT_IN_TAGS = re.compile(r"[^\w/-]+")
_ESCAPED = re.compile("[<>\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")  # < too: no mark begins in the front matter
_HARMLESS = (("\\", "\\\\"), ("<", "&lt;"), ("-->", "--&gt;"), ("[[", "\\[\\["), ("%%", "\\%\\%"))
Shown = Mapping[str, Mapping[str, Any]]  # kind → the payload that is shown


def name_of(item: Mapping[str, Any]) -> str:
    title = "".join(" " if unicodedata.category(c) in _UNSEEN else c for c in str(item.get("title", "")))
    plain = " ".join(_NOT_IN_NAMES.sub(" ", unicodedata.normalize("NFC", title)).split())
    short = plain.encode()[:NAME_BYTES].decode("utf-8", "ignore").strip()
    return f"{short or 'Untitled'} {item['id'][-SUFFIX:]}.md"


def note_of(item: Mapping[str, Any], shown: Shown) -> str:
    lines = ["---", *_front(item), "---", BEGIN.format(id=item["id"]), *_body(item, shown), END, ""]
    return "\n".join(lines)


def _front(item: Mapping[str, Any]) -> Iterator[str]:
    yield f"readdo: {_yaml(item['id'])}"
    yield from (f"{name}: {_yaml(item[name])}" for name in _FRONT if name in item)
    tags = [tag for said in item.get("tags", ()) if (tag := _NOT_IN_TAGS.sub("-", str(said)).strip("-/"))]
    if tags:
        yield f"tags: {_yaml(tags)}"


def _yaml(value: Any) -> str:
    """JSON is YAML, but for a few characters that YAML does not print."""
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def _body(item: Mapping[str, Any], shown: Shown) -> Iterator[str]:
    yield f"# {_text(item.get('title') or item['intent_text'])}"
    yield ""
    if "url" in item:
        yield f"<{_link(item['url'])}>"
        yield ""
    for intent in item.get("intents") or [item["intent_text"]]:
        yield f"> {_text(intent)}"
    yield from _summary(shown.get("summary", {}))
    yield from _todos(shown.get("todos", {}))
    yield from _card(shown.get("card", {}))


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


def _text(said: Any) -> str:
    """One line, in which nothing opens or closes anything: no comment, no tag, no link of Obsidian's, no heading."""
    line = " ".join(str(said).split())
    for mark, harmless in _HARMLESS:
        line = line.replace(mark, harmless)
    return f"\\{line}" if line[:1] in ("#", "-", ">", "+", "*", "|", "`", "~", "=") else line


def _link(url: str) -> str:
    return "".join(url.split()).replace("<", "%3C").replace(">", "%3E").replace("[[", "%5B%5B").replace("%%", "%25%25")
