"""Differences between two texts: as segments for a side-by-side view, and as a unified diff."""

import re
from collections.abc import Iterator
from difflib import SequenceMatcher, unified_diff

from readdo.proof.lines import split_lines

_WORD = re.compile(r"[A-Za-z0-9À-ɏ'’]+|\s+|.", re.DOTALL)
_CLOSE = 0.3  # lines that are less alike are shown as removed and added
_LINE_MAX = 5000  # a longer line is not compared by words


def diff_segments(before: str, after: str) -> list[dict[str, str]]:
    """Segments {kind, pre, out}: `same`, or `changed` with the text before and after."""
    segments: list[dict[str, str]] = []
    old, new = _lines(before), _lines(after)
    for kind, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        left, right = "".join(old[i:j]), "".join(new[k:m])
        if kind == "equal":
            _add(segments, "same", left, right)
        else:
            for segment in _word_segments(left, right):
                _add(segments, *segment)
    return segments


def _word_segments(left: str, right: str) -> Iterator[tuple[str, str, str]]:
    if max(len(left), len(right)) > _LINE_MAX:
        yield "changed", left, right
        return
    old, new = _WORD.findall(left), _WORD.findall(right)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _CLOSE:
        yield "changed", left, right
        return
    for kind, i, j, k, m in matcher.get_opcodes():
        yield "same" if kind == "equal" else "changed", "".join(old[i:j]), "".join(new[k:m])


def _add(segments: list[dict[str, str]], kind: str, left: str, right: str) -> None:
    if segments and segments[-1]["kind"] == kind:
        segments[-1]["pre"] += left
        segments[-1]["out"] += right
    elif left or right:
        segments.append({"kind": kind, "pre": left, "out": right})


def unified(before: str, after: str, title: str) -> Iterator[str]:
    """Lines of a unified diff with one line of context. Empty if the texts are equal."""
    if before == after:
        return
    yield f"@@@ {title}\n"
    for number, line in enumerate(unified_diff(_lines(before), _lines(after), n=1, lineterm="")):
        if number > 1:  # without the names of two files
            yield line if line.endswith(("\n", "\r")) else f"{line}\n"


def _lines(text: str) -> list[str]:
    return [line.text + line.end for line in split_lines([text])]
