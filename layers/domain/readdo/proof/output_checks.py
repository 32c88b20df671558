"""Clean and check the text that a model returned for a chunk."""

import re

from readdo.messages import message
from readdo.proof.line_rules import BLANKS
from readdo.proof.lines import split_lines
from readdo.proof.model_calls import ModelReply
from readdo.proof.text_rules import KEEP, TextRules

LENGTH_MIN, LENGTH_MAX = 0.85, 1.15  # of the characters of the input
CHECKED_CHARS = 200  # a shorter input may change more
_TAG = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
_FENCED = re.compile(r"\s*<text>[ \t]*\r?\n(.*?)\r?\n?[ \t]*</text>\s*", re.DOTALL)
_CODE = re.compile(r"\s*```[\w-]*[ \t]*\n(.*?)\n?```\s*", re.DOTALL)
_LEADING = re.compile(rf"(?:[{BLANKS}]*(?:\r\n|\r|\n))*")
_TRAILING = re.compile(r"[\r\n]*\Z")
_ENDS = re.compile(r"\r\n|\r|\n")


# code → key of the message
_REASONS = {
    "think_unclosed": "proof.think_unclosed",
    "output_empty": "proof.output_empty",
    "output_cut": "proof.output_cut",
    "output_too_short": "proof.output_too_short",
    "output_too_long": "proof.output_too_long",
}


class OutputRefused(Exception):
    """The output cannot stand for its chunk."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code, self.text = code, message(_REASONS[code])


def clean_output(reply: ModelReply, source: str, rules: TextRules, *, is_first: bool) -> str:
    """The output of a chunk, with the blank lines around it as in the input. Raises OutputRefused."""
    if reply.is_cut:
        raise OutputRefused("output_cut")
    text = _without_wrapping(without_reasoning(reply.text, source), source)
    if not text.strip():
        raise OutputRefused("output_empty")
    text = _with_edges_of(text, source)
    text = _with_rules(text, source, rules)
    _check_length(text, source, is_first=is_first)
    return text


def without_reasoning(text: str, source: str) -> str:
    """Without reasoning tags, which may be nested. A text that contains such tags itself is left as it is."""
    if _TAG.search(source):
        return text
    kept: list[str] = []
    depth = at = 0
    for tag in _TAG.finditer(text):
        if depth == 0:
            kept.append(text[at : tag.start()])
        if not tag[1]:
            depth += 1
        elif depth:
            depth -= 1
        else:
            kept = []  # some servers omit the opening tag
        at = tag.end()
    if depth:
        raise OutputRefused("think_unclosed")
    return "".join((*kept, text[at:]))


def _without_wrapping(text: str, source: str) -> str:
    """Without the fence of the prompt or of a code block, if the model repeated one."""
    for wrapping, mark in ((_FENCED, "<text>"), (_CODE, "```")):
        if mark not in source and (match := wrapping.fullmatch(text)):
            text = match[1]
    return text


def _with_edges_of(text: str, source: str) -> str:
    lead, trail = _LEADING.match(source), _TRAILING.search(source)
    body = text[_match_length(_LEADING, text) :].rstrip("\r\n")
    ends = set(_ENDS.findall(source))
    body = _ENDS.sub(ends.pop(), body) if len(ends) == 1 else body
    return (lead[0] if lead else "") + body + (trail[0] if trail else "")


def _match_length(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


def _with_rules(text: str, source: str, rules: TextRules) -> str:
    """Apply the rules again, unless they change the input: then it depends on the chunks before it."""
    if not rules.names or apply_rules(source, rules) != source:
        return text
    return apply_rules(text, rules)


def apply_rules(text: str, rules: TextRules) -> str:
    fresh = TextRules(rules.names, KEEP)
    return "".join(line.text + line.end for line in fresh.apply(split_lines([text])))


def _check_length(text: str, source: str, *, is_first: bool) -> None:
    expected, actual = len(source.strip()), len(text.strip())
    if expected < CHECKED_CHARS:
        return
    if actual < LENGTH_MIN * expected and not is_first:
        raise OutputRefused("output_too_short")
    if actual > LENGTH_MAX * expected:
        raise OutputRefused("output_too_long")
