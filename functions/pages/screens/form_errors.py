"""What is wrong with one field of a form, and what that field is called on the page."""

from readdo.errors import FieldProblem
from screens.i18n import Words

# The rule that was broken, as the models or the schemas name it → the text that says so.
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


def complaint(found: FieldProblem, words: Words) -> str:
    if found.rule == "value_error" and "lone surrogate" in found:
        return words("rule.half")
    if found.rule == "value_error" and "address" in found:
        return words("rule.link")
    if found.rule == "value_error" and "such as 20" in found:
        return words("rule.day")
    limit = f"{found.limit:,}" if isinstance(found.limit, int) else found.limit
    return words(RULES.get(found.rule, "rule.other"), limit=limit)


def label(path: str, words: Words) -> str:
    """todos.2.title → Todo 3, what"""
    parts, named = path.split("."), []
    while parts:
        name = parts.pop(0)
        if parts and parts[0].isdigit():
            named.append(words.either(f"place.{name}", words(LABELS.get(name, "field.form")), n=int(parts.pop(0)) + 1))
        elif named or name not in LABELS:
            named.append(words.either(f"place.{name}", words(LABELS.get(name, "field.form"))))
        else:
            named.append(words(LABELS[name]))
    return words("list.comma").join(dict.fromkeys(named))
