"""Print one item in full, its history, and the next commands."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from terminal import time_format, words
from terminal.artifact_output import PRINTERS, exports
from terminal.screen import Part, Screen
from terminal.text import cut
from terminal.words import Item, Row, short


def show(screen: Screen, data: Row, now: datetime) -> None:
    item, artifacts = data["item"], data.get("artifacts", {})
    header(screen, item, now)
    failure(screen, data.get("failure") or item.get("failure"), now)
    export_failure(screen, item.get("last_export_failure"), now)
    for name in ("summary", "score", "todos", "card"):
        if name in artifacts:
            part(screen, name, artifacts[name])
    if "tasks" in data:
        _tasks(screen, data["tasks"])
    exports(screen, data.get("exports", []), item["id"])
    next_steps(screen, data)


def _tasks(screen: Screen, tasks: Row) -> None:
    """Print the tasks of the item's accepted todos."""
    screen.heading("Tasks", "all done" if tasks["all_done"] else f"{tasks['done']} of {tasks['total']} done")
    for task in tasks["tasks"]:
        state = str(task["status"])
        screen.paragraph(
            words.task_title(task), first=(f"  {short(task['id'])}  {state:9}  ", words.COLOURS.get(state, ""))
        )


def part(screen: Screen, name: str, artifact: Row) -> None:
    payload, note = artifact["payload"], _version_note(artifact)
    if name == "extraction":
        for line in str(payload["normalized_text"]).split("\n"):
            screen.paragraph(line)
        return
    PRINTERS[name](screen, payload, note)


def _version_note(artifact: Row) -> str:
    """Return the version note; empty for the system's first version."""
    author = "yours" if artifact.get("created_by") == "user" else ""
    version = artifact.get("version", 1)
    return ", ".join(note for note in (author, f"version {version}" if version != 1 or author else "") if note)


def header(screen: Screen, item: Item, now: datetime) -> None:
    screen.paragraph(words.title_of(item), "bold")
    facts = [
        str(item["status"]) + _score_note(item),
        item.get("domain"),
        short(item["id"]),
        time_format.ago(item.get("created_at"), now),
        item.get("profile"),
        item.get("language"),
    ]
    screen.paragraph(" · ".join(str(fact) for fact in facts if fact), words.COLOURS[words.group_of(item)])
    if item.get("url") and item.get("title"):
        screen.paragraph(str(item["url"]), "dim")
    _why(screen, item)


def _score_note(item: Item) -> str:
    """Return score and priority, only while the item is READY: afterwards they no longer guide a decision."""
    score = item.get("match_score")
    if item["status"] != "READY" or not isinstance(score, int | float):
        return ""
    return f", {score:.1f}, {words.PRIORITIES.get(str(item.get('priority')), '').lower()}"


def _why(screen: Screen, item: Item) -> None:
    screen.blank()
    screen.paragraph(str(item.get("intent_text", "")), "italic", first=("Why  ", "bold"))
    for other in other_intents(item):
        screen.paragraph(other, "dim italic", first=("     ", ""))
    if item.get("tags"):
        screen.paragraph(" ".join(f"#{tag}" for tag in item["tags"]), "dim", first="     ")
    if int(item.get("save_count", 1)) > 1:
        screen.paragraph(f"saved {item['save_count']} times", "dim", first="     ")


def other_intents(item: Item) -> list[str]:
    """Return the intents of the earlier saves of this item."""
    texts = [entry["text"] if isinstance(entry, Mapping) else str(entry) for entry in item.get("intents", [])]
    return [text for text in dict.fromkeys(texts) if text != item.get("intent_text")]


def failure(screen: Screen, details: Row | None, now: datetime) -> None:
    if not details:
        return
    screen.blank()
    screen.paragraph(str(details.get("message", "It failed.")), "red", first=("✗ ", "red"))
    times = details.get("attempts", 1)
    facts = [
        f"step {details.get('failed_step', '?')}",
        str(details.get("error_code", "")),
        f"tried {times} time{'s' if times != 1 else ''}",
        f"last {time_format.ago(details.get('last_attempt_at'), now)}",
    ]
    screen.line(("  " + " · ".join(fact for fact in facts if fact), "dim"))
    if again := details.get("next_retry_at"):
        screen.line(f"  Next automatic retry {time_format.until(again, now)}.")


def export_failure(screen: Screen, details: Row | None, now: datetime) -> None:
    if details:
        screen.blank()
        screen.line(("The last export failed. Earlier exports are unchanged.", "yellow"))
        failure(screen, details, now)


def history(screen: Screen, entries: Sequence[Row]) -> None:
    screen.heading("History")
    rows: list[list[Part]] = []
    for entry in entries:
        time, by = time_format.clock(entry.get("at")), str(entry.get("by", ""))
        move = [str(entry.get("trigger", "")), str(entry.get("to", ""))]
        if screen.live:
            rows.append([(f"  {time}", "dim"), *move, (by.removeprefix("system:"), "dim")])
        else:
            screen.line("  " + "  ".join([time, *move, by]))
    screen.table(rows, fixed=1)


def versions(screen: Screen, artifacts: Mapping[str, Sequence[Row]]) -> None:
    screen.heading("Versions", "✓ marks the current one")
    for name, artifact_versions in artifacts.items():
        for version in artifact_versions:
            mark = "✓" if version.get("shown") else " "
            author = "yours" if version.get("created_by") == "user" else "system"
            engine = str((version.get("meta") or {}).get("engine_version", ""))
            time = time_format.clock(version.get("created_at"))
            screen.line(
                (f"  {mark} ", "green"),
                f"{name:10} {version.get('version', ''):>3}  {author:6}  {time}  ",
                (cut(engine, 24) if screen.live else engine, "dim"),
            )


def next_steps(screen: Screen, data: Row) -> None:
    details = data.get("failure")
    item = {**data["item"], "failure": details} if details else data["item"]
    offer(screen, words.next_commands(data.get("available_actions", []), item))


def offer(screen: Screen, commands: Sequence[tuple[str, str]]) -> None:
    if not commands:
        return
    screen.heading("Next")
    wide = max(len(command) for command, _ in commands)
    for command, use in commands:
        screen.paragraph(use, "dim", first=f"  {command:{wide}}  ")
