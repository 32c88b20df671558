"""Texts and labels for invalid form fields."""

from readdo.errors import FieldProblem
from screens.i18n import Words

# Validation rule of the models or schemas → text.
RULES = {
    **dict.fromkeys(("missing", "required"), "rule.missing"),
    **dict.fromkeys(("string_too_short", "minLength"), "rule.short"),
    **dict.fromkeys(("string_too_long", "maxLength"), "rule.long"),
    **dict.fromkeys(("too_short", "minItems"), "rule.few"),
    **dict.fromkeys(("too_long", "maxItems"), "rule.many"),
    **dict.fromkeys(("literal_error", "enum", "const"), "rule.one_of"),
    **dict.fromkeys(("string_pattern_mismatch", "pattern"), "rule.letters"),
    **dict.fromkeys(("int_type", "type"), "rule.number"),
    **dict.fromkeys(("greater_than_equal", "minimum"), "rule.least"),
    **dict.fromkeys(("less_than_equal", "maximum"), "rule.most"),
    "contains": "rule.output",
    "quote": "rule.quote",
    "only_text": "rule.only_text",
    "dict_type": "rule.object",
    "payload_large": "rule.payload",
    "payload_deep": "rule.payload.deep",
    "payload_form": "rule.payload.form",
    "payload_no_json": "rule.payload.no_json",
}
LABELS = {
    "intent_text": "why",
    "url": "capture.source",
    "title": "title",
    "language": "language.of",
    "profile": "profile",
    "content": "text",
    "name": "token.name",
    "scopes": "token.scopes",
    "days": "token.days",
    "formats": "export.which",
    "theme": "export.theme",
    "layout": "export.layout",
    "bullets": "field.points",
    "points": "field.points",
    "todos": "kind.todos",
    "evidence": "evidence",
    "events": "hook.events",
    "intent": "task.intent",
    "priority": "task.priority",
    "project": "task.project",
    "due_date": "task.day",
    "reason": "move.block.reason",
    "how": "move.report.words",
    "": "field.form",
}


def complaint(problem: FieldProblem, words: Words) -> str:
    if problem.rule == "value_error" and "lone surrogate" in problem:
        return words("rule.half")
    if problem.rule == "value_error" and "address" in problem:
        return words("rule.link")
    if problem.rule == "value_error" and "such as 20" in problem:
        return words("rule.day")
    limit = f"{problem.limit:,}" if isinstance(problem.limit, int) else problem.limit
    return words(RULES.get(problem.rule, "rule.other"), limit=limit)


def label(path: str, words: Words) -> str:
    """The label of a field path, such as `todos.2.title`: "Todo 3 › Title"."""
    parts, labels = path.split("."), []
    while parts:
        name = parts.pop(0)
        if parts and parts[0].isdigit():
            labels.append(words.either(f"place.{name}", words(LABELS.get(name, "field.form")), n=int(parts.pop(0)) + 1))
        elif labels or name not in LABELS:
            labels.append(words.either(f"place.{name}", words(LABELS.get(name, "field.form"))))
        else:
            labels.append(words(LABELS[name]))
    return words("list.path").join(dict.fromkeys(labels))
