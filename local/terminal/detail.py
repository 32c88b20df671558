"""An item, whole: why it was saved, then what was made of it, then what may be done."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from terminal import moments, words
from terminal.act import card, exports, todos
from terminal.desk import item_tasks
from terminal.explain import score, summary
from terminal.screen import Screen
from terminal.words import Item, short

Found = Mapping[str, Any]


def show(screen: Screen, found: Found, now: datetime) -> None:
    item, artifacts = found["item"], found.get("artifacts", {})
    header(screen, item, now)
    failure(screen, found.get("failure") or item.get("failure"), now)
    export_failure(screen, item.get("last_export_failure"), now)
    for name in ("summary", "score", "todos", "card"):
        if name in artifacts:
            part(screen, name, artifacts[name])
    if "tasks" in found:
        item_tasks.show(screen, found["tasks"])
    exports(screen, found.get("exports", []), item["id"])
    next_steps(screen, found)


def part(screen: Screen, name: str, artifact: Mapping[str, Any]) -> None:
    payload, note = artifact["payload"], _edition(artifact)
    if name == "extraction":
        for line in str(payload["normalized_text"]).split("\n"):
            screen.paragraph(line)
        return
    {"summary": summary, "score": score, "todos": todos, "card": card}[name](screen, payload, note)


def _edition(artifact: Mapping[str, Any]) -> str:
    """Said only if it is not the first of the system."""
    whose = "yours" if artifact.get("created_by") == "user" else ""
    version = artifact.get("version", 1)
    return ", ".join(said for said in (whose, f"version {version}" if version != 1 or whose else "") if said)


def header(screen: Screen, item: Item, now: datetime) -> None:
    screen.paragraph(words.title_of(item), "bold")
    facts = [
        str(item["status"]) + _worth(item),
        item.get("domain"),
        short(item["id"]),
        moments.ago(item.get("created_at"), now),
        item.get("profile"),
        item.get("language"),
    ]
    screen.paragraph(" · ".join(str(fact) for fact in facts if fact), words.COLOURS[words.group_of(item)])
    if item.get("url") and item.get("title"):
        screen.paragraph(str(item["url"]), "dim")
    why(screen, item)


def _worth(item: Item) -> str:
    """Only while it is READY: later the score is in its own part, and no advice any more."""
    score = item.get("match_score")
    if item["status"] != "READY" or not isinstance(score, int | float):
        return ""
    return f", {score:.1f}, {words.PRIORITIES.get(str(item.get('priority')), '').lower()}"


def why(screen: Screen, item: Item) -> None:
    screen.blank()
    screen.paragraph(str(item.get("intent_text", "")), "italic", first=("Why  ", "bold"))
    for other in other_intents(item):
        screen.paragraph(other, "dim italic", first=("     ", ""))
    if item.get("tags"):
        screen.paragraph(" ".join(f"#{tag}" for tag in item["tags"]), "dim", first="     ")
    if int(item.get("save_count", 1)) > 1:
        screen.paragraph(f"saved {item['save_count']} times", "dim", first="     ")


def other_intents(item: Item) -> list[str]:
    """Why it was saved the other times."""
    told = [entry["text"] if isinstance(entry, Mapping) else str(entry) for entry in item.get("intents", [])]
    return [text for text in dict.fromkeys(told) if text != item.get("intent_text")]


def failure(screen: Screen, found: Mapping[str, Any] | None, now: datetime) -> None:
    if not found:
        return
    screen.blank()
    screen.paragraph(str(found.get("message", "It failed.")), "red", first=("✗ ", "red"))
    times = found.get("attempts", 1)
    facts = [
        f"step {found.get('failed_step', '?')}",
        str(found.get("error_code", "")),
        f"tried {times} time{'s' if times != 1 else ''}",
        f"last {moments.ago(found.get('last_attempt_at'), now)}",
    ]
    screen.line(("  " + " · ".join(fact for fact in facts if fact), "dim"))
    if again := found.get("next_retry_at"):
        screen.line(f"  It is tried again by itself {moments.until(again, now)}.")


def export_failure(screen: Screen, found: Mapping[str, Any] | None, now: datetime) -> None:
    if found:
        screen.blank()
        screen.line(("The last export failed; earlier ones are untouched.", "yellow"))
        failure(screen, found, now)


def next_steps(screen: Screen, found: Found) -> None:
    offer(screen, words.next_commands(found.get("available_actions", []), _with_failure(found)))


def offer(screen: Screen, commands: Sequence[tuple[str, str]]) -> None:
    if not commands:
        return
    screen.heading("Next")
    wide = max(len(command) for command, _ in commands)
    for command, use in commands:
        screen.paragraph(use, "dim", first=f"  {command:{wide}}  ")


def _with_failure(found: Found) -> Item:
    failed = found.get("failure")
    return {**found["item"], "failure": failed} if failed else found["item"]
